import { expect, test } from 'vitest';

import { AGENTS } from './agents.ts';

test('every agent has a mark of two letters that no other agent has', () => {
  const marks = Object.values(AGENTS).map(({ mark }) => mark);
  expect(marks.filter((mark) => !/^[A-Z][a-z]$/.test(mark))).toEqual([]);
  expect(marks.filter((mark, at) => marks.indexOf(mark) !== at)).toEqual([]);
});
