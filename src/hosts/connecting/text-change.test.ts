import fc from 'fast-check';
import { expect, test } from 'vitest';

import { findChange, undoChanges } from './text-change.ts';

test('whatever was inserted is taken back to the byte', () => {
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

test('a change is found where it is now, and taken back in the reverse order', () => {
  const changes = [findChange('ac', 'a[one]c'), findChange('a[one]c', 'a[one (two)]c')];
  expect(undoChanges('more a[one (two)]c', changes)).toBe('more ac');
});

test('a change that is not there any more, or there twice, is left alone', () => {
  expect(undoChanges('a[on]c', [{ before: '', after: '[one]' }])).toBeUndefined();
  expect(undoChanges('[one][one]', [{ before: '', after: '[one]' }])).toBeUndefined();
});
