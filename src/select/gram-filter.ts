/** Says of a text whether it may stand in another, much longer one; "no" is certain. */
export type GramFilter = (wanted: string) => boolean;

/** Texts shorter than this may stand anywhere. */
const GRAM = 8;
const MAX_BITS = 2 ** 27;

/** Marks every run of eight characters; a text with a run that is not marked is not there, and few others are marked. */
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

/** Visits the hash of each run of eight characters while `visit` says to go on; false where it did not to the end. */
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
/** What a character has been multiplied with when it leaves the run: FACTOR to the power of GRAM. */
const LEAVING = Array.from({ length: GRAM }).reduce((product: number) => Math.imul(product, FACTOR), 1);
