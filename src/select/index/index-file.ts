import { crc32 } from 'node:zlib';

import type { Lists } from './lists.ts';
import type { SearchIndex } from './search-index.ts';

/** Raise it when other arrays are written. */
const FORMAT = 'index-3';

/**
 * The index as the bytes of a file, in pieces that need not be copied: a line of JSON with the owner and the length of each
 * array, the arrays as they are in memory, and a checksum. `owner` is the version and the subject of the writer.
 */
export function encodeIndex(index: SearchIndex, owner: string): readonly Uint8Array[] {
  const arrays = Object.entries(toArrays(index));
  const header: Header = {
    owner: `${FORMAT} ${owner}`,
    lengths: Object.fromEntries(arrays.map(([name, { byteLength }]) => [name, byteLength])),
  };
  const line = JSON.stringify(header);
  const pieces = [
    Buffer.from(`${line}${' '.repeat(paddingOf(Buffer.byteLength(line) + 1))}\n`),
    ...arrays.flatMap(([, { buffer, byteOffset, byteLength }]) => [
      new Uint8Array(buffer, byteOffset, byteLength),
      new Uint8Array(paddingOf(byteLength)),
    ]),
    // Node 22 restarts a checksum at an empty array.
  ].filter(({ length }) => length > 0);
  const checksum = new Uint32Array([pieces.reduce((sum, piece) => crc32(piece, sum), 0)]);
  return [...pieces, new Uint8Array(checksum.buffer)];
}

/** Undefined if the file is damaged or has another owner. */
export function decodeIndex(file: Uint8Array, owner: string): SearchIndex | undefined {
  // Views of numbers must start at multiples of their size.
  const { buffer, byteOffset, byteLength } = file.byteOffset % WORD_BYTES === 0 ? file : Uint8Array.from(file);
  const end = byteLength - WORD_BYTES;
  if (end < 0 || byteLength % WORD_BYTES !== 0) return undefined;
  const content = new Uint8Array(buffer, byteOffset, end);
  const [checksum] = new Uint32Array(buffer, byteOffset + end, 1);
  if (crc32(content) !== checksum) return undefined;
  const firstLine = content.indexOf(NEWLINE) + 1;
  // Our own writer wrote it: the checksum is right.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const header = JSON.parse(Buffer.from(buffer, byteOffset, firstLine).toString()) as Header;
  if (header.owner !== `${FORMAT} ${owner}`) return undefined;
  const arrays = new Map<string, Uint8Array>();
  let start = byteOffset + firstLine;
  for (const [name, length] of Object.entries(header.lengths)) {
    arrays.set(name, new Uint8Array(buffer, start, length));
    start += length + paddingOf(length);
  }
  return fromArrays((name) => arrays.get(name) ?? new Uint8Array());
}

interface Header {
  readonly owner: string;
  /** In bytes, in the order of the arrays. */
  readonly lengths: Readonly<Record<string, number>>;
}

const WORD_BYTES = 4;
const NEWLINE = 10;

function paddingOf(length: number): number {
  return (WORD_BYTES - (length % WORD_BYTES)) % WORD_BYTES;
}

function toArrays(index: SearchIndex): Readonly<Record<string, Uint8Array | Uint32Array>> {
  const { words, starts, documents, impacts, places, sections } = index;
  const lists = LISTS.flatMap((name) => [
    [`${name}Starts`, index[name].starts] as const,
    [`${name}Values`, index[name].values] as const,
  ]);
  return {
    versions: Buffer.from(JSON.stringify(index.versions)),
    lexicon: Buffer.from(index.lexicon),
    words,
    starts,
    documents,
    impacts,
    places,
    sections,
    ...Object.fromEntries(lists),
  };
}

function fromArrays(bytesOf: (name: string) => Uint8Array): SearchIndex {
  const textOf = (name: string): string => {
    const { buffer, byteOffset, byteLength } = bytesOf(name);
    return Buffer.from(buffer, byteOffset, byteLength).toString();
  };
  const numbersOf = (name: string): Uint32Array => {
    const { buffer, byteOffset, byteLength } = bytesOf(name);
    return new Uint32Array(buffer, byteOffset, byteLength / WORD_BYTES);
  };
  const listsOf = (name: (typeof LISTS)[number]): Lists => ({
    starts: numbersOf(`${name}Starts`),
    values: numbersOf(`${name}Values`),
  });
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as for the header
    versions: JSON.parse(textOf('versions')) as readonly string[],
    lexicon: textOf('lexicon'),
    words: numbersOf('words'),
    starts: numbersOf('starts'),
    documents: numbersOf('documents'),
    impacts: bytesOf('impacts'),
    places: bytesOf('places'),
    sections: numbersOf('sections'),
    name: listsOf('name'),
    metadata: listsOf('metadata'),
    metadataPairs: listsOf('metadataPairs'),
    instructionPairs: listsOf('instructionPairs'),
  };
}

const LISTS = ['name', 'metadata', 'metadataPairs', 'instructionPairs'] as const;
