import { encodeColumns, openColumns, type ByteSource, type OpenColumns } from '../parse/column-file.ts';
import { columnOf, wholeOf, type NumberView } from './column.ts';
import type { Lists } from './lists.ts';
import type { SearchIndex } from './search-index.ts';

/** The index as the bytes of a file. */
export function encodeIndex(index: SearchIndex, owner: string): Uint8Array {
  return encodeColumns(owner, toColumns(index));
}

/** Opens such a file; undefined if it is damaged or has another owner. Reads the large columns as they are needed. */
export function openIndex(source: ByteSource, owner: string): SearchIndex | undefined {
  const columns = openColumns(source, owner);
  return columns === undefined ? undefined : fromColumns(columns);
}

function toColumns(index: SearchIndex): readonly (Uint8Array | Uint32Array)[] {
  const { versions, codes, holders, impacts, places, name, close, closePairs, farPairs, lexicon } = index;
  const lists = [holders, name, close, closePairs, farPairs].flatMap(({ starts, values }) => [starts, wholeOf(values)]);
  const texts = [Buffer.from(JSON.stringify(versions)), Buffer.from(lexicon)];
  return [...texts, wholeOf(impacts), wholeOf(places), codes, ...lists];
}

const BYTES: NumberView<Uint8Array> = { bytesEach: 1, of: (bytes) => bytes };
const WORDS: NumberView<Uint32Array> = {
  bytesEach: Uint32Array.BYTES_PER_ELEMENT,
  of: ({ buffer, byteOffset, byteLength }) =>
    new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT),
};

function fromColumns(columns: OpenColumns): SearchIndex {
  const textOf = (nth: number): string => Buffer.from(columns.read(nth)).toString();
  const listsOf = (nth: number): Lists => ({
    starts: WORDS.of(columns.read(nth)),
    values: columnOf(columns, nth + 1, WORDS),
  });
  return {
    // The checksum was right, so the same code wrote it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    versions: JSON.parse(textOf(0)) as readonly string[],
    lexicon: textOf(1),
    impacts: columnOf(columns, 2, BYTES),
    places: columnOf(columns, 3, BYTES),
    codes: WORDS.of(columns.read(4)),
    holders: listsOf(5),
    name: listsOf(7),
    close: listsOf(9),
    closePairs: listsOf(11),
    farPairs: listsOf(13),
  };
}
