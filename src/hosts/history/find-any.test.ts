import fc from 'fast-check';
import { expect, test } from 'vitest';

import { compileNeedles } from './find-any.ts';

test('any of the needles is found at its first place', () => {
  const find = compileNeedles(['"name":"Skill"', '<command-message>']);
  const text = Buffer.from('{"content":"<command-message>pdf"} {"name":"Skill"}');
  expect(find(text, 0, text.length)).toBe(12);
  expect(find(text, 13, text.length)).toBe(36);
  expect(find(text, 37, text.length)).toBe(-1);
  expect(find(text, 0, 28)).toBe(-1);
});

test('it finds what a plain search for each needle finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '"', 'é'), minLength: 2, maxLength: 7 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '"', 'é', '\n'), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), text, fc.nat(5), (needles, content, from) => {
      const bytes = Buffer.from(content);
      const places = needles.map((needle) => bytes.indexOf(needle, from)).filter((place) => place !== -1);
      const start = Math.min(from, bytes.length);
      expect(compileNeedles(needles)(bytes, start, bytes.length)).toBe(
        Math.min(...places, Infinity) === Infinity ? -1 : Math.min(...places),
      );
    }),
    { numRuns: 1_000, seed: 20_261_116 },
  );
});
