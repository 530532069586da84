/** Tells whether a long text may contain a short one. "No" is certain. */
export type GramFilter = (wanted: string) => boolean;

/** Shorter texts always pass. */
const GRAM = 8;
const MAX_BITS = 2 ** 27;

/** Marks every run of eight characters. A text with an unmarked run does not occur; few other texts pass. */
export function openGramFilter(text: string): GramFilter {
  const bits = Math.min(MAX_BITS, 2 ** Math.ceil(Math.log2(4 * text.length + 32)));
  const marks = new Uint32Array(bits / 32);
  eachGram(text, (hash) => {
    const bit = hash & (bits - 1);
    marks[bit >>> 5] = (marks[bit >>> 5] ?? 0) | (1 << (bit & 31));
    return true;
  });
  return (wanted) =>
    eachGram(wanted, (hash) => {
      const bit = hash & (bits - 1);
      return ((marks[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
    });
}

/** Calls `visit` with the hash of each run of eight characters until it returns false; returns whether it never did. */
function eachGram(text: string, visit: (hash: number) => boolean): boolean {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash, FACTOR) + text.charCodeAt(at);
    if (at >= GRAM) hash = (hash - Math.imul(text.charCodeAt(at - GRAM), LEAVING)) | 0;
    if (at >= GRAM - 1 && !visit((hash ^ (hash >>> 15)) >>> 0)) return false;
  }
  return true;
}

const FACTOR = 0x01000193;
/** The weight of a character when it leaves the run: FACTOR to the power of GRAM. */
const LEAVING = Array.from({ length: GRAM }).reduce((product: number) => Math.imul(product, FACTOR), 1);
