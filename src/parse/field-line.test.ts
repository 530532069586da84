import { expect, test } from 'vitest';

import { openFieldLines } from './field-line.ts';

const TEXT = `\n---\r\nname: demo\r\n"tags": [a, b]\r\ntoolsets:\r\n- 'a:A'\r\n  # a comment: b:B\r\n- b:B\r\nscripts: [\r\n  "one.sh",\r\n  a:A\r\n]\r\n---\r\nlicense: MIT\r\n`;

test.each([
  ['name', undefined, 3],
  ['tags', undefined, 4],
  ['tags', 'b', 4],
  ['toolsets', undefined, 5],
  ['toolsets', 'a:A', 6],
  ['toolsets', 'b:B', 8],
  ['toolsets', 'c:C', 5],
  ['scripts', 'one.sh', 10],
  ['scripts', 'a:A', 11],
  ['license', undefined, undefined],
])('the frontmatter field %s with item %s is found at line %s', (field, item, line) => {
  expect(openFieldLines(TEXT)(field, item)).toBe(line);
});

test('a text without frontmatter has no field lines', () => {
  expect(openFieldLines('name: demo\n')('name')).toBeUndefined();
});
