import { PLACES } from '../index/document.ts';
import { languageOf, lightStems } from '../index/languages.ts';
import { findWord, type WordRange } from '../index/postings.ts';
import { rarityIn, type SearchIndex } from '../index/search-index.ts';
import { guessWord } from '../index/spelling.ts';
import { hashWord, formsOf, spelledWordsOf, type SpelledWord } from '../index/words.ts';
import { emphasisOf, standingsOf, type WordStanding, type WordTraits } from './emphasis.ts';
import { splitRuledOut } from './negation.ts';
import { pairUp, type RequestPair } from './request-pairs.ts';

/** An indexed request word, with the range of its documents and its weight. */
export interface KnownWord {
  /** As the request spells it. */
  readonly spelling: string;
  readonly hash: number;
  readonly from: number;
  readonly to: number;
  readonly rarity: number;
  /** Its rarity, reduced for later words: people state the task first. */
  readonly positionWeight: number;
  readonly emphasis: number;
  readonly traits: WordTraits;
}

/** A request in plain words as one index understands it. */
export interface Request {
  /** Each known word once. */
  readonly words: readonly KnownWord[];
  readonly pairs: readonly RequestPair[];
  /** How many of its words no document has. */
  readonly unknown: number;
}

/** Longer requests are cut: the topic is at the beginning. */
const REQUEST_CHARACTERS = 8_000;
/** Up to this request length every word matters, so typos and prefixes are matched. */
const FORGIVING_WORDS = 12;

/** A word at this place in a request counts half as much as the first one. */
const HALF_AT = 25;

/** The share that a word keeps if the request rules it out: it is often part of the topic. */
const RULED_OUT_SHARE = 0.2;

/** A word is known if a document has it; with `isWanted`, only the wanted documents count. */
export function readRequest(index: SearchIndex, text: string, isWanted?: (document: number) => boolean): Request {
  const cut = text.slice(0, REQUEST_CHARACTERS);
  const language = languageOf(cut);
  const countOf = (word: string): number => countHolders(index, word, isWanted);
  const asked = splitRuledOut(cut).flatMap(({ text: piece, isRuledOut }) =>
    spelledWordsOf(piece, language)
      .flatMap((each) => (language === 'de' ? splitCompound(each, countOf) : each))
      .map((each) => ({ ...each, isRuledOut })),
  );
  const lastSentence = asked.length - spelledWordsOf(cut.slice(startOfLastSentence(cut)), language).length;
  const isForgiving = asked.length <= FORGIVING_WORDS;
  const hashes = new Map<string, number | undefined>();
  for (const { word } of asked)
    if (!hashes.has(word)) {
      const meant = countOf(word) > 0 ? word : isForgiving ? guessMeant(index, word, countOf) : undefined;
      hashes.set(word, meant === undefined ? undefined : hashWord(meant));
    }
  const times = countEach(asked.map(({ word }) => hashes.get(word)));
  const standings = standingsOf(cut);
  const words = new Map<number, KnownWord>();
  for (const [position, { word, spelling, isRuledOut }] of asked.entries()) {
    const hash = hashes.get(word);
    if (hash === undefined || words.has(hash)) continue;
    const at = {
      position,
      count: asked.length,
      isInLastSentence: position >= lastSentence,
      times: times.get(hash) ?? 1,
      ...(standings.get(spelling) ?? NO_STANDING),
    };
    words.set(hash, weighWord(index, { hash, spelling, isRuledOut }, at));
  }
  const unknown = countUnknown(asked, hashes);
  const listed = [...words.values()];
  const places = new Map(listed.map(({ hash }, at) => [hash, at]));
  const sequence = asked.map(({ word }) => places.get(hashes.get(word) ?? -1));
  return { words: listed, pairs: pairUp(sequence, listed), unknown };
}

/** How many words are in no form in the index. */
function countUnknown(asked: readonly SpelledWord[], hashes: ReadonlyMap<string, number | undefined>): number {
  const known = new Set(asked.filter(({ word }) => hashes.get(word) !== undefined).map(({ spelling }) => spelling));
  return new Set(asked.map(({ spelling }) => spelling).filter((spelling) => !known.has(spelling))).size;
}

/** "Rechnungserstellung" as "Rechnung" and "Erstellung", if skills have both and not the whole. */
function splitCompound(asked: SpelledWord, countOf: (word: string) => number): readonly SpelledWord[] {
  const { word, spelling } = asked;
  const isKnown = (part: string): boolean => countOf(part) > 0;
  if (spelling.length < 2 * LEAST_PART || !/^[a-z]+$/.test(spelling) || isKnown(word)) return [asked];
  for (let at = spelling.length - LEAST_PART; at >= LEAST_PART; at -= 1) {
    const [front, back] = [spelling.slice(0, at), spelling.slice(at)];
    const first = [front, front.replace(/(?:e?s|e?n)$/, '')].flatMap((part) => formsOf(part, 'de')).find(isKnown);
    const second = formsOf(back, 'de').find(isKnown);
    if (first !== undefined && second !== undefined) return [first, second].map((part) => ({ word: part, spelling }));
  }
  return [asked];
}

const LEAST_PART = 4;

const NO_STANDING: WordStanding = { isAskedFor: false, isNamed: false };

type TraitsInRequest = WordStanding & Pick<WordTraits, 'position' | 'count' | 'isInLastSentence' | 'times'>;

function weighWord(
  index: SearchIndex,
  { hash, spelling, isRuledOut }: Pick<KnownWord, 'hash' | 'spelling'> & { readonly isRuledOut: boolean },
  standing: TraitsInRequest,
): KnownWord {
  const { from, to } = findWord(index, hash) ?? NOWHERE;
  const rarity = rarityIn(index, to - from) * (isRuledOut ? RULED_OUT_SHARE : 1);
  const traits: WordTraits = {
    ...standing,
    rarity,
    hasDigit: /\d/.test(spelling),
    length: spelling.length,
    holders: to - from,
    metadataHolders: countPlace(index, { from, to }, PLACES.metadata),
    nameHolders: countPlace(index, { from, to }, PLACES.name),
  };
  const positionWeight = rarity / (1 + standing.position / HALF_AT);
  return { spelling, hash, from, to, rarity, positionWeight, emphasis: emphasisOf(traits), traits };
}

const NOWHERE: WordRange = { from: 0, to: 0 };

/** In how many documents a word is in this place. */
function countPlace({ places }: SearchIndex, { from, to }: WordRange, place: number): number {
  let count = 0;
  for (let row = from; row < to; row += 1) if (((places[row] ?? 0) & place) !== 0) count += 1;
  return count;
}

function startOfLastSentence(text: string): number {
  const trimmed = text.trimEnd();
  const ends = /[.!?\n\u3002\uff01\uff1f](?=\s|[^\s.!?]*[^\x00-\x7f])/g;
  let start = 0;
  for (const { index } of trimmed.matchAll(ends)) if (index < trimmed.length - 1) start = index + 1;
  return start;
}

function countEach<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The known word that an unknown one was probably meant as. */
function guessMeant(index: SearchIndex, word: string, countOf: (known: string) => number): string | undefined {
  return lightStems(word).find((root) => countOf(root) > 0) ?? guessWord(index.lexicon, word, countOf);
}

/** How many wanted documents have a word. */
function countHolders(index: SearchIndex, word: string, isWanted: ((document: number) => boolean) | undefined): number {
  const { from, to } = findWord(index, hashWord(word)) ?? NOWHERE;
  if (isWanted === undefined) return to - from;
  let count = 0;
  for (const document of index.documents.subarray(from, to)) if (isWanted(document)) count += 1;
  return count;
}
