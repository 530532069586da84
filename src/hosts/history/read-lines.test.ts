import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { readLines } from './read-lines.ts';

/** Reads bytes in pieces of this size, all in the same memory. */
async function read(content: string | Buffer, size = 16) {
  const bytes = Buffer.from(content);
  const memory = Buffer.alloc(size);
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield memory.subarray(0, bytes.copy(memory, 0, at, at + size));
  }
  const result = { lines: [] as string[], bytes: 0, tooLong: 0 };
  for await (const block of readLines(pieces())) {
    result.lines.push(...(block?.text.toString().split('\n').slice(0, -1) ?? []));
    result.bytes += block?.bytes ?? 0;
    result.tooLong += block?.tooLong ?? 0;
  }
  return result;
}

test('the lines of a transcript end before an unfinished one, which is left for next time', async () => {
  expect(await read('a 1\nb, cu')).toEqual({ lines: ['a 1'], bytes: 4, tooLong: 0 });
  expect(await read('a 1\n\nb\n')).toEqual({ lines: ['a 1', '', 'b'], bytes: 7, tooLong: 0 });
});

test('a line of a transcript may be longer than the pieces in which the file is read', async () => {
  const long = `${'x'.repeat(1_000)} ${'é'.repeat(1_000)}`;
  expect(await read(`no\n${long}\nyes\n`)).toMatchObject({ lines: ['no', long, 'yes'], tooLong: 0 });
});

test('a line of a transcript with more than 32 MiB is skipped and counted, and the rest is read', async () => {
  const content = Buffer.concat([Buffer.from('1\n"'), Buffer.alloc(40_000_000, 'x'), Buffer.from('\n2\n')]);
  expect(await read(content, 65_536)).toEqual({ lines: ['1', '2'], bytes: content.length, tooLong: 1 });
  const cut = content.subarray(0, -3);
  expect(await read(cut, 65_536)).toEqual({ lines: ['1'], bytes: cut.length, tooLong: 1 });
});

test('the lines of a transcript that cannot be read to its end are followed by undefined', async () => {
  const blocks: unknown[] = [];
  for await (const block of readLines([Buffer.from('a\nb'), undefined])) blocks.push(block?.text.toString());
  expect(blocks).toEqual(['a\n', undefined]);
});

test('the lines of a transcript are the same in pieces of any size', async () => {
  const word = fc.constantFrom('yes', 'é', '\n', '\n', ' a longer text ', '𝄞');
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 80 }), fc.integer({ min: 1, max: 40 }), async (words, size) => {
      const complete = words.join('').slice(0, words.join('').lastIndexOf('\n') + 1);
      const lines = complete.split('\n').slice(0, -1);
      expect(await read(words.join(''), size)).toEqual({ lines, bytes: Buffer.byteLength(complete), tooLong: 0 });
    }),
    { numRuns: propertyRuns(200), seed: 20_261_116 },
  );
});
