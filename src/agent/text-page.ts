/** In characters. Clients cut or store away longer answers; only 3 in 1,000 real skills are longer. */
export const MAX_PAGE_LENGTH = 40_000;

export interface TextPage {
  readonly text: string;
  /** Offsets in the text, in characters. */
  readonly start: number;
  readonly end: number;
  readonly isWhole: boolean;
  /** Offset of the next page; undefined on the last one. */
  readonly next: number | undefined;
}

/** Cuts a page of at most `MAX_PAGE_LENGTH` characters out of a text, without splitting a surrogate pair. */
export function textPage(text: string, offset = 0): TextPage {
  const start = wholeAt(text, Math.min(offset, text.length));
  const end = wholeAt(text, Math.min(start + MAX_PAGE_LENGTH, text.length));
  const isLast = end === text.length;
  return { text: text.slice(start, end), start, end, isWhole: start === 0 && isLast, next: isLast ? undefined : end };
}

/** The offset, or the previous one if it would split a surrogate pair. */
function wholeAt(text: string, at: number): number {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at;
}

/** Keeps the beginning and the end of a text that is too long, and notes how much is missing between them. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, wholeAt(text, Math.ceil(maxLength / 2)));
  const tail = text.slice(wholeAt(text, text.length - Math.floor(maxLength / 2)));
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing} characters omitted …]\n${tail}`;
}
