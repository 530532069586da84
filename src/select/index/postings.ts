import type { Document } from './read-document.ts';
import { positionIn } from './sorted-set.ts';

/** For each word, the documents that have it. */
export interface Postings {
  /** The hash of each word, sorted. */
  readonly words: Uint32Array;
  /** Word `n` has the rows from `starts[n]` to `starts[n + 1]`. */
  readonly starts: Uint32Array;
  /** One row for each word of each document. The documents of a word are in ascending order. */
  readonly documents: Uint32Array;
  /** As those of a `Document`. */
  readonly impacts: Uint8Array;
  readonly places: Uint8Array;
  readonly sections: Uint32Array;
}

/** The rows of a word. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

export const NO_POSTINGS: Postings = { words: new Uint32Array(), starts: new Uint32Array(1), ...openRows(0) };

/** The number of a document that the next index does not have. */
export const REMOVED = 0xffffffff;

/** Undefined for a word that no document has. */
export function findWord({ words, starts }: Postings, hash: number): WordRange | undefined {
  const word = positionIn(words, hash);
  return word === undefined ? undefined : { from: starts[word] ?? 0, to: starts[word + 1] ?? 0 };
}

/** The postings of new documents. `numbers` has the number of each, ascending. */
export function invert(documents: readonly Document[], numbers: readonly number[]): Postings {
  const hashes = new Uint32Array(documents.reduce((sum, { words }) => sum + words.length, 0));
  let next = 0;
  for (const { words } of documents) {
    hashes.set(words, next);
    next += words.length;
  }
  const words: number[] = [];
  const starts: number[] = [];
  const targets = new Uint32Array(hashes.length);
  for (const [row, at] of orderOf(hashes).entries()) {
    const hash = hashes[at] ?? 0;
    if (words.at(-1) !== hash) {
      words.push(hash);
      starts.push(row);
    }
    targets[at] = row;
  }
  const rows = openRows(hashes.length);
  next = 0;
  for (const [nth, document] of documents.entries())
    for (let at = 0; at < document.words.length; at += 1) {
      const row = targets[next] ?? 0;
      rows.documents[row] = numbers[nth] ?? REMOVED;
      rows.impacts[row] = document.impacts[at] ?? 0;
      rows.places[row] = document.places[at] ?? 0;
      rows.sections[row] = document.sections[at] ?? 0;
      next += 1;
    }
  return { words: Uint32Array.from(words), starts: Uint32Array.from([...starts, hashes.length]), ...rows };
}

/**
 * The postings of both. `numbers` has the next number of each document of `before`, or `REMOVED`; those that stay keep their
 * order.
 */
export function merge(before: Postings, numbers: Uint32Array, fresh: Postings): Postings {
  if (before.words.length === 0) return fresh;
  const words = new Uint32Array(before.words.length + fresh.words.length);
  const starts = new Uint32Array(words.length + 1);
  const rows = openRows(before.documents.length + fresh.documents.length);
  let [word, end] = [0, 0];
  let [nextBefore, nextFresh] = [0, 0];
  while (nextBefore < before.words.length || nextFresh < fresh.words.length) {
    const hash = Math.min(before.words[nextBefore] ?? REMOVED, fresh.words[nextFresh] ?? REMOVED);
    let [old, oldEnd, added, addedEnd] = [0, 0, 0, 0];
    if (before.words[nextBefore] === hash) {
      [old, oldEnd] = [before.starts[nextBefore] ?? 0, before.starts[nextBefore + 1] ?? 0];
      nextBefore += 1;
    }
    if (fresh.words[nextFresh] === hash) {
      [added, addedEnd] = [fresh.starts[nextFresh] ?? 0, fresh.starts[nextFresh + 1] ?? 0];
      nextFresh += 1;
    }
    for (; old < oldEnd; old += 1) {
      const number = numbers[before.documents[old] ?? 0] ?? REMOVED;
      if (number === REMOVED) continue;
      for (; added < addedEnd && (fresh.documents[added] ?? 0) < number; added += 1) copyRow(fresh, added, rows, end++);
      copyRow(before, old, rows, end);
      rows.documents[end] = number;
      end += 1;
    }
    for (; added < addedEnd; added += 1) copyRow(fresh, added, rows, end++);
    if (end === starts[word]) continue;
    words[word] = hash;
    word += 1;
    starts[word] = end;
  }
  return {
    words: words.slice(0, word),
    starts: starts.slice(0, word + 1),
    documents: rows.documents.slice(0, end),
    impacts: rows.impacts.slice(0, end),
    places: rows.places.slice(0, end),
    sections: rows.sections.slice(0, end),
  };
}

type Rows = Pick<Postings, 'documents' | 'impacts' | 'places' | 'sections'>;

function openRows(length: number): Rows {
  return {
    documents: new Uint32Array(length),
    impacts: new Uint8Array(length),
    places: new Uint8Array(length),
    sections: new Uint32Array(length),
  };
}

function copyRow(source: Rows, from: number, target: Rows, to: number): void {
  target.documents[to] = source.documents[from] ?? 0;
  target.impacts[to] = source.impacts[from] ?? 0;
  target.places[to] = source.places[from] ?? 0;
  target.sections[to] = source.sections[from] ?? 0;
}

/** The places of numbers in ascending order; equal ones stay in theirs. A radix sort, eleven bits at a time. */
function orderOf(numbers: Uint32Array): Uint32Array {
  let order = Uint32Array.from(numbers.keys());
  let next = new Uint32Array(numbers.length);
  for (const shift of [0, 11, 22]) {
    const digitAt = (place: number): number => ((numbers[place] ?? 0) >>> shift) & 2_047;
    const starts = new Uint32Array(2_049);
    for (let place = 0; place < numbers.length; place += 1) {
      const digit = digitAt(place);
      starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
    }
    for (let digit = 1; digit <= 2_048; digit += 1) starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0);
    for (const place of order) {
      const digit = digitAt(place);
      const at = starts[digit] ?? 0;
      next[at] = place;
      starts[digit] = at + 1;
    }
    [order, next] = [next, order];
  }
  return order;
}
