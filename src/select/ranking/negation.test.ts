import { expect, test } from 'vitest';

import { splitRuledOut } from './negation.ts';

function ruledOut(request: string): readonly string[] {
  const pieces = splitRuledOut(request);
  expect(pieces.map(({ text }) => text).join('')).toBe(request);
  return pieces.filter(({ isRuledOut }) => isRuledOut).map(({ text }) => text);
}

test('what a request rules out is recognized up to the end of its clause', () => {
  expect(ruledOut("I'm in FastAPI, not Litestar. Fix the upload.")).toEqual([', not Litestar']);
  expect(ruledOut('Write a brief without charts, maps or tables. Keep it short.')).toEqual([
    'without charts, maps or tables',
  ]);
  expect(ruledOut('use tabs instead of spaces because they asked')).toEqual(['instead of spaces ']);
});

test('a request that describes a failure rules nothing out', () => {
  expect(ruledOut('the form is not saved and no rows are returned')).toEqual([]);
  expect(ruledOut('')).toEqual([]);
});
