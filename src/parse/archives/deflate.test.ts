import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { deflate } from './deflate.ts';

test('zlib unpacks everything that our deflate packs, whatever the bytes', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    fc.array(fc.constantFrom(0, 65, 66, 255), { maxLength: 5_000 }).map((values) => Uint8Array.from(values)),
    fc.string({ maxLength: 500 }).map((text) => Buffer.from(text.repeat(20))),
  );
  fc.assert(
    fc.property(bytes, (data) => {
      expect(inflateRawSync(deflate(data)).equals(data)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('zlib unpacks our deflate of long runs, of several blocks and of repeats at the greatest distance', () => {
  const far = Buffer.concat([Buffer.from('needle in a haystack'), noise(32_700), Buffer.from('needle in a haystack')]);
  for (const data of [Buffer.alloc(1_000_000), noise(200_000), far, Buffer.alloc(0), Buffer.from('a')])
    expect(inflateRawSync(deflate(data)).equals(data)).toBe(true);
});

test('our deflate packs text about as small as zlib, and noise grows by less than a thousandth', () => {
  const text = Buffer.from(
    Array.from({ length: 4_000 }, (_, at) => `Line ${at}: fill the form ${at % 37}, then check ${at % 11}.\n`).join(''),
  );
  expect(deflate(text).length).toBeLessThan(deflateRawSync(text).length * 1.1);
  expect(deflate(noise(100_000)).length).toBeLessThan(100_100);
});

test('our deflate gives the same bytes on every machine and Node version', () => {
  const text = Buffer.from('# PDF\n\nFill the form, then check the form.\n'.repeat(50));
  expect(createHash('sha256').update(deflate(text)).digest('hex')).toBe(
    'fab510979e8295f4b329ff1aa448b330d138f8e4d8d07cb294af46bdf4dd947d',
  );
});

/** The same bytes at every run. */
function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}
