import { languageOf, type Language } from '../index/languages.ts';
import { codeOf, formsOf, hasNothingToFold, isWide, isWord, pairsOf, stem, tokensOf } from '../index/words.ts';
import { NumberList } from './number-list.ts';
import { NO_WORD, PlainWordReader, type WordLearner } from './plain-words.ts';
import { openWordNumbers, type WordNumbers } from './word-numbers.ts';

/** How many words of a text are of a kind. */
export interface WordReading {
  /** Those of another language in its form. */
  readonly second: number;
  /** Pairs of Han; undefined if the text has other signs that are read in pairs, or may have. */
  readonly han: number | undefined;
}

/** Reads the words of texts as numbers, with the rules of `wordsOf`. A word seen before costs one lookup. */
export interface WordReader {
  /** Appends the words of a text; those of another language also in its form. */
  read(text: string, into: NumberList, language?: Language): WordReading;
  /** The words of a short text that is read often, such as a word of a dictionary. */
  wordsOf(text: string): Uint32Array;
  codesOf(text: string): readonly number[];
  /** The words by their numbers. */
  readonly numbers: WordNumbers;
  /** The words that were learned since the last call, as the index spells them. */
  takeLearned(): readonly string[];
}

/** Maximum number of tokens to remember. Beyond it, tokens mostly occur once. */
const KNOWN_TOKENS = 500_000;
/** `decompose` cuts what grows beyond its limit, which a shorter text cannot. */
const NEVER_CUT = 16_384;

export function openWordReader(): WordReader {
  const tokens = new TokenWords();
  const { numbers } = tokens;
  const plain = new PlainWordReader(tokens);
  const often = new Map<string, Uint32Array>();
  const read: WordReader['read'] = (text, into, language) => {
    if (language !== undefined) return { second: tokens.readOther(text, into, language), han: undefined };
    if (text.length > NEVER_CUT && !hasNothingToFold(text)) {
      tokens.readFolded(text, into);
      return { second: 0, han: undefined };
    }
    const han = plain.read(text, into);
    return { second: 0, han: han === -1 ? undefined : han };
  };
  return {
    numbers,
    read,
    wordsOf(text) {
      const before = often.get(text);
      if (before !== undefined) return before;
      const found = new NumberList();
      read(text, found);
      often.set(text, found.copy());
      return found.copy();
    },
    codesOf(text) {
      const found = new NumberList();
      read(text, found, languageOf(text));
      return Array.from(found.view(), (number) => numbers.codeOf(number));
    },
    takeLearned: () => tokens.takeLearned(),
  };
}

/** The words of tokens, with their numbers. */
class TokenWords implements WordLearner {
  readonly numbers: WordNumbers = openWordNumbers();
  readonly #known = new Map<string, number>();
  readonly #words = new Set<string>();
  #learned: string[] = [];

  numberOf(code: number): number {
    return this.numbers.numberOf(code);
  }

  learn(token: string): number {
    return isWord(token) ? this.#learnWord(stem(token)) : NO_WORD;
  }

  readFolded(text: string, into: NumberList): void {
    for (const token of tokensOf(text)) {
      if (isWide(token)) this.#pushPairs(token, into);
      else {
        const word = this.#find(token);
        if (word !== NO_WORD) into.push(word);
      }
    }
  }

  /** Appends the words of a text in another language, also in its form; returns how many are in it. */
  readOther(text: string, into: NumberList, language: Language): number {
    let second = 0;
    for (const token of tokensOf(text)) {
      if (isWide(token)) this.#pushPairs(token, into);
      else {
        const forms = formsOf(token, language);
        for (const word of forms) into.push(this.#learnWord(word));
        second += Number(forms.length > 1);
      }
    }
    return second;
  }

  takeLearned(): readonly string[] {
    const taken = this.#learned;
    this.#learned = [];
    return taken;
  }

  #find(token: string): number {
    const word = this.#known.get(token) ?? this.learn(token);
    if (this.#known.size < KNOWN_TOKENS) this.#known.set(token, word);
    return word;
  }

  #learnWord(word: string): number {
    if (!this.#words.has(word)) {
      this.#words.add(word);
      this.#learned.push(word);
    }
    return this.numbers.numberOf(codeOf(word));
  }

  #pushPairs(token: string, into: NumberList): void {
    for (const pair of pairsOf(token)) into.push(this.numbers.numberOf(codeOf(pair)));
  }
}
