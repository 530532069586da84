/** As much of a text as a model is given at once: some 25,000 tokens. */
export const MAX_PAGE_LENGTH = 100_000;

export interface TextPage {
  readonly text: string;
  /** Where the page begins and ends in the text, in characters. */
  readonly start: number;
  readonly end: number;
  readonly isWhole: boolean;
  /** Where the next page begins; undefined on the last one. */
  readonly next: number | undefined;
}

/** A part of a text from an offset on, at most `MAX_PAGE_LENGTH` characters; no character is torn apart. */
export function pageOf(text: string, offset = 0): TextPage {
  const start = wholeAt(text, Math.min(offset, text.length));
  const end = wholeAt(text, Math.min(start + MAX_PAGE_LENGTH, text.length));
  const isLast = end === text.length;
  return { text: text.slice(start, end), start, end, isWhole: start === 0 && isLast, next: isLast ? undefined : end };
}

/** The place itself, or the one before it where it is inside of a surrogate pair. */
function wholeAt(text: string, at: number): number {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at;
}

/** The beginning and the end of a text that is too long, with a note of what is missing between them. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, wholeAt(text, Math.ceil(maxLength / 2)));
  const tail = text.slice(wholeAt(text, text.length - Math.floor(maxLength / 2)));
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing} characters are left out here …]\n${tail}`;
}
