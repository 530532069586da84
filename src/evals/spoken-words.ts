import { once } from '../model/once.ts';
import { isWord, stem, tokensOf, wordsOf } from '../select/index/words.ts';

/** A word of a request as a person typed it, and the words by which the index knows it. */
export interface SpokenWord {
  readonly spelling: string;
  /** The same for all forms of the word. */
  readonly key: string;
  readonly indexed: readonly string[];
}

/**
 * The words of a text as they are typed, without stop words. Chinese and Japanese are split into words, where the index
 * has pairs of characters; single characters say too little.
 */
export function spokenWordsOf(text: string): readonly SpokenWord[] {
  return (text.match(TYPED) ?? []).flatMap((typed) => {
    if (WIDE.test(typed)) return splitWide(typed);
    const tokens = tokensOf(typed);
    return tokens.filter(isWord).map((token) => {
      const key = stem(token);
      return { spelling: tokens.length === 1 ? typed : token, key, indexed: [key] };
    });
  });
}

/** Names that end or begin with a sign are whole: C++, C#, .NET, Node.js. */
const TYPED = /(?<![\p{L}\p{N}])(?:\.net\b|c\+\+|[cf]#)|[\p{L}\p{M}\p{N}]+(?:\.js\b)?/giu;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const segmenter = once(() => new Intl.Segmenter('zh', { granularity: 'word' }));

function splitWide(typed: string): readonly SpokenWord[] {
  const segments = Array.from(segmenter().segment(typed), ({ segment }) => segment);
  return segments
    .filter((segment) => Array.from(segment).length > 1)
    .map((segment) => ({ spelling: segment, key: segment.toLowerCase(), indexed: wordsOf(segment) }));
}
