/**
 * Encodes columns as a file: a line of JSON with the owner and the lengths, then the columns as they are in memory.
 * Opening such a file takes views on its bytes and parses nothing.
 */
export function encodeColumns(owner: string, columns: readonly (NodeJS.ArrayBufferView | WrittenColumn)[]): Uint8Array {
  const lengths = columns.map(({ byteLength }) => byteLength);
  const size = lengths.reduce((sum, length) => sum + length + padding(length), 0);
  // The length of this line must be known before the checksum in it.
  const headerOf = (checksum: number): Buffer => {
    const line = JSON.stringify({ owner, lengths, checksum: String(checksum).padStart(CHECKSUM_DIGITS) });
    return Buffer.from(`${line}${' '.repeat(padding(Buffer.byteLength(line) + 1))}\n`);
  };
  const start = headerOf(0).length;
  const bytes = Buffer.alloc(start + size);
  let at = start;
  for (const column of columns) {
    const { byteLength } = column;
    if ('writeTo' in column) column.writeTo(bytes.subarray(at, at + byteLength));
    else bytes.set(new Uint8Array(column.buffer, column.byteOffset, byteLength), at);
    at += byteLength + padding(byteLength);
  }
  bytes.set(headerOf(checksumOf(bytes.subarray(start))));
  return bytes;
}

/** A column that is written straight into the file, without a copy in between. */
export interface WrittenColumn {
  readonly byteLength: number;
  readonly writeTo: (target: Buffer) => void;
}

/** Opens such a file; undefined if it is damaged or has another owner. */
export function decodeColumns(bytes: Uint8Array, owner: string): readonly Uint8Array[] | undefined {
  // Views of numbers must start at multiples of their size.
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
  /** Version and subject of the writer. */
  readonly owner: string;
  /** Bytes of each column. */
  readonly lengths: readonly number[];
  readonly checksum: string;
}

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

/**
 * Two running sums over words of four bytes. Samples a large file: enough to notice that it was cut, or that blocks are
 * missing or mixed up. `node:zlib` has a stronger checksum, but loading it would slow down every start.
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
/** Several samples in every block of a file system. */
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
