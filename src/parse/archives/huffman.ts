/** A prefix code: for each symbol the number of its bits (0 if it does not occur), and the bits, first bit lowest. */
export interface PrefixCode {
  readonly lengths: Uint8Array;
  readonly bits: Uint16Array;
}

/** The shortest code for these frequencies in which no symbol has more than `maxBits` bits. */
export function buildCode(frequencies: Uint32Array, maxBits: number): PrefixCode {
  const lengths = findLengths(frequencies, maxBits);
  return { lengths, bits: assignBits(lengths, maxBits) };
}

interface Package {
  readonly weight: number;
  readonly symbols: readonly number[];
}

/** Package-merge. Equal weights keep the order of symbols, so that the result is the same everywhere. */
function findLengths(frequencies: Uint32Array, maxBits: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length);
  const leaves: Package[] = [];
  for (const [symbol, weight] of frequencies.entries()) if (weight > 0) leaves.push({ weight, symbols: [symbol] });
  if (leaves.length === 1) for (const symbol of leaves[0]?.symbols ?? []) lengths[symbol] = 1;
  if (leaves.length < 2) return lengths;
  leaves.sort((a, b) => a.weight - b.weight);
  let packages: readonly Package[] = [];
  for (let bit = 0; bit < maxBits; bit += 1) packages = merge(leaves, pair(packages));
  for (const { symbols } of packages.slice(0, 2 * leaves.length - 2))
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
  return lengths;
}

function pair(packages: readonly Package[]): readonly Package[] {
  const pairs: Package[] = [];
  for (let at = 0; at + 1 < packages.length; at += 2) {
    const [first, second] = [packages[at], packages[at + 1]];
    if (first === undefined || second === undefined) continue;
    pairs.push({ weight: first.weight + second.weight, symbols: [...first.symbols, ...second.symbols] });
  }
  return pairs;
}

function merge(a: readonly Package[], b: readonly Package[]): readonly Package[] {
  return [...a, ...b].sort((left, right) => left.weight - right.weight);
}

/** Shorter codes come first, then lower symbols, as RFC 1951 (3.2.2) has it. */
function assignBits(lengths: Uint8Array, maxBits: number): Uint16Array {
  const bits = new Uint16Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= maxBits; length += 1) {
    next <<= 1;
    for (const [symbol, each] of lengths.entries()) {
      if (each !== length) continue;
      bits[symbol] = reverse(next, length);
      next += 1;
    }
  }
  return bits;
}

function reverse(value: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit += 1) reversed |= ((value >> bit) & 1) << (length - 1 - bit);
  return reversed;
}
