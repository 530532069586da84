import { languageOf } from './index/languages.ts';
import { likeness, toSortedSet, type SortedSet } from './index/sorted-set.ts';
import type { WordHasher } from './index/word-hasher.ts';

/** A text of a group, and how much it shares with the first text of the group: 1 is everything. */
export interface NearDuplicate {
  /** Position in the given list. */
  readonly at: number;
  readonly likeness: number;
}

/** Texts that share at least this much are nearly the same. */
const NEARLY_THE_SAME = 0.8;

/** Every run of three words in a text, as numbers. Of a shorter text, its words. */
export function runsOf(text: string, hasher: WordHasher): SortedSet {
  const { hashes } = hasher.hash(text, languageOf(text));
  if (hashes.length < 3) return toSortedSet(hashes);
  return toSortedSet(hashes.slice(2).map((hash, at) => mix(mix(hashes[at] ?? 0, hashes[at + 1] ?? 0), hash)));
}

function mix(hash: number, other: number): number {
  const mixed = Math.imul(hash ^ (other + 0x9e3779b9), 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/**
 * Groups texts that are nearly the same, given as their runs. Each text is in one group at most, and is like the first of
 * it. Exact, without comparing every text with every other: two texts that share 80 % share one of their rarest runs.
 */
export function groupNearDuplicates(texts: readonly SortedSet[]): readonly (readonly NearDuplicate[])[] {
  const frequencies = countRuns(texts);
  const groups = new Map<number, NearDuplicate[]>();
  const firstsByRun = new Map<number, number[]>();
  for (const [at, text] of texts.entries()) {
    const telling = tellingRuns(text, frequencies);
    const found = findNearest(text, new Set(telling.flatMap((run) => firstsByRun.get(run) ?? [])), texts);
    if (found !== undefined) {
      groups.get(found.at)?.push({ at, likeness: found.likeness });
      continue;
    }
    groups.set(at, [{ at, likeness: 1 }]);
    for (const run of telling) {
      const firsts = firstsByRun.get(run);
      if (firsts === undefined) firstsByRun.set(run, [at]);
      else firsts.push(at);
    }
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function findNearest(
  text: SortedSet,
  firsts: ReadonlySet<number>,
  texts: readonly SortedSet[],
): NearDuplicate | undefined {
  let best: NearDuplicate | undefined;
  for (const at of firsts) {
    const first = texts[at] ?? NOTHING;
    const [shorter, longer] = [Math.min(first.length, text.length), Math.max(first.length, text.length)];
    if (shorter < NEARLY_THE_SAME * longer) continue;
    const shared = likeness(text, first);
    const isBetter = best === undefined || shared > best.likeness || (shared === best.likeness && at < best.at);
    if (shared >= NEARLY_THE_SAME && isBetter) best = { at, likeness: shared };
  }
  return best;
}

const NOTHING: SortedSet = new Uint32Array();

/** In how many texts each run is, at most: runs may share a counter, which changes the order of rarity and no result. */
function countRuns(texts: readonly SortedSet[]): Uint32Array {
  const counts = new Uint32Array(COUNTERS);
  for (const text of texts) for (const run of text) counts[run % COUNTERS] = (counts[run % COUNTERS] ?? 0) + 1;
  return counts;
}

const COUNTERS = 2 ** 22;

/** The rarest runs of a text, of which every text nearly the same has at least one; without those of this text alone. */
function tellingRuns(text: SortedSet, frequencies: Uint32Array): readonly number[] {
  const wanted = text.length - Math.ceil(NEARLY_THE_SAME * text.length) + 1;
  const shared = text.filter((run) => (frequencies[run % COUNTERS] ?? 0) > 1);
  const alone = text.length - shared.length;
  if (alone >= wanted) return [];
  const byRarity = Float64Array.from(shared, (run) => (frequencies[run % COUNTERS] ?? 0) * RUN_RANGE + run).sort();
  return Array.from(byRarity.subarray(0, wanted - alone), (key) => key % RUN_RANGE);
}

const RUN_RANGE = 2 ** 32;
