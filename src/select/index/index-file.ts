import {
  encodeColumns,
  encodeInPieces,
  openColumns,
  type ByteSource,
  type OpenColumns,
} from '../../parse/column-file.ts';
import { columnOf, wholeOf, type NumberView } from './column.ts';
import type { Lists } from './lists.ts';
import type { SearchIndex } from './search-index.ts';

/** Raise it when other columns are written. */
const FORMAT = 'index-2';

/** The index as the bytes of a file. */
export function encodeIndex(index: SearchIndex, owner: string): Uint8Array {
  return encodeColumns(`${FORMAT} ${owner}`, toColumns(index));
}

/** The same bytes in pieces, for a file: the index is not copied. */
export function encodeIndexInPieces(index: SearchIndex, owner: string): readonly Uint8Array[] {
  return encodeInPieces(`${FORMAT} ${owner}`, toColumns(index));
}

/** Opens such a file; undefined if it is damaged or has another owner. Reads the large columns as they are needed. */
export function openIndex(source: ByteSource, owner: string): SearchIndex | undefined {
  const columns = openColumns(source, `${FORMAT} ${owner}`);
  return columns === undefined ? undefined : fromColumns(columns);
}

function toColumns(index: SearchIndex): readonly NodeJS.ArrayBufferView[] {
  const { versions, codes, closeCounts, nameCounts, holders, lexicon } = index;
  const lists = [holders, index.name, index.close, index.closePairs, index.farPairs].flatMap(({ starts, values }) => [
    starts,
    wholeOf(values),
  ]);
  const rows = [index.impacts, index.places, index.sections].map((column) => wholeOf<Uint8Array | Uint32Array>(column));
  const texts = [Buffer.from(versions.subjects), Buffer.from(lexicon)];
  return [...texts, ...rows, codes, closeCounts, nameCounts, ...lists, versions.starts, versions.stamps];
}

const BYTES: NumberView<Uint8Array> = { bytesEach: 1, of: (bytes) => bytes };
const WORDS: NumberView<Uint32Array> = {
  bytesEach: Uint32Array.BYTES_PER_ELEMENT,
  of: ({ buffer, byteOffset, byteLength }) =>
    new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT),
};

function numbersOf({ buffer, byteOffset, byteLength }: Uint8Array): Float64Array {
  return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
}

function fromColumns(columns: OpenColumns): SearchIndex {
  const textOf = (nth: number): string => Buffer.from(columns.read(nth)).toString();
  const listsOf = (nth: number): Lists => ({
    starts: WORDS.of(columns.read(nth)),
    values: columnOf(columns, nth + 1, WORDS),
  });
  const starts = WORDS.of(columns.read(18));
  return {
    versions: { count: starts.length - 1, subjects: textOf(0), starts, stamps: numbersOf(columns.read(19)) },
    lexicon: textOf(1),
    impacts: columnOf(columns, 2, BYTES),
    places: columnOf(columns, 3, BYTES),
    sections: columnOf(columns, 4, WORDS),
    codes: WORDS.of(columns.read(5)),
    closeCounts: WORDS.of(columns.read(6)),
    nameCounts: WORDS.of(columns.read(7)),
    holders: listsOf(8),
    name: listsOf(10),
    close: listsOf(12),
    closePairs: listsOf(14),
    farPairs: listsOf(16),
  };
}
