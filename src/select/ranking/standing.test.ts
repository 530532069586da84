import fc from 'fast-check';
import { expect, test } from 'vitest';

import { standingsOf } from './standing.ts';

test.each([
  ['Review my migration', ['review'], ['migration']],
  ['We have a table. Please migrate it', ['we', 'please', 'migrate'], ['table']],
  ['I want you to parseForms: check the invoice', ['i', 'to', 'parse', 'forms', 'check'], ['invoice']],
  ['do the check, then check the disk', ['do'], ['check', 'disk']],
  ['', [], []],
])('verbs open a sentence or are asked for, and things have articles: %s', (request, asked, named) => {
  const standings = [...standingsOf(request)];
  expect(standings.flatMap(([token, { isAskedFor }]) => (isAskedFor ? token : []))).toEqual(asked);
  expect(standings.flatMap(([token, { isNamed }]) => (isNamed ? token : []))).toEqual(named);
});

test('a long request of one kind of sign is read in time', () => {
  const hostile = ['a', '_', '/', '"', 'a ', 'aB', '\u00e9', '\u8868'].map((sign) => sign.repeat(8_000 / sign.length));
  for (const request of hostile) expect(standingsOf(request).size).toBeLessThan(8_000);
});

test('words of a request in ASCII stand the same alone as before other letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (request) => {
      const beside = standingsOf(`${request} \u00e9`);
      for (const [token, standing] of standingsOf(request))
        expect([token, beside.get(token)]).toEqual([token, standing]);
    }),
    { numRuns: 2_000 },
  );
});
