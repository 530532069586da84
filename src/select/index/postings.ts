import { MemoryColumn, wholeOf, type Column } from './column.ts';
import { PLACES } from './document.ts';
import { GONE, type Lists } from './lists.ts';

/** For each word, the documents that have it, in their order. */
export interface Postings {
  /** Every word's code, sorted. */
  readonly codes: Uint32Array;
  /** In how many documents each word is close to the name, and in the name. */
  readonly closeCounts: Uint32Array;
  readonly nameCounts: Uint32Array;
  /** For each word, in the order of `codes`, the documents that have it. */
  readonly holders: Lists;
  /** For each value of `holders`: how strongly that document speaks of the word, where, and in which sections. */
  readonly impacts: Column<Uint8Array>;
  readonly places: Column<Uint8Array>;
  readonly sections: Column<Uint32Array>;
}

/** Some documents of an index, and the number that each gets in the next one, or `GONE`. */
export interface PostingsPart {
  readonly postings: Postings;
  readonly numbers: Uint32Array;
}

/** A column with memory of its own. */
export type PackedColumn = Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** The postings of new documents as they are packed. */
export interface PackedPostings {
  readonly codes: Uint32Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly values: Uint32Array<ArrayBuffer>;
  readonly impacts: Uint8Array<ArrayBuffer>;
  readonly places: Uint8Array<ArrayBuffer>;
  readonly sections: Uint32Array<ArrayBuffer>;
}

export function unpackPostings({ codes, starts, ...rows }: PackedPostings): Postings {
  return toPostings(codes, starts, rows);
}

export const NO_POSTINGS: Postings = toPostings(new Uint32Array(), new Uint32Array(1), openRows(0));

/** The postings of several indexes as one. The result depends only on the documents, not on how they are divided. */
export function mergePostings(parts: readonly PostingsPart[]): Postings {
  const sources = parts.map(openSource);
  const codes = new Uint32Array(sources.reduce((sum, { codes: own }) => sum + own.length, 0));
  const starts = new Uint32Array(codes.length + 1);
  const rows = openRows(sources.reduce((sum, { values }) => sum + values.length, 0));
  const isOrdered = parts.every(({ numbers }) => isAscending(numbers));
  const mergeWord = isOrdered && areConsecutive(parts) ? appendWord : isOrdered ? weaveWord : interleaveWord;
  let words = 0;
  let total = 0;
  const endWord = (code: number, end: number): void => {
    if (end === total) return;
    if (!isOrdered) sortRows(rows, total, end);
    codes[words] = code;
    words += 1;
    total = end;
    starts[words] = total;
  };
  for (let code = lowestCode(sources); code !== undefined; code = lowestCode(sources)) {
    const having = takeWord(sources, code);
    endWord(code, mergeWord(having, rows, total));
    // Most words that follow are in the same source alone.
    const [alone] = having;
    if (alone === undefined || having.length > 1) continue;
    const limit = lowestCode(sources.filter((source) => source !== alone)) ?? NO_CODE;
    for (let next = alone.codes[alone.word] ?? NO_CODE; next < limit; next = alone.codes[alone.word] ?? NO_CODE) {
      stepTo(alone);
      endWord(next, copyRows(alone, rows, total));
    }
  }
  return toPostings(codes.slice(0, words), starts.slice(0, words + 1), cutRows(rows, total));
}

/** The columns of postings while they are filled. */
interface Rows {
  readonly values: Uint32Array;
  readonly impacts: Uint8Array;
  readonly places: Uint8Array;
  readonly sections: Uint32Array;
}

function openRows(length: number): Rows {
  return {
    values: new Uint32Array(length),
    impacts: new Uint8Array(length),
    places: new Uint8Array(length),
    sections: new Uint32Array(length),
  };
}

function cutRows(rows: Rows, length: number): Rows {
  if (rows.values.length === length) return rows;
  const { values, impacts, places, sections } = rows;
  return {
    values: values.slice(0, length),
    impacts: impacts.slice(0, length),
    places: places.slice(0, length),
    sections: sections.slice(0, length),
  };
}

function toPostings(codes: Uint32Array, starts: Uint32Array, rows: Rows): Postings {
  const closeCounts = new Uint32Array(codes.length);
  const nameCounts = new Uint32Array(codes.length);
  for (let word = 0; word < codes.length; word += 1) {
    let [close, name] = [0, 0];
    const end = starts[word + 1] ?? 0;
    for (let at = starts[word] ?? 0; at < end; at += 1) {
      const place = rows.places[at] ?? 0;
      if ((place & PLACES.close) !== 0) close += 1;
      if ((place & PLACES.name) !== 0) name += 1;
    }
    closeCounts[word] = close;
    nameCounts[word] = name;
  }
  return {
    codes,
    closeCounts,
    nameCounts,
    holders: { starts, values: new MemoryColumn(rows.values) },
    impacts: new MemoryColumn(rows.impacts),
    places: new MemoryColumn(rows.places),
    sections: new MemoryColumn(rows.sections),
  };
}

/** One of the indexes that are merged, with the place that the merge has come to. */
interface Source extends Rows {
  readonly codes: Uint32Array;
  readonly starts: Uint32Array;
  readonly numbers: Uint32Array;
  word: number;
  from: number;
  to: number;
}

function openSource({ postings, numbers }: PostingsPart): Source {
  return {
    codes: postings.codes,
    starts: postings.holders.starts,
    values: wholeOf(postings.holders.values),
    impacts: wholeOf(postings.impacts),
    places: wholeOf(postings.places),
    sections: wholeOf(postings.sections),
    numbers,
    word: 0,
    from: 0,
    to: 0,
  };
}

function lowestCode(sources: readonly Source[]): number | undefined {
  let lowest: number | undefined;
  for (const { codes, word } of sources) {
    const code = codes[word];
    if (code !== undefined && (lowest === undefined || code < lowest)) lowest = code;
  }
  return lowest;
}

/** The sources that have a word, each standing at its documents. */
function takeWord(sources: readonly Source[], code: number): readonly Source[] {
  const having: Source[] = [];
  for (const source of sources) {
    if (source.codes[source.word] !== code) continue;
    stepTo(source);
    having.push(source);
  }
  return having;
}

/** Takes the next word of a source. */
function stepTo(source: Source): void {
  source.from = source.starts[source.word] ?? 0;
  source.to = source.starts[source.word + 1] ?? 0;
  source.word += 1;
}

/** Above every code. */
const NO_CODE = 2 ** 32;

/** Writes the documents of one word from `start` on, always the lowest number next; returns where they end. */
function interleaveWord(having: readonly Source[], rows: Rows, start: number): number {
  let at = start;
  for (;;) {
    let best: Source | undefined;
    let lowest = GONE;
    for (const source of having) {
      while (source.from < source.to && source.numbers[source.values[source.from] ?? 0] === GONE) source.from += 1;
      if (source.from === source.to) continue;
      const number = source.numbers[source.values[source.from] ?? 0] ?? GONE;
      if (number < lowest) [best, lowest] = [source, number];
    }
    if (best === undefined) return at;
    rows.values[at] = lowest;
    rows.impacts[at] = best.impacts[best.from] ?? 0;
    rows.places[at] = best.places[best.from] ?? 0;
    rows.sections[at] = best.sections[best.from] ?? 0;
    best.from += 1;
    at += 1;
  }
}

/** The same where all numbers of a source are below those of the next one. */
function appendWord(having: readonly Source[], rows: Rows, start: number): number {
  let at = start;
  for (const source of having) at = copyRows(source, rows, at);
  return at;
}

/** The same where the second of two sources has few documents, in between those of the first; each is in order. */
function weaveWord(having: readonly Source[], rows: Rows, start: number): number {
  const [first, second, ...more] = having;
  if (first === undefined || second === undefined || more.length > 0) return interleaveWord(having, rows, start);
  if ((second.to - second.from) * FEW > first.to - first.from) return interleaveWord(having, rows, start);
  const middle = copyRows(first, rows, start);
  const end = copyRows(second, rows, middle);
  const columns = [rows.values, rows.impacts, rows.places, rows.sections];
  const tails = columns.map((column) => column.slice(middle, end));
  let high = middle;
  for (let left = end - middle; left > 0; left -= 1) {
    const at = start + firstAbove(rows.values.subarray(start, high), tails[0]?.[left - 1] ?? 0);
    for (const [nth, column] of columns.entries()) {
      column.copyWithin(at + left, at, high);
      column[at + left - 1] = tails[nth]?.[left - 1] ?? 0;
    }
    high = at;
  }
  return end;
}

/** Weaving is quicker if the first source has this many times the documents of the second. */
const FEW = 8;

/** The first position whose number is above the given one. */
function firstAbove(sorted: Uint32Array, number: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function copyRows({ numbers, values, impacts, places, sections, from, to }: Source, rows: Rows, start: number): number {
  let at = start;
  for (let row = from; row < to; row += 1) {
    const number = numbers[values[row] ?? 0] ?? GONE;
    if (number === GONE) continue;
    rows.values[at] = number;
    rows.impacts[at] = impacts[row] ?? 0;
    rows.places[at] = places[row] ?? 0;
    rows.sections[at] = sections[row] ?? 0;
    at += 1;
  }
  return at;
}

/** Is every number of a part below those of the next one? Each part is ascending. */
function areConsecutive(parts: readonly PostingsPart[]): boolean {
  let last = -1;
  for (const { numbers } of parts) {
    const kept = numbers.filter((number) => number !== GONE);
    if ((kept[0] ?? last + 1) <= last) return false;
    last = kept.at(-1) ?? last;
  }
  return true;
}

function isAscending(numbers: Uint32Array): boolean {
  let last = -1;
  for (const number of numbers) {
    if (number === GONE) continue;
    if (number < last) return false;
    last = number;
  }
  return true;
}

/** Brings the documents of one word into their order. */
function sortRows(rows: Rows, from: number, to: number): void {
  const order = Uint32Array.from({ length: to - from }, (_, at) => from + at).sort(
    (a, b) => (rows.values[a] ?? 0) - (rows.values[b] ?? 0),
  );
  for (const column of [rows.values, rows.impacts, rows.places, rows.sections]) {
    const sorted = Array.from(order, (at) => column[at] ?? 0);
    column.set(sorted, from);
  }
}
