import { languageOf, lightStems } from '../index/languages.ts';
import { findWord, rarityIn, type SearchIndex, type WordRange } from '../index/search-index.ts';
import { guessWord } from '../index/spelling.ts';
import { codeOf, formsOf, spelledWordsOf, type SpelledWord } from '../index/words.ts';
import { emphasisOf, type WordTraits } from './emphasis.ts';
import { splitRuledOut } from './negation.ts';
import { pairUp, type RequestPairs } from './request-pairs.ts';
import { standingsOf, type WordStanding } from './standing.ts';

/** A word of a request that is in the index, with the range of its documents and what it weighs. */
export interface KnownWord {
  /** As the request spells it. */
  readonly spelling: string;
  readonly code: number;
  readonly from: number;
  readonly to: number;
  readonly rarity: number;
  /** Its rarity, less where it comes late: people begin with what they want. */
  readonly early: number;
  readonly emphasis: number;
  readonly traits: WordTraits;
}

/** A request in plain words as one index understands it. */
export interface Request {
  /** Each known word once. */
  readonly words: readonly KnownWord[];
  readonly pairs: RequestPairs;
  /** How many of its words no document has. */
  readonly unknown: number;
}

/** Longer requests are cut: the topic is at the beginning. */
const REQUEST_CHARACTERS = 8_000;
/** In requests up to this length every word matters, so typos and prefixes are matched, too. */
const FORGIVING_WORDS = 12;

/** A word at this place in a request counts half as much as the first one. */
const HALF_AT = 25;

/** The share that a word keeps if the request rules it out: it is often part of the topic. */
const RULED_OUT_SHARE = 0.2;

/** A word is known if a document has it; with `isWanted`, only the wanted documents count. */
export function readRequest(index: SearchIndex, text: string, isWanted?: (document: number) => boolean): Request {
  const cut = text.slice(0, REQUEST_CHARACTERS);
  const language = languageOf(cut);
  const isKnown = (word: string): boolean => countHolders(index, word, { isWanted, most: 1 }) > 0;
  const asked = splitRuledOut(cut).flatMap(({ text: piece, isRuledOut }) =>
    spelledWordsOf(piece, language)
      .flatMap((each) => (language === 'de' ? splitCompound(each, isKnown) : each))
      .map((each) => ({ ...each, isRuledOut })),
  );
  const lastSentence = asked.length - spelledWordsOf(cut.slice(startOfLastSentence(cut)), language).length;
  const isForgiving = asked.length <= FORGIVING_WORDS;
  const codes = new Map<string, number | undefined>();
  for (const { word } of asked) if (!codes.has(word)) codes.set(word, findCode(index, word, { isForgiving, isWanted }));
  const times = countEach(asked.map(({ word }) => codes.get(word)));
  const standings = standingsOf(cut);
  const words = new Map<number, KnownWord>();
  for (const [position, { word, spelling, isRuledOut }] of asked.entries()) {
    const code = codes.get(word);
    if (code === undefined || words.has(code)) continue;
    const at = {
      position,
      count: asked.length,
      isInLastSentence: position >= lastSentence,
      times: times.get(code) ?? 1,
      ...(standings.get(spelling) ?? NO_STANDING),
    };
    words.set(code, weighWord(index, { code, spelling, isRuledOut }, at));
  }
  const unknown = countUnknown(asked, codes);
  const listed = [...words.values()];
  const places = new Map(listed.map(({ code }, at) => [code, at]));
  const sequence = asked.map(({ word }) => places.get(codes.get(word) ?? -1));
  return { words: listed, pairs: pairUp(sequence, listed), unknown };
}

/** How many words are in no form in the index. */
function countUnknown(asked: readonly SpelledWord[], codes: ReadonlyMap<string, number | undefined>): number {
  const known = new Set(asked.filter(({ word }) => codes.get(word) !== undefined).map(({ spelling }) => spelling));
  return new Set(asked.map(({ spelling }) => spelling).filter((spelling) => !known.has(spelling))).size;
}

/** "Rechnungserstellung" as "Rechnung" and "Erstellung", if skills have both and not the whole. */
function splitCompound(asked: SpelledWord, isKnown: (word: string) => boolean): readonly SpelledWord[] {
  const { word, spelling } = asked;
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
  { code, spelling, isRuledOut }: Pick<KnownWord, 'code' | 'spelling'> & { readonly isRuledOut: boolean },
  standing: TraitsInRequest,
): KnownWord {
  const { from, to, closeHolders, nameHolders } = findWord(index, code) ?? NOWHERE;
  const rarity = rarityIn(index, to - from) * (isRuledOut ? RULED_OUT_SHARE : 1);
  const traits: WordTraits = {
    ...standing,
    rarity,
    hasDigit: /\d/.test(spelling),
    length: spelling.length,
    holders: to - from,
    closeHolders,
    nameHolders,
  };
  const early = rarity / (1 + standing.position / HALF_AT);
  return { spelling, code, from, to, rarity, early, emphasis: emphasisOf(traits), traits };
}

const NOWHERE: WordRange = { from: 0, to: 0, closeHolders: 0, nameHolders: 0 };

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

/** The code of the word, or of the known word that was probably meant. */
function findCode(index: SearchIndex, word: string, { isForgiving, isWanted }: Finding): number | undefined {
  const countOf = (known: string): number => countHolders(index, known, { isWanted });
  if (countHolders(index, word, { isWanted, most: 1 }) > 0) return codeOf(word);
  if (!isForgiving) return undefined;
  const lexicons = [index.lexicon, ...(index.layer === undefined ? [] : [index.layer.lexicon])];
  const meant = lightStems(word).find((root) => countOf(root) > 0) ?? guessWord(lexicons, word, countOf);
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
  const { from, to } = findWord(index, codeOf(word)) ?? NOWHERE;
  if (isWanted === undefined) return to - from;
  let count = 0;
  for (const document of index.holders.values.range(from, to)) {
    if (isWanted(document)) count += 1;
    if (count === most) break;
  }
  return count;
}
