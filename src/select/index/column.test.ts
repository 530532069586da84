import { expect, test } from 'vitest';

import { bytesInMemory, encodeColumns, openColumns, type OpenColumns } from '../../parse/column-file.ts';
import { columnOf, wholeOf } from './column.ts';

const NUMBERS = Uint8Array.from({ length: 5_000_000 }, (_, at) => at % 251);
const VIEW = { bytesEach: 1, of: (bytes: Uint8Array) => bytes };

function open(): { readonly file: OpenColumns; readonly reads: { count: number; bytes: number } } {
  const source = bytesInMemory(encodeColumns('me', [NUMBERS]));
  const reads = { count: 0, bytes: 0 };
  const read = (from: number, length: number): Uint8Array | undefined => {
    reads.count += 1;
    reads.bytes += length;
    return source.read(from, length);
  };
  const file = openColumns({ size: source.size, read }, 'me');
  if (file === undefined) throw new Error('the file was not opened');
  reads.count = reads.bytes = 0;
  return { file, reads };
}

test('a few ranges of a large index column are read one by one; many load it once', () => {
  const { file, reads } = open();
  const column = columnOf(file, 0, VIEW);
  expect([...column.range(1_000_000, 1_000_003)]).toEqual([...NUMBERS.subarray(1_000_000, 1_000_003)]);
  expect(reads).toEqual({ count: 1, bytes: 3 });
  for (let at = 0; at < 5_000; at += 1) expect(column.range(at, at + 1)[0]).toBe(at % 251);
  expect(reads.count).toBeLessThan(1_000);
  expect(reads.bytes).toBeLessThan(NUMBERS.length + 1_000);
});

test('an index column that is needed completely is read once', () => {
  const { file, reads } = open();
  const column = columnOf(file, 0, VIEW);
  expect(Buffer.from(wholeOf(column)).equals(NUMBERS)).toBe(true);
  wholeOf(column);
  expect(reads.count).toBe(1);
});
