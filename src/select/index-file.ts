import { crc32 } from 'node:zlib';

import type { Lists } from './lists.ts';
import type { SearchIndex } from './search-index.ts';

/**
 * The index as the bytes of a file: a line of JSON that says how long each column is, then the columns as they lie in
 * memory. Opening it is taking views, with nothing to parse.
 */
export function encodeIndex(index: SearchIndex, owner: string): Uint8Array {
  const columns = toColumns(index).map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  const body = Buffer.concat(columns.flatMap((column) => [column, Buffer.alloc(padding(column.length))]));
  const lengths = columns.map(({ length }) => length);
  const header: Header = { owner, lengths, checksum: checksumOf(lengths, body) };
  const line = Buffer.from(JSON.stringify(header));
  return Buffer.concat([line, Buffer.alloc(padding(line.length + 1), ' '), Buffer.from('\n'), body]);
}

/** The index out of such bytes; undefined where they are broken or were written by somebody else. */
export function decodeIndex(bytes: Uint8Array, owner: string): SearchIndex | undefined {
  // Views of numbers begin at multiples of their size.
  const aligned = bytes.byteOffset % ALIGNMENT === 0 ? bytes : Uint8Array.from(bytes);
  const start = aligned.indexOf(NEWLINE) + 1;
  const header = parseHeader(Buffer.from(aligned.subarray(0, start)).toString());
  if (header === undefined || header.owner !== owner) return undefined;
  const body = aligned.subarray(start);
  if (checksumOf(header.lengths, body) !== header.checksum) return undefined;
  const columns: Uint8Array[] = [];
  let at = 0;
  for (const length of header.lengths) {
    columns.push(new Uint8Array(body.buffer, body.byteOffset + at, length));
    at += length + padding(length);
  }
  return fromColumns(columns);
}

interface Header {
  /** Who wrote it for what: a version and a subject. */
  readonly owner: string;
  /** Bytes of each column. */
  readonly lengths: readonly number[];
  readonly checksum: number;
}

function checksumOf(lengths: readonly number[], body: Uint8Array): number {
  return crc32(body, crc32(lengths.join()));
}

const ALIGNMENT = 4;
const NEWLINE = 10;

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
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
    // The checksum vouches for what the same code wrote.
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

function parseHeader(line: string): Header | undefined {
  try {
    const header: unknown = JSON.parse(line);
    return isHeader(header) ? header : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isHeader(header: unknown): header is Header {
  if (typeof header !== 'object' || header === null) return false;
  return 'owner' in header && 'checksum' in header && 'lengths' in header && Array.isArray(header.lengths);
}
