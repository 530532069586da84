import fc from 'fast-check';
import { expect, test } from 'vitest';

import { findChange, undoChanges } from './text-change.ts';

test('undoing a text insertion restores the original to the byte, whatever was inserted', () => {
  const insertion = fc.tuple(fc.string(), fc.string({ minLength: 1 }), fc.string());
  fc.assert(
    fc.property(insertion, ([head, inserted, tail]) => {
      const before = `${head}${tail}`;
      const after = `${head}${inserted}\u0000${tail}`;
      expect(undoChanges(after, [findChange(before, after)])).toBe(before);
    }),
    { seed: 20_261_117 },
  );
});

test('undoing nested text changes works in reverse order, and after the text has moved', () => {
  const changes = [findChange('ac', 'a[one]c'), findChange('a[one]c', 'a[one (two)]c')];
  expect(undoChanges('more a[one (two)]c', changes)).toBe('more ac');
});

test('a text change that is missing or found twice is not undone', () => {
  expect(undoChanges('a[on]c', [{ before: '', after: '[one]' }])).toBeUndefined();
  expect(undoChanges('[one][one]', [{ before: '', after: '[one]' }])).toBeUndefined();
});
