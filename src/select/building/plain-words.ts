import type { NumberList } from './number-list.ts';

/** Gives the number of the word of a token in lower case, or `NO_WORD`. */
export type TokenLearner = (token: string) => number;

export const NO_WORD = 0xffffffff;

/**
 * Reads texts with nothing to fold, with the rules of `wordsOf`, in one pass. A token seen before is known by its bytes,
 * so that no string is made for it.
 */
export class PlainWordReader {
  readonly #learn: TokenLearner;
  /** The bytes of all tokens, one after the other. */
  #bytes = new Uint8Array(1 << 17);
  /** For each token: where its bytes start (and the last one's end), its hash, and its word. */
  #starts = new Uint32Array(1 << 13);
  #hashes = new Uint32Array(1 << 13);
  #words = new Uint32Array(1 << 13);
  /** A hash table: the number and 1 of the token whose hash leads here; 0 for none. Never more than half full. */
  #slots = new Uint32Array(1 << 14);
  #count = 0;

  constructor(learn: TokenLearner) {
    this.#learn = learn;
  }

  /** Appends the numbers of the words of a text. Signs beyond ASCII are blanks. */
  read(text: string, numbers: NumberList): void {
    const { length } = text;
    for (let at = 0; at < length;) {
      if (lowerAt(text, at) === 0) {
        at += 1;
        continue;
      }
      this.#reserve(length - at);
      const bytes = this.#bytes;
      const start = this.#starts[this.#count] ?? 0;
      const from = at;
      let end = start;
      let wasLow = false;
      for (; at < length; at += 1) {
        const sign = text.charCodeAt(at);
        const lower = sign < ASCII_SIGNS ? (LOWER[sign] ?? 0) : 0;
        if (lower === 0) break;
        // A capital after a small letter begins a new word.
        if (lower === sign) wasLow = true;
        else if (wasLow) break;
        bytes[end] = lower;
        end += 1;
      }
      const sign = at < length ? text.charCodeAt(at) : 0;
      const isSpecial =
        sign === DOT || sign === HASH || sign === PLUS || (from > 0 && text.charCodeAt(from - 1) === DOT);
      const special = isSpecial ? readSpecial(text, from, at) : undefined;
      if (special !== undefined) {
        for (let nth = 0; nth < special.token.length; nth += 1) bytes[start + nth] = special.token.charCodeAt(nth);
        end = start + special.token.length;
        at = special.end;
      }
      const word = this.#find(start, end);
      if (word !== NO_WORD) numbers.push(word);
    }
  }

  /** The word of the token that was written behind all others. */
  #find(start: number, end: number): number {
    const bytes = this.#bytes;
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let taken = this.#slots[slot] ?? 0; taken !== 0; taken = this.#slots[slot] ?? 0) {
      if (this.#hashes[taken - 1] === hash && this.#isSame(taken - 1, start, end))
        return this.#words[taken - 1] ?? NO_WORD;
      slot = (slot + 1) & mask;
    }
    const word = this.#learn(Buffer.from(bytes.buffer, start, end - start).toString('latin1'));
    if (this.#count < MAX_TOKENS) this.#keep(slot, { hash, word, end });
    return word;
  }

  #isSame(token: number, start: number, end: number): boolean {
    const bytes = this.#bytes;
    const own = this.#starts[token] ?? 0;
    if ((this.#starts[token + 1] ?? 0) - own !== end - start) return false;
    for (let at = 0; at < end - start; at += 1) if (bytes[own + at] !== bytes[start + at]) return false;
    return true;
  }

  #keep(
    slot: number,
    { hash, word, end }: { readonly hash: number; readonly word: number; readonly end: number },
  ): void {
    this.#hashes[this.#count] = hash;
    this.#words[this.#count] = word;
    this.#count += 1;
    this.#slots[slot] = this.#count;
    this.#starts[this.#count] = end;
    if (this.#count + 1 < this.#starts.length) return;
    this.#starts = grow(this.#starts);
    this.#hashes = grow(this.#hashes);
    this.#words = grow(this.#words);
    this.#slots = new Uint32Array(2 * this.#starts.length);
    const mask = this.#slots.length - 1;
    for (let token = 0; token < this.#count; token += 1) {
      let free = (this.#hashes[token] ?? 0) & mask;
      while (this.#slots[free] !== 0) free = (free + 1) & mask;
      this.#slots[free] = token + 1;
    }
  }

  /** Makes room for a token of so many signs, and what may stand for it. */
  #reserve(signs: number): void {
    const needed = (this.#starts[this.#count] ?? 0) + Math.max(signs + 2, LONGEST_SPECIAL);
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * needed);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Beyond this many, tokens mostly occur once, and are learned again. */
const MAX_TOKENS = 500_000;

const ASCII_SIGNS = 128;
const [PLUS, HASH, DOT, UNDERSCORE] = [0x2b, 0x23, 0x2e, 0x5f];

/** The small form of each letter and digit; 0 for all other signs. */
const LOWER: Uint8Array = new Uint8Array(ASCII_SIGNS);
for (const sign of '0123456789abcdefghijklmnopqrstuvwxyz') {
  LOWER[sign.charCodeAt(0)] = sign.charCodeAt(0);
  LOWER[sign.toUpperCase().charCodeAt(0)] = sign.charCodeAt(0);
}

function lowerAt(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  return sign < ASCII_SIGNS ? (LOWER[sign] ?? 0) : 0;
}

function grow(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}

const LONGEST_SPECIAL = 'cplusplus'.length;

/** C++, C#, F#, .NET and names like Node.js, whose signs belong to them: the token that stands for it, and its end. */
function readSpecial(
  text: string,
  from: number,
  to: number,
): { readonly token: string; readonly end: number } | undefined {
  const token = text.slice(from, to).toLowerCase();
  const before = from > 0 ? text.charCodeAt(from - 1) : 0;
  const after = to < text.length ? text.charCodeAt(to) : 0;
  if (token === 'net' && before === DOT && after !== UNDERSCORE && (from < 2 || lowerAt(text, from - 2) === 0))
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
  const next = dot + 3 < text.length ? text.charCodeAt(dot + 3) : 0;
  if (next === UNDERSCORE) return false;
  const lower = next < ASCII_SIGNS ? (LOWER[next] ?? 0) : 0;
  // A capital after a small letter begins a new word.
  return lower === 0 || (lower !== next && ending !== 'JS');
}
