import { openBits, type Bits } from './bits.ts';
import { findRepeats, MIN_LENGTH, type PackToken } from './find-repeats.ts';
import { buildCode, type PrefixCode } from './huffman.ts';

/**
 * Compresses by RFC 1951. The result depends on the data alone; that of zlib also depends on its version and on the
 * processor, so that its archives would have other digests elsewhere.
 */
export function deflate(data: Uint8Array): Buffer {
  const bits = openBits();
  const tokens: PackToken[] = [];
  let start = 0;
  findRepeats(data, (token, end) => {
    tokens.push(token);
    if (tokens.length < TOKENS_PER_BLOCK && end < data.length) return;
    writeBlock(bits, { tokens, plain: data.subarray(start, end), isLast: end === data.length });
    tokens.length = 0;
    start = end;
  });
  if (data.length === 0) writePlain(bits, { plain: data, isLast: true });
  return bits.close();
}

const TOKENS_PER_BLOCK = 32_768;
const MAX_BITS = 15;
const MAX_PLAIN_BYTES = 65_535;
const END_OF_BLOCK = 256;

interface Block {
  readonly tokens: readonly PackToken[];
  readonly plain: Uint8Array;
  readonly isLast: boolean;
}

/** Writes whichever is shorter: the coded tokens with their codes, or the bytes as they are. */
function writeBlock(bits: Bits, block: Block): void {
  const { literals, distances } = countSymbols(block.tokens);
  const codes = { literals: buildCode(literals, MAX_BITS), distances: buildCode(distances, MAX_BITS) };
  const coded = openBits();
  coded.write(block.isLast ? 1 : 0, 1);
  coded.write(2, 2);
  writeCodes(coded, codes);
  for (const token of block.tokens) writeToken(coded, token, codes);
  put(coded, codes.literals, END_OF_BLOCK);
  if (coded.count / 8 < block.plain.length) bits.append(coded);
  else writePlain(bits, block);
}

function writePlain(bits: Bits, { plain, isLast }: Pick<Block, 'plain' | 'isLast'>): void {
  let at = 0;
  do {
    const part = plain.subarray(at, at + MAX_PLAIN_BYTES);
    at += part.length;
    bits.write(isLast && at === plain.length ? 1 : 0, 1);
    bits.write(0, 2);
    bits.align();
    bits.write(part.length, 16);
    bits.write(part.length ^ 0xffff, 16);
    for (const byte of part) bits.write(byte, 8);
  } while (at < plain.length);
}

interface Codes {
  readonly literals: PrefixCode;
  readonly distances: PrefixCode;
}

function countSymbols(tokens: readonly PackToken[]): {
  readonly literals: Uint32Array;
  readonly distances: Uint32Array;
} {
  const literals = new Uint32Array(286);
  const distances = new Uint32Array(30);
  const count = (counts: Uint32Array, symbol: number): number => (counts[symbol] = (counts[symbol] ?? 0) + 1);
  for (const token of tokens) {
    if (token < 256) count(literals, token);
    else {
      count(literals, 257 + findStep(LENGTHS, token >> 16));
      count(distances, findStep(DISTANCES, token & 0xffff));
    }
  }
  count(literals, END_OF_BLOCK);
  return { literals, distances };
}

function writeToken(bits: Bits, token: PackToken, { literals, distances }: Codes): void {
  if (token < 256) {
    put(bits, literals, token);
    return;
  }
  const [length, distance] = [token >> 16, token & 0xffff];
  const lengthStep = findStep(LENGTHS, length);
  put(bits, literals, 257 + lengthStep);
  bits.write(length - (LENGTHS[lengthStep] ?? 0), LENGTH_BITS[lengthStep] ?? 0);
  const distanceStep = findStep(DISTANCES, distance);
  put(bits, distances, distanceStep);
  bits.write(distance - (DISTANCES[distanceStep] ?? 0), DISTANCE_BITS[distanceStep] ?? 0);
}

function put(bits: Bits, code: PrefixCode, symbol: number): void {
  bits.write(code.bits[symbol] ?? 0, code.lengths[symbol] ?? 0);
}

/** RFC 1951, 3.2.5: how many bits follow each symbol for a length or a distance, and the first value of each. */
const LENGTH_BITS = [...Array.from({ length: 28 }, (_, at) => (at < 8 ? 0 : (at >> 2) - 1)), 0];
const LENGTHS = [...firstValues(LENGTH_BITS.slice(0, 28), MIN_LENGTH), 258];
const DISTANCE_BITS = Array.from({ length: 30 }, (_, at) => (at < 4 ? 0 : (at >> 1) - 1));
const DISTANCES = firstValues(DISTANCE_BITS, 1);

function firstValues(extra: readonly number[], first: number): readonly number[] {
  let value = first;
  return extra.map((count) => {
    const start = value;
    value += 1 << count;
    return start;
  });
}

/** The last step that is not above the value. */
function findStep(steps: readonly number[], value: number): number {
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((steps[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The lengths of both codes, with runs shortened and coded themselves (RFC 1951, 3.2.7). */
function writeCodes(bits: Bits, { literals, distances }: Codes): void {
  const literalCount = Math.max(257, usedLength(literals.lengths));
  const distanceCount = Math.max(1, usedLength(distances.lengths));
  const runs = shortenRuns([
    ...literals.lengths.subarray(0, literalCount),
    ...distances.lengths.subarray(0, distanceCount),
  ]);
  const frequencies = new Uint32Array(19);
  for (const { symbol } of runs) frequencies[symbol] = (frequencies[symbol] ?? 0) + 1;
  const code = buildCode(frequencies, 7);
  const orderCount = Math.max(4, usedLength(Uint8Array.from(ORDER, (symbol) => code.lengths[symbol] ?? 0)));
  bits.write(literalCount - 257, 5);
  bits.write(distanceCount - 1, 5);
  bits.write(orderCount - 4, 4);
  for (const symbol of ORDER.slice(0, orderCount)) bits.write(code.lengths[symbol] ?? 0, 3);
  for (const { symbol, more, moreBits } of runs) {
    put(bits, code, symbol);
    bits.write(more, moreBits);
  }
}

function usedLength(lengths: Uint8Array): number {
  return lengths.findLastIndex((length) => length > 0) + 1;
}

interface Run {
  readonly symbol: number;
  readonly more: number;
  readonly moreBits: number;
}

function shortenRuns(lengths: readonly number[]): readonly Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < lengths.length;) {
    const value = lengths[at] ?? 0;
    let count = 1;
    while (lengths[at + count] === value) count += 1;
    at += count;
    if (value !== 0) {
      runs.push({ symbol: value, more: 0, moreBits: 0 });
      count -= 1;
    }
    while (count >= 3) {
      const taken = Math.min(count, value === 0 ? 138 : 6);
      if (value !== 0) runs.push({ symbol: 16, more: taken - 3, moreBits: 2 });
      else if (taken <= 10) runs.push({ symbol: 17, more: taken - 3, moreBits: 3 });
      else runs.push({ symbol: 18, more: taken - 11, moreBits: 7 });
      count -= taken;
    }
    for (; count > 0; count -= 1) runs.push({ symbol: value, more: 0, moreBits: 0 });
  }
  return runs;
}
