import { decodeColumns, encodeColumns } from '../parse/column-file.ts';
import type { Lists } from './lists.ts';
import type { SearchIndex } from './search-index.ts';

/** The index as the bytes of a file. */
export function encodeIndex(index: SearchIndex, owner: string): Uint8Array {
  return encodeColumns(owner, toColumns(index));
}

/** Opens such a file; undefined if it is damaged or has another owner. */
export function decodeIndex(bytes: Uint8Array, owner: string): SearchIndex | undefined {
  const columns = decodeColumns(bytes, owner);
  return columns === undefined ? undefined : fromColumns(columns);
}

function toColumns(index: SearchIndex): readonly (Uint8Array | Uint32Array)[] {
  const { versions, codes, holders, impacts, places, name, close, closePairs, farPairs, lexicon } = index;
  const lists = [holders, name, close, closePairs, farPairs].flatMap(({ starts, values }) => [starts, values]);
  return [Buffer.from(JSON.stringify(versions)), Buffer.from(lexicon), impacts, places, codes, ...lists];
}

function fromColumns(columns: readonly Uint8Array[]): SearchIndex {
  const column = (at: number): Uint8Array => columns[at] ?? new Uint8Array();
  const textOf = (at: number): string => Buffer.from(column(at)).toString();
  const numbersOf = (at: number): Uint32Array => {
    const { buffer, byteOffset, byteLength } = column(at);
    return new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
  };
  const listsOf = (at: number): Lists => ({ starts: numbersOf(at), values: numbersOf(at + 1) });
  return {
    // The checksum was right, so the same code wrote it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    versions: JSON.parse(textOf(0)) as readonly string[],
    lexicon: textOf(1),
    impacts: column(2),
    places: column(3),
    codes: numbersOf(4),
    holders: listsOf(5),
    name: listsOf(7),
    close: listsOf(9),
    closePairs: listsOf(11),
    farPairs: listsOf(13),
  };
}
