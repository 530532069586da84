/**
 * Encodes columns as a file: a line of JSON with the owner and the lengths, then the columns as they are in memory.
 * Opening such a file takes views on its bytes and parses nothing.
 */
export function encodeColumns(owner: string, columns: readonly NodeJS.ArrayBufferView[]): Uint8Array {
  const lengths = columns.map(({ byteLength }) => byteLength);
  const headerOf = (checksum: string): Buffer => renderHeader({ owner, lengths, checksum });
  // The length of the header must be known before the checksum in it.
  const starts = startsOf(headerOf(openChecksum().value()).length, lengths);
  const bytes = Buffer.alloc(starts.at(-1) ?? 0);
  for (const [nth, column] of columns.entries()) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), starts[nth]);
  }
  const sum = openChecksum();
  for (const nth of columns.keys()) sum.add(bytes.subarray(starts[nth], starts[nth + 1]));
  bytes.set(headerOf(sum.value()));
  return bytes;
}

/** The same bytes in pieces: columns in memory, which are not copied to be written. */
export function encodeInPieces(owner: string, columns: readonly NodeJS.ArrayBufferView[]): readonly Uint8Array[] {
  const lengths = columns.map(({ byteLength }) => byteLength);
  const pieces = columns.map(cutColumn);
  const sum = openChecksum();
  for (const parts of pieces) sum.add(...parts);
  return [renderHeader({ owner, lengths, checksum: sum.value() }), ...pieces.flat()];
}

/** A column as words, and its last bytes with padding. */
function cutColumn({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): readonly [Uint8Array, Uint8Array] {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const whole = byteOffset % WORD_BYTES === 0 ? byteLength - (byteLength % ALIGNMENT) : 0;
  const rest = new Uint8Array(byteLength + padding(byteLength) - whole);
  rest.set(bytes.subarray(whole));
  return [bytes.subarray(0, whole), rest];
}

function renderHeader(header: Header): Buffer {
  const line = JSON.stringify(header);
  return Buffer.from(`${line}${' '.repeat(padding(Buffer.byteLength(line) + 1))}\n`);
}

/** Bytes that are read in pieces. */
export interface ByteSource {
  readonly size: number;
  /** Exactly these bytes; undefined if they cannot be read. */
  read(from: number, length: number): Uint8Array | undefined;
}

/** The columns of a file. Small ones are in memory; of a large one, only what is asked for is read. */
export interface OpenColumns {
  /** Bytes of each column. */
  readonly lengths: readonly number[];
  isInMemory(column: number): boolean;
  /** Part of a column, or all of it. Bytes that can no longer be read are zeros. */
  read(column: number, from?: number, to?: number): Uint8Array;
}

export interface OpenColumnsOptions {
  /** Read large columns at once, too. */
  readonly isWhole?: boolean;
}

/** Opens such a file; undefined if it is damaged or has another owner. */
export function openColumns(
  source: ByteSource,
  owner: string,
  { isWhole = false }: OpenColumnsOptions = {},
): OpenColumns | undefined {
  const header = readHeader(source);
  if (header === undefined || header.owner !== owner) return undefined;
  const { lengths } = header;
  const starts = startsOf(header.byteLength, lengths);
  if (starts.at(-1) !== source.size) return undefined;
  const read = (from: number, length: number): Uint8Array => align(source.read(from, length) ?? new Uint8Array(length));
  const sum = openChecksum();
  const inMemory = new Map<number, Uint8Array>();
  for (const [nth, start] of starts.slice(0, -1).entries()) {
    const length = (starts[nth + 1] ?? start) - start;
    if (length > LARGE_BYTES && !isWhole) sum.addSamples(length, (at) => read(start + at, WORD_BYTES));
    else {
      const bytes = read(start, length);
      sum.add(bytes);
      inMemory.set(nth, bytes);
    }
  }
  if (sum.value() !== header.checksum) return undefined;
  return {
    lengths,
    isInMemory: (column) => inMemory.has(column),
    read: (column, from = 0, to = lengths[column] ?? 0) =>
      inMemory.get(column)?.subarray(from, to) ?? read((starts[column] ?? 0) + from, to - from),
  };
}

/** Opens a file that is in memory already. */
export function decodeColumns(bytes: Uint8Array, owner: string): readonly Uint8Array[] | undefined {
  const columns = openColumns(bytesInMemory(bytes), owner, { isWhole: true });
  return columns?.lengths.map((_, column) => columns.read(column));
}

export function bytesInMemory({ buffer, byteOffset, byteLength }: Uint8Array): ByteSource {
  return {
    size: byteLength,
    read: (from, length) =>
      from + length > byteLength ? undefined : new Uint8Array(buffer, byteOffset + from, length),
  };
}

const ALIGNMENT = 8;
const NEWLINE = 10;
const SUM_DIGITS = 10;
const WORD_BYTES = 4;

/** Where each column starts, and where the last one ends. */
function startsOf(first: number, lengths: readonly number[]): readonly number[] {
  const starts = [first];
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length + padding(length));
  return starts;
}

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

/** Views of numbers must start at multiples of their size. */
function align(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % ALIGNMENT === 0 ? bytes : Uint8Array.from(bytes);
}

/** Adds up columns, padding included. */
interface Checksum {
  /** Adds a column, which may be in two parts. */
  add(column: Uint8Array, rest?: Uint8Array): void;
  /** Adds a large column of which only single words are read. */
  addSamples(byteLength: number, readWord: (at: number) => Uint8Array): void;
  /** Always of the same length. */
  value(): string;
}

/**
 * Two running sums over words of four bytes. Samples a large column: enough to notice that it was cut, or that blocks
 * are missing or mixed up. `node:zlib` has a stronger checksum, but loading it would slow down every start.
 */
function openChecksum(): Checksum {
  let sum = 1;
  let sums = 0;
  /** Every `step`th word from `first` on; returns where it would go on behind the last one. */
  const addWords = (words: Int32Array, first: number, step: number): number => {
    // In variables of its own: this loop is most of the work of opening a file, and runs before anything is compiled.
    let [one, both, at] = [sum, sums, first];
    for (; at < words.length; at += step) {
      one = (one + (words[at] ?? 0)) | 0;
      both = (both + one) | 0;
    }
    [sum, sums] = [one, both];
    return at - words.length;
  };
  return {
    add(column, rest = new Uint8Array()) {
      const [words, more] = [wordsIn(column), wordsIn(rest)];
      const step = wordsApart(words.length + more.length);
      addWords(more, addWords(words, 0, step), step);
    },
    addSamples(byteLength, readWord) {
      const count = byteLength / WORD_BYTES;
      const step = wordsApart(count);
      for (let at = 0; at < count; at += step) {
        const { buffer, byteOffset } = readWord(WORD_BYTES * at);
        addWords(new Int32Array(buffer, byteOffset, 1), 0, 1);
      }
    },
    // Both, so that no change of a single word goes unnoticed.
    value: () => [sum, sums].map((number) => String(number >>> 0).padStart(SUM_DIGITS)).join(' '),
  };
}

function wordsIn({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / WORD_BYTES);
}

function wordsApart(words: number): number {
  if (words <= WHOLE_WORDS) return 1;
  return words * WORD_BYTES <= LARGE_BYTES ? SAMPLE_APART : Math.floor(words / SAMPLES);
}

/** Up to this many words, all are added. */
const WHOLE_WORDS = 4 * 1024;
/** Several samples in every block of a file system. */
const SAMPLE_APART = 32;
/** Above this, a column is read when it is needed, and this many samples of it are added. */
const LARGE_BYTES = 1024 * 1024;
const SAMPLES = 128;
const MAX_HEADER_BYTES = 1024 * 1024;
const FIRST_LOOK_BYTES = 4 * 1024;

interface Header {
  /** Version and subject of the writer. */
  readonly owner: string;
  /** Bytes of each column. */
  readonly lengths: readonly number[];
  readonly checksum: string;
}

function readHeader(source: ByteSource): (Header & { readonly byteLength: number }) | undefined {
  for (const most of [FIRST_LOOK_BYTES, MAX_HEADER_BYTES]) {
    const bytes = source.read(0, Math.min(source.size, most));
    const byteLength = (bytes?.indexOf(NEWLINE) ?? -1) + 1;
    if (bytes === undefined || byteLength % ALIGNMENT !== 0) return undefined;
    if (byteLength === 0) continue;
    const header = parseHeader(Buffer.from(bytes.subarray(0, byteLength)).toString());
    return header === undefined ? undefined : { ...header, byteLength };
  }
  return undefined;
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
  const { owner, checksum, lengths }: { owner?: unknown; checksum?: unknown; lengths?: unknown } = header;
  return (
    typeof owner === 'string' &&
    typeof checksum === 'string' &&
    Array.isArray(lengths) &&
    lengths.every((length) => Number.isSafeInteger(length) && length >= 0)
  );
}
