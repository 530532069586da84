import type { Language } from './languages.ts';
import { formsOf, hashWord, isWide, pairsOf, tokensOf } from './words.ts';

/** The words of a text as hashes, in their order. */
export interface HashedWords {
  readonly hashes: readonly number[];
  /** How many words that is: a word that another language gives a second form counts once. */
  readonly length: number;
}

/** Hashes the words of texts, with the rules of `wordsOf`. */
export interface WordHasher {
  hash(text: string, language?: Language): HashedWords;
  /** Every word that was hashed, as the index spells it. Pairs of Chinese, Japanese and Korean characters are left out. */
  readonly words: ReadonlySet<string>;
}

/** Remembers every token: skills repeat each other's words. */
export function openWordHasher(): WordHasher {
  const words = new Set<string>();
  const known = new Map<string, HashedWords>();
  const hashToken = (token: string, language: Language | undefined): HashedWords => {
    if (isWide(token)) {
      const hashes = pairsOf(token).map(hashWord);
      return { hashes, length: hashes.length };
    }
    const forms = formsOf(token, language);
    for (const form of forms) words.add(form);
    return { hashes: forms.map(hashWord), length: Math.min(1, forms.length) };
  };
  return {
    words,
    hash(text, language) {
      const hashes: number[] = [];
      let length = 0;
      for (const token of tokensOf(text)) {
        const key = language === undefined ? token : `${token} ${language}`;
        let hashed = known.get(key);
        if (hashed === undefined) known.set(key, (hashed = hashToken(token, language)));
        for (const hash of hashed.hashes) hashes.push(hash);
        length += hashed.length;
      }
      return { hashes, length };
    },
  };
}
