import { expect, test } from 'vitest';

import { bytesInMemory, decodeColumns, encodeColumns, openColumns } from './column-file.ts';

const LARGE = Uint32Array.from({ length: 2_000_000 }, (_, at) => Math.imul(at, 0x9e3779b1));
const SMALL = Uint8Array.from([1, 2, 3]);
const FILE = encodeColumns('me', [SMALL, LARGE, SMALL]);

/** Counts the bytes that are read. */
function watched(bytes: Uint8Array): ReturnType<typeof bytesInMemory> & { total: number } {
  const source = bytesInMemory(bytes);
  const counting = {
    size: source.size,
    total: 0,
    read(from: number, length: number) {
      counting.total += length;
      return source.read(from, length);
    },
  };
  return counting;
}

function numbersOf({ buffer, byteOffset, byteLength }: Uint8Array): readonly number[] {
  return [...new Uint32Array(buffer, byteOffset, byteLength / 4)];
}

test('opening a column file reads its small columns, and only the requested part of a large one', () => {
  const source = watched(FILE);
  const columns = openColumns(source, 'me');
  expect([0, 1, 2].map((column) => columns?.isInMemory(column))).toEqual([true, false, true]);
  expect(source.total).toBeLessThan(10_000);
  expect(columns?.read(2)).toEqual(SMALL);
  const range = columns?.read(1, 4 * 999_999, 4 * 1_000_002) ?? new Uint8Array();
  expect(numbersOf(range)).toEqual([...LARGE.subarray(999_999, 1_000_002)]);
  expect(source.total).toBeLessThan(10_000);
});

test('a large column of a column file is read back unchanged', () => {
  const whole = decodeColumns(FILE, 'me')?.[1] ?? new Uint8Array();
  expect(Buffer.from(whole).equals(Buffer.from(LARGE.buffer))).toBe(true);
});

test('a large column with missing blocks is noticed without reading the whole column file', () => {
  const damaged = Uint8Array.from(FILE);
  damaged.fill(0, 3_000_000, 3_200_000);
  expect(openColumns(bytesInMemory(damaged), 'me')).toBeUndefined();
});

test('a part of a column file that can no longer be read becomes zeros', () => {
  const source = bytesInMemory(FILE);
  let isGone = false;
  const columns = openColumns(
    { ...source, read: (from, length) => (isGone ? undefined : source.read(from, length)) },
    'me',
  );
  isGone = true;
  expect(columns?.read(1, 0, 8)).toEqual(new Uint8Array(8));
  expect(columns?.read(0)).toEqual(SMALL);
});
