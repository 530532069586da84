/**
 * Many short texts in two long ones, which are cut and not decoded when they are read: one for texts of Latin letters,
 * a byte a character, one for all others. A text is known by two numbers: where it starts, and its length.
 */
export interface TextWriter {
  /** Writes the two numbers of a text into `cells` from `at` on; of `undefined`, too. */
  add(text: string | undefined, cells: Uint32Array, at: number): void;
  columns(): readonly [narrow: Uint8Array, wide: Uint8Array];
}

export interface TextReader {
  textAt(cells: Uint32Array, at: number): string | undefined;
}

/** Starts from here on are in the wide text. */
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
    columns: () => [Buffer.from(narrow.join(''), 'latin1'), Buffer.from(wide.join(''), 'utf16le')],
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
  };
}

function toText({ buffer, byteOffset, byteLength }: Uint8Array, encoding: 'latin1' | 'utf16le'): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString(encoding);
}
