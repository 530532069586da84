import { pairKey } from './document.ts';
import { rangeOf, rarityOf, type SearchIndex } from './search-index.ts';
import type { SortedSet } from './sorted-set.ts';
import { guessWord } from './spelling.ts';
import { codeOf, spelledWordsOf } from './words.ts';

/** A word of a request that is in the index, with its rarity and the range of its documents. */
export interface KnownWord {
  /** As the request spells it. */
  readonly spelling: string;
  readonly rarity: number;
  readonly from: number;
  readonly to: number;
}

/** A request in plain words as one index understands it. */
export interface Request {
  /** Each known word once. */
  readonly words: readonly KnownWord[];
  readonly pairs: RequestPairs;
  /** How many of its words no document has. */
  readonly unknown: number;
}

/** The pairs of neighbouring words of a request. */
export interface RequestPairs {
  /** The value of each pair for a document that has it. */
  readonly worth: ReadonlyMap<number, number>;
  /** Marks pairs of the request by their last bits, a cheap test that rules out most pairs of a document. */
  readonly marks: Uint8Array;
}

const MARKS = 4096;

/** The total value of the pairs that a document shares with a request. */
export function sharedWorth({ worth, marks }: RequestPairs, known: SortedSet): number {
  if (worth.size === 0) return 0;
  let sum = 0;
  for (let at = 0; at < known.length; at += 1) {
    const pair = known[at] ?? 0;
    if (marks[pair % MARKS] === 1) sum += worth.get(pair) ?? 0;
  }
  return sum;
}

/** Longer requests are cut: the topic is at the beginning. */
const REQUEST_CHARACTERS = 8_000;
/** In requests up to this length every word matters, so typos and prefixes are matched, too. */
const FORGIVING_WORDS = 12;

/** A word is known if a document has it; with `isWanted`, only the wanted documents count. */
export function readRequest(index: SearchIndex, text: string, isWanted?: (document: number) => boolean): Request {
  const asked = spelledWordsOf(text.slice(0, REQUEST_CHARACTERS));
  const isForgiving = asked.length <= FORGIVING_WORDS;
  const words = new Map<number, KnownWord>();
  const worth = new Map<number, number>();
  const unknown = new Set<string>();
  let before: number | undefined;
  for (const { word, spelling } of asked) {
    const code = findCode(index, word, { isForgiving, isWanted });
    if (code === undefined) unknown.add(word);
    else if (!words.has(code)) {
      const [from, to] = rangeOf(index, code);
      words.set(code, { spelling, from, to, rarity: rarityOf(index, code) });
    }
    if (code !== undefined && before !== undefined) {
      worth.set(pairKey(before, code), (words.get(before)?.rarity ?? 0) + (words.get(code)?.rarity ?? 0));
    }
    before = code;
  }
  const pairs = { worth, marks: markPairs(worth.keys()) };
  return { words: [...words.values()], pairs, unknown: unknown.size };
}

function markPairs(pairs: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(MARKS);
  for (const pair of pairs) marks[pair % MARKS] = 1;
  return marks;
}

/** The code of the word, or of the known word that was probably meant. */
function findCode(index: SearchIndex, word: string, { isForgiving, isWanted }: Finding): number | undefined {
  const countOf = (known: string): number => countHolders(index, known, { isWanted });
  if (countHolders(index, word, { isWanted, most: 1 }) > 0) return codeOf(word);
  const meant = isForgiving ? guessWord(index.lexicon, word, countOf) : undefined;
  return meant === undefined ? undefined : codeOf(meant);
}

interface Finding {
  readonly isForgiving: boolean;
  readonly isWanted: ((document: number) => boolean) | undefined;
}

interface Counting extends Pick<Finding, 'isWanted'> {
  /** Stops counting here. */
  readonly most?: number;
}

/** How many wanted documents have a word. */
function countHolders(
  index: SearchIndex,
  word: string,
  { isWanted, most = Number.POSITIVE_INFINITY }: Counting,
): number {
  const [from, to] = rangeOf(index, codeOf(word));
  if (isWanted === undefined) return to - from;
  let count = 0;
  for (const document of index.holders.values.range(from, to)) {
    if (isWanted(document)) count += 1;
    if (count === most) break;
  }
  return count;
}
