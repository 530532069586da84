import { expect, test } from 'vitest';

import { parseStatement } from './parse-statement.ts';
import { printStatement } from './print-statement.ts';

test.each([
  ['?s deployment ^3 #devops', '?s deployment #devops ^3'],
  ['?s "deployment"', '?s deployment'],
  ['?s ""', '?s ""'],
  ['+s x @ops "two\nlines" #a', String.raw`+s x #a @ops content="two\nlines"`],
  [String.raw`+s x content="\"\\\t"`, String.raw`+s x content="\"\\\t"`],
  ['>s pdf script=scripts/fill.py args="a b"', '>s pdf script=scripts/fill.py args="a b"'],
  ['!s "pdf/references/tables.md" offset="100000"', '!s pdf/references/tables.md offset=100000'],
  ['!s "pdf/two words.md"', '!s "pdf/two words.md"'],
  ['+k note "text" #a', '+k note #a "text"'],
])('the CTX statement %j is printed as %j', (text, printed) => {
  const parsed = parseStatement(text);
  expect(parsed.ok && printStatement(parsed.statement)).toBe(printed);
});

test.each([
  ['a tag with a blank', { tags: ['two words'] }],
  ['an empty tag', { tags: [''] }],
  ['a domain with a quotation mark', { domain: 'a"b' }],
  ['a key with a blank', { pairs: { 'a b': 'c' } }],
])('printing a CTX statement throws on %s', (_, part) => {
  const statement = { operator: '?', plane: 'k', tags: [], pairs: {}, ...part } as const;
  expect(() => printStatement(statement)).toThrow(RangeError);
});
