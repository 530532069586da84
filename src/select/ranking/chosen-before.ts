import type { Memory } from '../../usage/usage-store.ts';
import { rarityOf, type SearchIndex } from '../index/search-index.ts';
import { confidencesOf } from './confidence.ts';
import { scoreOf, type Relevance } from './relevance.ts';
import { hashWords } from './request-words.ts';
import type { Request } from './request.ts';

export interface PastChoices {
  readonly index: SearchIndex;
  readonly request: Request;
  /** The request's text. */
  readonly text: string;
  readonly memory: Memory;
  /** The names by which a document is known. */
  readonly namesOf: (document: number) => readonly string[];
}

/** The points of a skill that was used after a request with the very same words, and that nothing speaks against. */
const MOST_POINTS = 18;

/**
 * Raises documents that were used after similar requests. Nothing is added to the list, and nothing is taken off. A word that
 * many skills are remembered by says little. Points are few where the skill is far behind, or where the first result is
 * certainly right. The more often every word of the request was said before, the less that holds them back: a habit wins.
 */
export function preferChosen(ranked: readonly Relevance[], past: PastChoices): readonly Relevance[] {
  const { index, request, text, memory, namesOf } = past;
  const [first] = ranked;
  if (first === undefined || memory.size === 0) return ranked;
  const [confidence = 0] = confidencesOf(ranked.slice(0, RIVALS), request, index);
  const words = weighWords(index, request, text);
  const shares = countShares(memory);
  const changed = ranked.map((relevance) => {
    const known = namesOf(relevance.document).flatMap((name) => memory.get(name) ?? [])[0];
    if (known === undefined) return relevance;
    const { value, least, times } = compare(words, known, shares);
    const habit = 1 - 1 / Math.max(1, least);
    const doubt = (1 - confidence * (1 - habit)) ** 2;
    const closeness = 1 - (1 - relevance.sum / first.sum) * (1 - habit);
    const points = value * (MOST_POINTS * doubt * closeness + habit * (first.sum - relevance.sum));
    const sum = relevance.sum + points;
    return { ...relevance, sum, score: scoreOf(sum), chosen: { times, value, points } };
  });
  return changed.sort((a, b) => b.score - a.score || a.document - b.document);
}

/** So many results tell how sure the first one is. */
const RIVALS = 10;

type WeighedWord = readonly [hash: number, share: number];

/** Every word of the request with its share of the whole, also those that no skill has. */
function weighWords(index: SearchIndex, request: Request, text: string): readonly WeighedWord[] {
  const known = new Map(request.words.map(({ hash, rarity }) => [hash, rarity]));
  const rarity = (hash: number): number => known.get(hash) ?? rarityOf(index, hash);
  const weighed = hashWords(text).map((hash) => [hash, rarity(hash)] as const);
  const total = weighed.reduce((sum, [, weight]) => sum + weight, 0);
  return total === 0 ? [] : weighed.map(([hash, weight]) => [hash, weight / total]);
}

/** How many skills are remembered by each word. */
function countShares(memory: Memory): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const words of memory.values()) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function compare(
  words: readonly WeighedWord[],
  known: ReadonlyMap<number, number>,
  shares: ReadonlyMap<number, number>,
): Record<'value' | 'least' | 'times', number> {
  let [value, least, times] = [0, Number.POSITIVE_INFINITY, 0];
  for (const [hash, share] of words) {
    const weight = known.get(hash) ?? 0;
    least = Math.min(least, weight);
    if (weight === 0) continue;
    value += (share * Math.min(1, weight)) / (shares.get(hash) ?? 1);
    times = Math.max(times, weight);
  }
  return { value, least, times: Math.max(1, Math.round(times)) };
}

/** Says that learning raised a result. */
export function explainChosen(times: number): string {
  return times === 1 ? 'chosen before for a similar request' : `chosen before for similar requests, ${times} times`;
}
