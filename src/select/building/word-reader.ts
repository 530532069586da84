import { languageOf, type Language } from '../index/languages.ts';
import { codeOf, formsOf, hasNothingToFold, isWide, isWord, pairsOf, stem, tokensOf } from '../index/words.ts';
import { NumberList } from './number-list.ts';
import { NO_WORD, PlainWordReader } from './plain-words.ts';
import { openWordNumbers, type WordNumbers } from './word-numbers.ts';

/** Reads the words of texts as numbers, with the rules of `wordsOf`. A word seen before costs one lookup. */
export interface WordReader {
  /** Appends the words of a text; those of another language also in its form. Returns how many are such second forms. */
  read(text: string, into: NumberList, language?: Language): number;
  codesOf(text: string): readonly number[];
  /** The words by their numbers. */
  readonly numbers: WordNumbers;
  /** The words that were learned since the last call, as the index spells them. */
  takeLearned(): readonly string[];
}

/** Maximum number of tokens to remember. Beyond it, tokens mostly occur once. */
const KNOWN_TOKENS = 500_000;

export function openWordReader(): WordReader {
  const numbers = openWordNumbers();
  const known = new Map<string, number>();
  const words = new Set<string>();
  let learned: string[] = [];
  const learn = (token: string): number => (isWord(token) ? learnWord(stem(token)) : NO_WORD);
  const learnWord = (word: string): number => {
    if (!words.has(word)) {
      words.add(word);
      learned.push(word);
    }
    return numbers.numberOf(codeOf(word));
  };
  const plain = new PlainWordReader(learn);
  const find = (token: string): number => {
    const word = known.get(token) ?? learn(token);
    if (known.size < KNOWN_TOKENS) known.set(token, word);
    return word;
  };
  const read: WordReader['read'] = (text, into, language) => {
    if (language === undefined && hasNothingToFold(text)) {
      plain.read(text, into);
      return 0;
    }
    let second = 0;
    for (const token of tokensOf(text)) {
      if (isWide(token)) for (const pair of pairsOf(token)) into.push(numbers.numberOf(codeOf(pair)));
      else if (language === undefined) {
        const word = find(token);
        if (word !== NO_WORD) into.push(word);
      } else {
        const forms = formsOf(token, language);
        for (const word of forms) into.push(learnWord(word));
        second += Number(forms.length > 1);
      }
    }
    return second;
  };
  return {
    numbers,
    read,
    codesOf(text) {
      const found = new NumberList();
      read(text, found, languageOf(text));
      return Array.from(found.view(), (number) => numbers.codeOf(number));
    },
    takeLearned() {
      const taken = learned;
      learned = [];
      return taken;
    },
  };
}
