/**
 * Stores many short texts in two long ones, so that reading one is a slice and decodes nothing. Texts that fit in
 * Latin-1 go into one, all others into the other. Two numbers identify a text: its start and its length.
 */
export interface TextWriter {
  /** Adds a text, or its absence, and writes its two numbers to `cells` at `at`. */
  add(text: string | undefined, cells: Uint32Array, at: number): void;
  /** Adds texts that were written one after the other: the numbers in the range are the reader's, and then ours. */
  addFrom(reader: TextReader, cells: Uint32Array, range: CellRange): void;
  columns(): TextColumns;
}

export interface TextReader {
  textAt(cells: Uint32Array, at: number): string | undefined;
  isTextAt(cells: Uint32Array, at: number, text: string): boolean;
  /** Part of the long text that the number `start` belongs to. */
  slice(start: number, end: number): string;
}

/** The two long texts as bytes: Latin-1, and UTF-16. */
export interface TextColumns {
  readonly narrow: Uint8Array<ArrayBuffer>;
  readonly wide: Uint8Array<ArrayBuffer>;
}

/** The numbers of several texts. */
export interface CellRange {
  readonly from: number;
  readonly to: number;
}

/** Added to the start of a text in the wide column. */
const WIDE = 0x80000000;
const ABSENT = 0xffffffff;
const BEYOND_LATIN = /[^\0-\xff]/;

export function openTextWriter(): TextWriter {
  const narrow = openLongText('latin1', 1);
  const wide = openLongText('utf16le', 2);
  return {
    add(text, cells, at) {
      cells[at + 1] = text?.length ?? 0;
      if (text === undefined) cells[at] = ABSENT;
      else cells[at] = BEYOND_LATIN.test(text) ? WIDE + wide.add(text) : narrow.add(text);
    },
    addFrom(reader, cells, range) {
      const moveTo = (target: LongText, { start, end }: Span): number =>
        start === ABSENT ? 0 : target.add(reader.slice(start, end)) - start;
      const narrowMove = moveTo(narrow, spanOf(cells, range, 0));
      const wideMove = moveTo(wide, spanOf(cells, range, WIDE)) + WIDE;
      for (let at = range.from; at < range.to; at += 2) {
        const start = cells[at] ?? ABSENT;
        if (start !== ABSENT) cells[at] = start + (start < WIDE ? narrowMove : wideMove);
      }
    },
    columns: () => ({ narrow: narrow.bytes(), wide: wide.bytes() }),
  };
}

/** Where texts stand that were written one after the other; it starts at `ABSENT` if there are none. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** `base`: where the numbers of the long text begin. */
function spanOf(cells: Uint32Array, { from, to }: CellRange, base: 0 | typeof WIDE): Span {
  let [start, end] = [ABSENT, ABSENT];
  for (let at = from; at < to; at += 2) {
    const cell = cells[at] ?? ABSENT;
    if (cell === ABSENT || cell < base || cell >= base + WIDE) continue;
    if (start === ABSENT) start = cell;
    end = cell + (cells[at + 1] ?? 0);
  }
  return { start, end };
}

interface LongText {
  /** Returns where it begins. */
  add(text: string): number;
  bytes(): Uint8Array<ArrayBuffer>;
}

/** Encoding many texts at a time is faster than one by one, and takes less memory than all of them. */
const TOGETHER = 1_024;

function openLongText(encoding: 'latin1' | 'utf16le', width: number): LongText {
  const texts: string[] = [];
  let length = 0;
  return {
    add(text) {
      const start = length;
      texts.push(text);
      length += text.length;
      return start;
    },
    bytes() {
      const bytes = Buffer.allocUnsafeSlow(width * length);
      let end = 0;
      for (let at = 0; at < texts.length; at += TOGETHER)
        end += bytes.write(texts.slice(at, at + TOGETHER).join(''), end, encoding);
      return new Uint8Array(bytes.buffer);
    },
  };
}

export function openTextReader(narrowBytes: Uint8Array, wideBytes: Uint8Array): TextReader {
  const narrow = toText(narrowBytes, 'latin1');
  const wide = toText(wideBytes, 'utf16le');
  return {
    textAt(cells, at) {
      const start = cells[at] ?? ABSENT;
      if (start === ABSENT) return undefined;
      const end = start + (cells[at + 1] ?? 0);
      return start < WIDE ? narrow.slice(start, end) : wide.slice(start - WIDE, end - WIDE);
    },
    isTextAt(cells, at, text) {
      const start = cells[at] ?? ABSENT;
      if (start === ABSENT || cells[at + 1] !== text.length) return false;
      return start < WIDE ? narrow.startsWith(text, start) : wide.startsWith(text, start - WIDE);
    },
    slice: (start, end) => (start < WIDE ? narrow.slice(start, end) : wide.slice(start - WIDE, end - WIDE)),
  };
}

function toText({ buffer, byteOffset, byteLength }: Uint8Array, encoding: 'latin1' | 'utf16le'): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString(encoding);
}

/**
 * Stores texts that are rarely read as UTF-8, one after the other, so that only those that are asked for are decoded. Two
 * numbers identify a text: where it starts, and its bytes.
 */
export interface RareTextWriter {
  /** Adds a text, or its absence, and writes its two numbers to `cells` at `at`. */
  add(text: string | undefined, cells: Uint32Array, at: number): void;
  /** Adds a text of another column: the numbers are that column's, and then ours. */
  addFrom(bytes: Uint8Array, cells: Uint32Array, at: number): void;
  bytes(): Uint8Array<ArrayBuffer>;
}

/** Enough for most texts, so that the buffer seldom grows. */
const USUAL_BYTES = 512;
/** A unit of UTF-16 takes no more bytes. */
const MOST_BYTES = 3;

/** `count`: how many texts to expect. */
export function openRareTextWriter(count: number): RareTextWriter {
  let buffer = Buffer.allocUnsafeSlow(USUAL_BYTES * count);
  let end = 0;
  const makeRoom = (more: number): void => {
    if (end + more <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(end + more, 2 * buffer.length));
    larger.set(buffer.subarray(0, end));
    buffer = larger;
  };
  return {
    add(text, cells, at) {
      cells[at] = text === undefined ? ABSENT : end;
      cells[at + 1] = 0;
      if (text === undefined) return;
      makeRoom(MOST_BYTES * text.length);
      const length = buffer.write(text, end);
      cells[at + 1] = length;
      end += length;
    },
    addFrom(bytes, cells, at) {
      const start = cells[at] ?? ABSENT;
      const length = cells[at + 1] ?? 0;
      if (start === ABSENT) return;
      makeRoom(length);
      buffer.set(bytes.subarray(start, start + length), end);
      cells[at] = end;
      end += length;
    },
    bytes: () => new Uint8Array(buffer.subarray(0, end)),
  };
}

/** Opens such a column; the function gives the text with the numbers at a place of the cells. */
export function openRareTexts(bytes: Uint8Array): (cells: Uint32Array, at: number) => string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (cells, at) => {
    const start = cells[at] ?? ABSENT;
    return start === ABSENT ? undefined : buffer.toString('utf8', start, start + (cells[at + 1] ?? 0));
  };
}
