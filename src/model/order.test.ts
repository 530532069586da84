import { expect, test } from 'vitest';

import { compareText } from './order.ts';

test('texts are sorted by code points, even where UTF-16 units sort differently', () => {
  const texts = ['b', 'a', 'B', 'ab', '', '\u{1F600}', '\uFF21', 'é', '\u{1F601}'];
  const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(texts.toSorted(compareText)).toEqual(byBytes);
  expect(compareText('same', 'same')).toBe(0);
});
