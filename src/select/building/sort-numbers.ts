/** Sorts numbers in place and keeps each once; returns how many are left. */
export type NumberSorter = (numbers: Uint32Array) => number;

/** Below this many, the sort of the platform is faster. */
const FEW = 96;
const VALUES = 256;
const BYTES = [0, 8, 16, 24];

/** Keeps its memory for the next call. */
export function openNumberSorter(): NumberSorter {
  const counts = new Uint32Array(BYTES.length * VALUES);
  let spare = new Uint32Array(1024);
  return (numbers) => {
    if (numbers.length < FEW) numbers.sort();
    else {
      if (spare.length < numbers.length) spare = new Uint32Array(2 * numbers.length);
      countBytes(numbers, counts.fill(0));
      for (const [nth, shift] of BYTES.entries()) {
        const [from, to] = nth % 2 === 0 ? [numbers, spare] : [spare, numbers];
        placeByByte(from, to, { length: numbers.length, counts, base: VALUES * nth, shift });
      }
    }
    return keepOnce(numbers);
  };
}

/** For each of the four bytes, how many numbers have each value of it. */
function countBytes(numbers: Uint32Array, counts: Uint32Array): void {
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    const [second, third, fourth] = [
      256 + ((number >>> 8) & 255),
      512 + ((number >>> 16) & 255),
      768 + (number >>> 24),
    ];
    counts[number & 255] = (counts[number & 255] ?? 0) + 1;
    counts[second] = (counts[second] ?? 0) + 1;
    counts[third] = (counts[third] ?? 0) + 1;
    counts[fourth] = (counts[fourth] ?? 0) + 1;
  }
}

interface ByteOrder {
  readonly length: number;
  /** How many numbers have each value of the byte, from `base` on. */
  readonly counts: Uint32Array;
  readonly base: number;
  /** Where in a number the byte is. */
  readonly shift: number;
}

/** Puts numbers in the order of one of their bytes; those with the same value stay in their order. */
function placeByByte(from: Uint32Array, to: Uint32Array, { length, counts, base, shift }: ByteOrder): void {
  for (let value = 0, start = 0; value < VALUES; value += 1) {
    const count = counts[base + value] ?? 0;
    counts[base + value] = start;
    start += count;
  }
  for (let at = 0; at < length; at += 1) {
    const number = from[at] ?? 0;
    const slot = base + ((number >>> shift) & 255);
    const place = counts[slot] ?? 0;
    to[place] = number;
    counts[slot] = place + 1;
  }
}

function keepOnce(numbers: Uint32Array): number {
  let length = 0;
  let last = -1;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (number === last) continue;
    last = number;
    numbers[length] = number;
    length += 1;
  }
  return length;
}
