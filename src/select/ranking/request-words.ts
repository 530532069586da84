import { hashWord, wordsOf } from '../index/words.ts';

/** The topic is at the beginning of a request. */
const MOST_CHARACTERS = 8_000;
const MOST_WORDS = 48;

/** The words of a request as numbers, each once. They tell whether a known word is among them, and not the text. */
export function hashWords(request: string): readonly number[] {
  return [...new Set(wordsOf(request.slice(0, MOST_CHARACTERS)).map(hashWord))].slice(0, MOST_WORDS);
}
