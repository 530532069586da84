import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { compileNeedles } from './find-any.ts';

test('the needle search returns the first place of any needle within the given range', () => {
  const find = compileNeedles(['"name":"Skill"', '<command-message>']);
  const text = Buffer.from('{"content":"<command-message>pdf"} {"name":"Skill"}');
  expect(find(text, 0, text.length)).toBe(12);
  expect(find(text, 13, text.length)).toBe(36);
  expect(find(text, 37, text.length)).toBe(-1);
  expect(find(text, 0, 28)).toBe(-1);
});

test('the needle search agrees with a plain search for each needle, whatever the bytes', () => {
  const letter = fc.constantFrom('a', 'b', '"', 'é');
  const needle = fc.string({ unit: letter, minLength: 7, maxLength: 12 });
  const given = fc.array(needle, { minLength: 1, maxLength: 4 }).chain((needles) =>
    fc.record({
      needles: fc.constant(needles),
      parts: fc.array(fc.oneof(fc.constantFrom(...needles), letter, fc.constant('\n')), { maxLength: 40 }),
      from: fc.nat(30),
      cut: fc.nat(5),
    }),
  );
  fc.assert(
    fc.property(given, ({ needles, parts, from, cut }) => {
      const bytes = Buffer.from(parts.join(''));
      const end = Math.max(0, bytes.length - cut);
      const places = needles.map((text) => bytes.subarray(0, end).indexOf(text, from)).filter((place) => place !== -1);
      expect(compileNeedles(needles)(bytes, from, end)).toBe(places.length === 0 ? -1 : Math.min(...places));
    }),
    { numRuns: propertyRuns(2_000), seed: 20_261_116 },
  );
});

test('the needle search tells many similar needles apart and returns the one that begins first', () => {
  const needles = Array.from({ length: 40 }, (_, at) => `"${String(at * 7_919 + 1_000_003).repeat(3)}"`);
  const find = compileNeedles(needles);
  for (const [at, needle] of needles.entries())
    for (const blank of [' ', '  ', '   ', '    ']) {
      const text = Buffer.from(`${blank}"1000${needle}${needles[(at + 1) % needles.length]}`);
      expect(find(text, 0, text.length)).toBe(blank.length + 5);
      expect(find(text, blank.length + 6, text.length)).toBe(blank.length + 5 + needle.length);
    }
});

test('the needle search sees changes in a reused buffer and works on other buffers', () => {
  const find = compileNeedles(['"name":"Skill"']);
  const memory = Buffer.alloc(64, ' ');
  expect(find(memory, 0, 64)).toBe(-1);
  memory.write('"name":"Skill"', 21);
  expect(find(memory, 0, 64)).toBe(21);
  expect(find(Buffer.alloc(64), 0, 64)).toBe(-1);
  expect(find(memory, 0, 64)).toBe(21);
});

test('the needle search refuses a needle that is too short to be found reliably', () => {
  expect(() => compileNeedles(['"name":"Skill"', '"Skill'])).toThrow('less than 7 bytes');
});
