/**
 * Columns as the bytes of a file: a line of JSON that says whose they are and how long each is, then the columns as they
 * lie in memory. Opening such a file takes views on its bytes and parses nothing.
 */
export function encodeColumns(owner: string, columns: readonly NodeJS.ArrayBufferView[]): Uint8Array {
  const lengths = columns.map(({ byteLength }) => byteLength);
  const size = lengths.reduce((sum, length) => sum + length + padding(length), 0);
  // The checksum comes last into a line whose length must be known first.
  const headerOf = (checksum: number): Buffer => {
    const line = JSON.stringify({ owner, lengths, checksum: String(checksum).padStart(CHECKSUM_DIGITS) });
    return Buffer.from(`${line}${' '.repeat(padding(Buffer.byteLength(line) + 1))}\n`);
  };
  const start = headerOf(0).length;
  const bytes = Buffer.alloc(start + size);
  let at = start;
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength + padding(byteLength);
  }
  bytes.set(headerOf(checksumOf(bytes.subarray(start))));
  return bytes;
}

/** The columns out of such bytes; undefined if they are broken or someone else's. */
export function decodeColumns(bytes: Uint8Array, owner: string): readonly Uint8Array[] | undefined {
  // Views of numbers begin at multiples of their size.
  const aligned = bytes.byteOffset % ALIGNMENT === 0 ? bytes : Uint8Array.from(bytes);
  const start = aligned.indexOf(NEWLINE) + 1;
  const header = parseHeader(Buffer.from(aligned.buffer, aligned.byteOffset, start).toString());
  if (header === undefined || header.owner !== owner || start % ALIGNMENT !== 0) return undefined;
  const columns: Uint8Array[] = [];
  let at = start;
  for (const length of header.lengths) {
    if (at + length > aligned.length) return undefined;
    columns.push(new Uint8Array(aligned.buffer, aligned.byteOffset + at, length));
    at += length + padding(length);
  }
  const isWhole = at === aligned.length && checksumOf(aligned.subarray(start)) === Number(header.checksum);
  return isWhole ? columns : undefined;
}

const ALIGNMENT = 8;
const NEWLINE = 10;
const CHECKSUM_DIGITS = 10;

interface Header {
  /** Who wrote it for what: a version and a subject. */
  readonly owner: string;
  /** Bytes of each column. */
  readonly lengths: readonly number[];
  readonly checksum: string;
}

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

/**
 * Two running sums over words of four bytes. Of a large file only some words count: enough to notice that it was cut, or
 * that blocks of it are missing or mixed up. `node:zlib` has a stronger checksum, and loading it costs every start.
 */
function checksumOf({ buffer, byteOffset, byteLength }: Uint8Array): number {
  const words = new Int32Array(buffer, byteOffset, byteLength / Int32Array.BYTES_PER_ELEMENT);
  const step = byteLength > LARGE_BYTES ? WORDS_APART : 1;
  let sum = 1;
  let sums = 0;
  for (let at = 0; at < words.length; at += step) {
    sum = (sum + (words[at] ?? 0)) | 0;
    sums = (sums + sum) | 0;
  }
  return (sum ^ Math.imul(sums, 0x9e3779b1)) >>> 0;
}

const LARGE_BYTES = 64 * 1024;
/** Several in every block of a file system. */
const WORDS_APART = 32;

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
  const { owner, checksum, lengths }: { owner?: unknown; checksum?: unknown; lengths?: unknown } = header;
  return (
    typeof owner === 'string' &&
    typeof checksum === 'string' &&
    Array.isArray(lengths) &&
    lengths.every((length) => Number.isSafeInteger(length) && length >= 0)
  );
}
