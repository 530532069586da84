import type { Column } from './column.ts';
import { PLACES } from './document.ts';
import type { Lists } from './lists.ts';
import { findWord, type SearchIndex, type WordRange } from './search-index.ts';

/** Two indexes that are searched as one. */
export interface Layers {
  readonly base: SearchIndex;
  /** For each document of `base`: 1 if it is gone. */
  readonly gone: Uint8Array;
  /** A small one. Its documents are numbered after those of `base`. */
  readonly fresh: SearchIndex;
}

/**
 * The index of all documents of both that are not gone. It answers exactly as one that was built of them, and making it takes
 * no longer than the changes are many: the documents of a word are put together when the word is first asked for. It can be
 * searched, but not be kept or built upon.
 */
export function layerIndex({ base, gone, fresh }: Layers): SearchIndex {
  const size = base.versions.count + fresh.versions.count;
  const rows = openMergedRows({ base, gone, fresh });
  return {
    ...base,
    versions: { ...base.versions, count: size },
    holders: { starts: base.holders.starts, values: rows.over('values', base.holders.values) },
    impacts: rows.over('impacts', base.impacts),
    places: rows.over('places', base.places),
    sections: rows.over('sections', base.sections),
    name: stackLists(base.name, fresh.name),
    close: stackLists(base.close, fresh.close),
    closePairs: stackLists(base.closePairs, fresh.closePairs),
    farPairs: stackLists(base.farPairs, fresh.farPairs),
    layer: {
      count: size - countGone(gone),
      lexicon: fresh.lexicon,
      findWord: rows.findWord,
    },
  };
}

function countGone(gone: Uint8Array): number {
  let count = 0;
  for (const each of gone) count += each;
  return count;
}

/** The rows of one word. */
interface MergedRows {
  readonly values: Uint32Array;
  readonly impacts: Uint8Array;
  readonly places: Uint8Array;
  readonly sections: Uint32Array;
}

interface Merging {
  readonly findWord: (code: number) => WordRange | undefined;
  /** A column of the base, with the merged rows behind its end. */
  readonly over: <Name extends keyof MergedRows>(
    name: Name,
    below: Column<MergedRows[Name]>,
  ) => Column<MergedRows[Name]>;
}

/** Rows of words that both layers have, or whose documents are partly gone. Ranges are always those of whole words. */
function openMergedRows(layers: Layers): Merging {
  const { base, gone, fresh } = layers;
  const known = new Map<number, WordRange | undefined>();
  const merged = new Map<number, MergedRows>();
  const hasGone = gone.includes(1);
  // Above every range of the base, also above the empty one of a word that none has.
  let end = base.holders.values.length + 1;
  const isWhole = ({ from, to }: WordRange): boolean => {
    if (!hasGone) return true;
    const documents = base.holders.values.range(from, to);
    for (let at = 0; at < documents.length; at += 1) if (gone[documents[at] ?? 0] === 1) return false;
    return true;
  };
  const merge = (lower: WordRange | undefined, upper: WordRange | undefined): WordRange | undefined => {
    if (upper === undefined && (lower === undefined || isWhole(lower))) return lower;
    const rows = mergeRows(layers, lower ?? NOWHERE, upper ?? NOWHERE);
    const from = end;
    end += rows.values.length;
    merged.set(from, rows);
    return rows.values.length === 0 ? undefined : { from, to: end, ...countPlaces(rows.places) };
  };
  return {
    findWord(code) {
      if (!known.has(code)) known.set(code, merge(findWord(base, code), findWord(fresh, code)));
      return known.get(code);
    },
    over: (name, below) => ({
      length: below.length,
      range: (from, to) => merged.get(from)?.[name] ?? below.range(from, to),
    }),
  };
}

const NOWHERE: WordRange = { from: 0, to: 0, closeHolders: 0, nameHolders: 0 };

function mergeRows({ base, gone, fresh }: Layers, lower: WordRange, upper: WordRange): MergedRows {
  const [below, above] = [rowsOf(base, lower), rowsOf(fresh, upper)];
  const length = below.values.length + above.values.length;
  const rows = {
    values: new Uint32Array(length),
    impacts: new Uint8Array(length),
    places: new Uint8Array(length),
    sections: new Uint32Array(length),
  };
  let next = 0;
  const take = (from: MergedRows, at: number, number: number): void => {
    rows.values[next] = number;
    rows.impacts[next] = from.impacts[at] ?? 0;
    rows.places[next] = from.places[at] ?? 0;
    rows.sections[next] = from.sections[at] ?? 0;
    next += 1;
  };
  for (const [at, document] of below.values.entries()) if (gone[document] !== 1) take(below, at, document);
  for (const [at, document] of above.values.entries()) take(above, at, base.versions.count + document);
  return {
    values: rows.values.subarray(0, next),
    impacts: rows.impacts.subarray(0, next),
    places: rows.places.subarray(0, next),
    sections: rows.sections.subarray(0, next),
  };
}

function rowsOf({ holders, impacts, places, sections }: SearchIndex, { from, to }: WordRange): MergedRows {
  return {
    values: holders.values.range(from, to),
    impacts: impacts.range(from, to),
    places: places.range(from, to),
    sections: sections.range(from, to),
  };
}

function countPlaces(places: Uint8Array): Pick<WordRange, 'closeHolders' | 'nameHolders'> {
  let [closeHolders, nameHolders] = [0, 0];
  for (const place of places) {
    if ((place & PLACES.close) !== 0) closeHolders += 1;
    if ((place & PLACES.name) !== 0) nameHolders += 1;
  }
  return { closeHolders, nameHolders };
}

/** The lists of both, one after the other, without a copy of their values. */
function stackLists(base: Lists, fresh: Lists): Lists {
  const { length } = base.values;
  const starts = new Uint32Array(base.starts.length + fresh.starts.length - 1);
  starts.set(base.starts);
  for (let at = 1; at < fresh.starts.length; at += 1)
    starts[base.starts.length + at - 1] = length + (fresh.starts[at] ?? 0);
  return {
    starts,
    values: {
      length: length + fresh.values.length,
      range: (from, to) =>
        from < length ? base.values.range(from, to) : fresh.values.range(from - length, to - length),
    },
  };
}
