import { NumberList } from './number-list.ts';
import { countSigns, isBlankUnit, isHan } from './signs.ts';

export const NO_WORD = 0xffffffff;

/** Knows the words that a text's pieces stand for. */
export interface WordLearner {
  /** The number of the word of a token in lower case, or `NO_WORD`. */
  learn(token: string): number;
  /** The number of the word with this code. */
  numberOf(code: number): number;
  /** Appends the words of a run of characters without blanks that has something to fold. */
  readFolded(run: string, into: NumberList): void;
}

/**
 * Reads texts with the rules of `wordsOf`, in one pass. A token seen before is known by two numbers that are made of its
 * letters on the way, so no string is made for it. Runs with letters beyond ASCII and Han are left to the learner.
 */
export class PlainWordReader {
  readonly #learner: WordLearner;
  /** The present text, and the words that it has so far. */
  #text = '';
  #length = 0;
  #units = new Uint16Array(1 << 14);
  #bytes = Buffer.from(this.#units.buffer);
  #into = new NumberList();
  /** Where the present run without blanks starts, and the number of words before it. */
  #run = 0;
  #before = 0;
  /** Up to here, it is known that nothing is to be folded in the run. */
  #plainTo = 0;
  /** How many words are of Han; -1 if something was folded. */
  #han = 0;
  /** A hash table of short tokens, three numbers each: two for its letters, and its word. Never more than half full. */
  #slots = new Uint32Array(SLOT * (1 << 14));
  #mask = (1 << 14) - 1;
  #count = 0;
  /** Longer tokens, and those with signs of their own. */
  readonly #others = new Map<string, number>();

  constructor(learner: WordLearner) {
    this.#learner = learner;
  }

  /** Appends the numbers of the words of a text. Returns how many are of Han; -1 if something was folded. */
  read(text: string, into: NumberList): number {
    this.#take(text);
    this.#into = into;
    this.#before = into.length;
    this.#run = this.#plainTo = this.#han = 0;
    const units = this.#units;
    const { length } = text;
    for (let at = 0; at < length;) {
      const unit = units[at] ?? 0;
      if (unit >= ASCII_SIGNS) at = isHan(unit) ? this.#readHan(at) : this.#readSign(at);
      else if (DIGITS[unit] !== 0) at = this.#readToken(at);
      else {
        at += 1;
        if (!isBlankUnit(unit)) continue;
        this.#run = at;
        this.#before = into.length;
      }
    }
    return this.#han;
  }

  /** Reads the token that starts here; returns where it ends. */
  #readToken(from: number): number {
    const units = this.#units;
    const length = this.#length;
    let high = 0;
    let low = 0;
    let wasLow = false;
    let at = from;
    for (; at < length; at += 1) {
      const letter = units[at] ?? 0;
      const digit = letter < ASCII_SIGNS ? (DIGITS[letter] ?? 0) : 0;
      if (digit === 0) break;
      // A capital after a small letter begins a new word.
      if (letter < FIRST_CAPITAL || letter > LAST_CAPITAL) wasLow = true;
      else if (wasLow) break;
      if (at - from < HALF_KEY) high = (Math.imul(high, BASE) + digit) | 0;
      else low = (Math.imul(low, BASE) + digit) | 0;
    }
    const sign = at < length ? units[at] : 0;
    if (sign === DOT || sign === HASH || sign === PLUS || (from > 0 && units[from - 1] === DOT)) {
      const special = readSpecial(this.#text, from, at);
      if (special !== undefined) return this.#readOther(special.token, special.end);
    }
    if (at - from > 2 * HALF_KEY) return this.#readOther(this.#text.slice(from, at).toLowerCase(), at);
    let word = this.#findShort(high >>> 0, low >>> 0);
    if (word === UNKNOWN) {
      if (!this.#isPlainRun(at)) return this.#foldRun();
      word = this.#learnShort(this.#text.slice(from, at).toLowerCase(), high >>> 0, low >>> 0);
    }
    if (word !== NO_WORD) this.#into.push(word);
    return at;
  }

  /** Adds a token that ends here. */
  #readOther(token: string, end: number): number {
    let word = this.#others.get(token);
    if (word === undefined) {
      if (!this.#isPlainRun(end)) return this.#foldRun();
      word = this.#learner.learn(token);
      if (this.#others.size < MAX_TOKENS) this.#others.set(token, word);
    }
    if (word !== NO_WORD) this.#into.push(word);
    return end;
  }

  /** Passes a sign beyond ASCII, or the whole run if that must be folded. */
  #readSign(at: number): number {
    const signs = this.#countSigns(at);
    return signs === 0 ? this.#foldRun() : at + signs;
  }

  #countSigns(at: number): number {
    return countSigns(this.#units[at] ?? 0, at + 1 < this.#length ? (this.#units[at + 1] ?? 0) : 0);
  }

  /** Reads the present run again, as a whole; returns where it ends. */
  #foldRun(): number {
    let end = this.#run;
    while (end < this.#length && !isBlankUnit(this.#units[end] ?? 0)) end += 1;
    this.#into.cut(this.#before);
    this.#learner.readFolded(this.#text.slice(this.#run, end), this.#into);
    this.#han = -1;
    return end;
  }

  /** Is nothing in the present run to be folded? Otherwise, a part of it that looks like a word is none. */
  #isPlainRun(at: number): boolean {
    if (at <= this.#plainTo) return true;
    let end = this.#run;
    while (end < this.#length && !isBlankUnit(this.#units[end] ?? 0)) {
      const unit = this.#units[end] ?? 0;
      const signs = unit < ASCII_SIGNS || isHan(unit) ? 1 : this.#countSigns(end);
      if (signs === 0) return false;
      end += signs;
    }
    this.#plainTo = end;
    return true;
  }

  /** Han comes in pairs of characters. Returns where they end. */
  #readHan(from: number): number {
    const [units, length, into] = [this.#units, this.#length, this.#into];
    const words = into.length;
    let at = from + 1;
    let before = hashUnit(FNV_BASIS, units[from] ?? 0);
    if (at === length || !isHan(units[at] ?? 0)) into.push(this.#learner.numberOf(finishCode(before)));
    for (; at < length; at += 1) {
      const unit = units[at] ?? 0;
      if (!isHan(unit)) break;
      into.push(this.#learner.numberOf(finishCode(hashUnit(before, unit))));
      before = hashUnit(FNV_BASIS, unit);
    }
    if (this.#han !== -1) this.#han += into.length - words;
    return at;
  }

  /** Keeps the text as numbers: far faster to look at than a string that is part of another one. */
  #take(text: string): void {
    this.#text = text;
    this.#length = text.length;
    if (text.length > this.#units.length) {
      this.#units = new Uint16Array(2 * text.length);
      this.#bytes = Buffer.from(this.#units.buffer);
    }
    this.#bytes.write(text, 0, 'utf16le');
  }

  #findShort(high: number, low: number): number {
    const slots = this.#slots;
    for (let slot = hashOf(high, low) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const taken = slots[SLOT * slot] ?? 0;
      if (taken === high && slots[SLOT * slot + 1] === low) return slots[SLOT * slot + 2] ?? NO_WORD;
      if (taken === 0) return UNKNOWN;
    }
  }

  #learnShort(token: string, high: number, low: number): number {
    const word = this.#learner.learn(token);
    if (this.#count === MAX_TOKENS) return word;
    this.#count += 1;
    if (2 * this.#count > this.#mask) this.#grow();
    putToken(this.#slots, this.#mask, [high, low, word]);
    return word;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    this.#mask = 2 * this.#mask + 1;
    for (let at = 0; at < before.length; at += SLOT)
      if (before[at] !== 0)
        putToken(this.#slots, this.#mask, [before[at] ?? 0, before[at + 1] ?? 0, before[at + 2] ?? 0]);
  }
}

/** Beyond this many, tokens mostly occur once, and are learned again. */
const MAX_TOKENS = 500_000;
/** No word has this number; `NO_WORD` is an answer. */
const UNKNOWN = 0xfffffffe;
const SLOT = 3;

/** A token of 36 letters and digits as two numbers of base 37, six places each. */
const BASE = 37;
const HALF_KEY = 6;

const ASCII_SIGNS = 128;
const [FIRST_CAPITAL, LAST_CAPITAL] = [0x41, 0x5a];
const [PLUS, HASH, DOT, UNDERSCORE] = [0x2b, 0x23, 0x2e, 0x5f];

/** The number from 1 on of each letter and digit, the same for capitals; 0 for all other signs. */
const DIGITS: Uint8Array = new Uint8Array(ASCII_SIGNS);
for (const [at, sign] of Array.from('0123456789abcdefghijklmnopqrstuvwxyz').entries()) {
  DIGITS[sign.charCodeAt(0)] = at + 1;
  DIGITS[sign.toUpperCase().charCodeAt(0)] = at + 1;
}

function hashOf(high: number, low: number): number {
  const hash = Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

function putToken(slots: Uint32Array, mask: number, token: readonly [high: number, low: number, word: number]): void {
  let slot = hashOf(token[0], token[1]) & mask;
  while (slots[SLOT * slot] !== 0) slot = (slot + 1) & mask;
  slots.set(token, SLOT * slot);
}

/** `codeOf`, step by step. */
const FNV_BASIS = 0x811c9dc5;

function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function finishCode(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** C++, C#, F#, .NET and names like Node.js, whose signs belong to them: the token that stands for it, and its end. */
function readSpecial(
  text: string,
  from: number,
  to: number,
): { readonly token: string; readonly end: number } | undefined {
  const token = text.slice(from, to).toLowerCase();
  const before = from > 0 ? text.charCodeAt(from - 1) : 0;
  const after = to < text.length ? text.charCodeAt(to) : 0;
  if (token === 'net' && before === DOT && after !== UNDERSCORE && (from < 2 || digitAt(text, from - 2) === 0))
    return { token: 'dotnet', end: to };
  if (before === UNDERSCORE) return undefined;
  if (token === 'c' && text.startsWith('++', to)) return { token: 'cplusplus', end: to + 2 };
  if ((token === 'c' || token === 'f') && after === HASH) return { token: `${token}sharp`, end: to + 1 };
  return after === DOT && isDotJs(text, to) && /^[a-z]+$/.test(token)
    ? { token: `${token}js`, end: to + 3 }
    : undefined;
}

/** Is `.js` here, as the end of a word? */
function isDotJs(text: string, dot: number): boolean {
  const ending = text.slice(dot + 1, dot + 3);
  if (ending !== 'js' && ending !== 'JS' && ending !== 'Js') return false;
  if (dot + 3 >= text.length) return true;
  const next = text.charCodeAt(dot + 3);
  if (next === UNDERSCORE) return false;
  // A capital after a small letter begins a new word.
  return digitAt(text, dot + 3) === 0 || (next >= FIRST_CAPITAL && next <= LAST_CAPITAL && ending !== 'JS');
}

function digitAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < ASCII_SIGNS ? (DIGITS[unit] ?? 0) : 0;
}
