import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseChoice } from './ask.ts';

describe('parseChoice', () => {
  test.each([
    ['1', [0]],
    ['1,3-5', [0, 2, 3, 4]],
    ['3 1 2-3', [0, 1, 2]],
    [' 2 , 2 ', [1]],
    ['all', [0, 1, 2, 3, 4]],
    ['A', [0, 1, 2, 3, 4]],
    ['*', [0, 1, 2, 3, 4]],
    ['', []],
    [',', []],
  ])('%j of five', (answer, chosen) => {
    expect(parseChoice(answer, 5)).toEqual(chosen);
  });

  test.each(['0', '6', '3-6', '4-2', '-1', '1-', 'one', '1.5', '1;2', '1e1', '9999999', '+1', 'all,1'])(
    '%j is not understood',
    (answer) => {
      expect(parseChoice(answer, 5)).toBeUndefined();
    },
  );

  test('gives positions of the list, each once and in order, or nothing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('0', '1', '2', '3', '9', ',', '-', ' ') }),
        fc.integer({ min: 1, max: 50 }),
        (answer, count) => {
          const chosen = parseChoice(answer, count) ?? [];
          expect(chosen).toEqual([...new Set(chosen)].toSorted((a, b) => a - b));
          expect(chosen.every((at) => at >= 0 && at < count)).toBe(true);
        },
      ),
      { seed: 20_261_115 },
    );
  });
});
