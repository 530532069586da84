import fc from 'fast-check';
import { expect, test } from 'vitest';

import { standingsOf } from './emphasis.ts';

test.each([
  ['Review my migration', ['review'], ['migration']],
  ['We have a table. Please migrate it', ['we', 'please', 'migrate'], ['table']],
  ['I want you to parseForms: check the invoice', ['i', 'to', 'parse', 'forms', 'check'], ['invoice']],
  ['do the check, then check the disk', ['do'], ['check', 'disk']],
  ['', [], []],
])('verbs and things in a request are recognized by their position and articles: "%s"', (request, asked, named) => {
  const standings = [...standingsOf(request)];
  expect(standings.flatMap(([token, { isAskedFor }]) => (isAskedFor ? token : []))).toEqual(asked);
  expect(standings.flatMap(([token, { isNamed }]) => (isNamed ? token : []))).toEqual(named);
});

test('finding the verbs and things of a request copes with hostile requests', () => {
  const hostile = ['a', '_', '/', '"', 'a ', 'aB', '\u00e9', '\u8868'].map((sign) => sign.repeat(8_000 / sign.length));
  for (const request of hostile) expect(standingsOf(request).size).toBeLessThan(8_000);
});

test('verbs and things of an ASCII request are the same alone and before other letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (request) => {
      const beside = standingsOf(`${request} \u00e9`);
      for (const [token, standing] of standingsOf(request))
        expect([token, beside.get(token)]).toEqual([token, standing]);
    }),
    { numRuns: 2_000 },
  );
});
