import type { WrittenColumn } from '../parse/column-file.ts';

/**
 * Stores many short texts in two long ones, so that reading one is a slice and decodes nothing. Texts that fit in
 * Latin-1 go into one, all others into the other. Two numbers identify a text: its start and its length.
 */
export interface TextWriter {
  /** Adds a text, or its absence, and writes its two numbers to `cells` at `at`. */
  add(text: string | undefined, cells: Uint32Array, at: number): void;
  columns(): readonly [narrow: WrittenColumn, wide: WrittenColumn];
}

export interface TextReader {
  textAt(cells: Uint32Array, at: number): string | undefined;
  isTextAt(cells: Uint32Array, at: number, text: string): boolean;
}

/** Added to the start of a text in the wide column. */
const WIDE = 0x80000000;
const ABSENT = 0xffffffff;
const BEYOND_LATIN = /[^\0-\xff]/;

export function openTextWriter(): TextWriter {
  const narrow: string[] = [];
  const wide: string[] = [];
  let narrowEnd = 0;
  let wideEnd = 0;
  return {
    add(text, cells, at) {
      cells[at + 1] = text?.length ?? 0;
      if (text === undefined) cells[at] = ABSENT;
      else if (BEYOND_LATIN.test(text)) {
        cells[at] = WIDE + wideEnd;
        wide.push(text);
        wideEnd += text.length;
      } else {
        cells[at] = narrowEnd;
        narrow.push(text);
        narrowEnd += text.length;
      }
    },
    columns: () => [
      { byteLength: narrowEnd, writeTo: (target) => writeAll(narrow, target, 'latin1') },
      { byteLength: 2 * wideEnd, writeTo: (target) => writeAll(wide, target, 'utf16le') },
    ],
  };
}

function writeAll(texts: readonly string[], target: Buffer, encoding: 'latin1' | 'utf16le'): void {
  let at = 0;
  for (const text of texts) at += target.write(text, at, encoding);
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
  };
}

function toText({ buffer, byteOffset, byteLength }: Uint8Array, encoding: 'latin1' | 'utf16le'): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString(encoding);
}
