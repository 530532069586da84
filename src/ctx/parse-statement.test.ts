import { describe, expect, test } from 'vitest';

import { parseStatement } from './parse-statement.ts';
import type { Statement } from './statement.ts';

const NOTHING = { tags: [], pairs: {} };

/** Every statement of the document that describes the skills plane, and those of the pages beside it. */
const DOCUMENTED: readonly (readonly [text: string, statement: Statement])[] = [
  [
    '?s "deployment" #devops ^3',
    { operator: '?', plane: 's', target: 'deployment', tags: ['devops'], limit: 3, pairs: {} },
  ],
  [
    '+s "new-workflow" content="..."',
    { operator: '+', plane: 's', target: 'new-workflow', tags: [], pairs: { content: '...' } },
  ],
  ['!s deployment', { ...NOTHING, operator: '!', plane: 's', target: 'deployment' }],
  ['?s "process 3D assets" ^3', { ...NOTHING, operator: '?', plane: 's', target: 'process 3D assets', limit: 3 }],
  ['!s godot-mcp-roles', { ...NOTHING, operator: '!', plane: 's', target: 'godot-mcp-roles' }],
  [
    '+s new-workflow "Steps: lint, test, deploy"',
    { operator: '+', plane: 's', target: 'new-workflow', tags: [], pairs: { content: 'Steps: lint, test, deploy' } },
  ],
  ['?k #architecture', { operator: '?', plane: 'k', tags: ['architecture'], pairs: {} }],
];

/** Other forms that the grammar allows. */
const ALLOWED: readonly (readonly [text: string, statement: Statement])[] = [
  ['?s', { ...NOTHING, operator: '?', plane: 's' }],
  ['?s ""', { ...NOTHING, operator: '?', plane: 's', target: '' }],
  ['  ?s deploy\n', { ...NOTHING, operator: '?', plane: 's', target: 'deploy' }],
  ['?s\t deploy \u3000#a', { ...NOTHING, operator: '?', plane: 's', target: 'deploy', tags: ['a'] }],
  ['?s #a #b @ops ^7', { operator: '?', plane: 's', tags: ['a', 'b'], domain: 'ops', limit: 7, pairs: {} }],
  ['?s ^7 @ops #b #a #b', { operator: '?', plane: 's', tags: ['b', 'a'], domain: 'ops', limit: 7, pairs: {} }],
  ['?s c#', { ...NOTHING, operator: '?', plane: 's', target: 'c#' }],
  ['?s a@b^c', { ...NOTHING, operator: '?', plane: 's', target: 'a@b^c' }],
  ['?s https://a.b/c?d=e', { ...NOTHING, operator: '?', plane: 's', target: 'https://a.b/c?d=e' }],
  ['?s "#tag"', { ...NOTHING, operator: '?', plane: 's', target: '#tag' }],
  ['?s "a=b"', { ...NOTHING, operator: '?', plane: 's', target: 'a=b' }],
  ['?s #c#', { ...NOTHING, operator: '?', plane: 's', tags: ['c#'] }],
  ['?s "e\u0301"', { ...NOTHING, operator: '?', plane: 's', target: '\u00E9' }],
  [String.raw`?s "a \"b\" \\ c\nd\te"`, { ...NOTHING, operator: '?', plane: 's', target: 'a "b" \\ c\nd\te' }],
  ['?s "over\ntwo lines"', { ...NOTHING, operator: '?', plane: 's', target: 'over\ntwo lines' }],
  [
    '+s x #a "body" @ops #b',
    { operator: '+', plane: 's', target: 'x', tags: ['a', 'b'], domain: 'ops', pairs: { content: 'body' } },
  ],
  [
    '+s x #a content=body description="What it does." tags="a, b" version=1.2 domain=ops #b',
    {
      operator: '+',
      plane: 's',
      target: 'x',
      tags: ['a', 'b'],
      pairs: { content: 'body', description: 'What it does.', tags: 'a, b', version: '1.2', domain: 'ops' },
    },
  ],
  ['~s x "new body"', { operator: '~', plane: 's', target: 'x', tags: [], pairs: { content: 'new body' } }],
  ['~s x tags=""', { operator: '~', plane: 's', target: 'x', tags: [], pairs: { tags: '' } }],
  ['~s x @ops', { operator: '~', plane: 's', target: 'x', tags: [], domain: 'ops', pairs: {} }],
  ['!s pdf/references/tables.md', { ...NOTHING, operator: '!', plane: 's', target: 'pdf/references/tables.md' }],
  ['!s "pdf/two words.md"', { ...NOTHING, operator: '!', plane: 's', target: 'pdf/two words.md' }],
  ['!s pdf/x.md offset=0', { operator: '!', plane: 's', target: 'pdf/x.md', tags: [], pairs: { offset: '0' } }],
  ['-s x', { ...NOTHING, operator: '-', plane: 's', target: 'x' }],
  [
    '>s pdf script=fill.py args="form.pdf out.pdf"',
    { operator: '>', plane: 's', target: 'pdf', tags: [], pairs: { script: 'fill.py', args: 'form.pdf out.pdf' } },
  ],
  [
    '>s pdf args=a=b script=x',
    { operator: '>', plane: 's', target: 'pdf', tags: [], pairs: { args: 'a=b', script: 'x' } },
  ],
  ['-l', { ...NOTHING, operator: '-', plane: 'l' }],
  ['+m note "remember" #x', { operator: '+', plane: 'm', target: 'note', tags: ['x'], text: 'remember', pairs: {} }],
  [
    '>t deploy env=staging size="2 xl"',
    { operator: '>', plane: 't', target: 'deploy', tags: [], pairs: { env: 'staging', size: '2 xl' } },
  ],
  ...(['k', 't', 'm', 'a', 'i', 'l'] as const).map((plane): readonly [string, Statement] => [
    `?${plane} x`,
    { ...NOTHING, operator: '?', plane, target: 'x' },
  ]),
];

test.each([...DOCUMENTED, ...ALLOWED])('%j is a valid CTX statement', (text, statement) => {
  expect(parseStatement(text)).toEqual({ ok: true, statement });
});

test('a CTX payload without a key is the same as one with the key content', () => {
  expect(parseStatement('+s new-workflow "…"')).toEqual(parseStatement('+s "new-workflow" content="…"'));
});

/** Text, position, what is found there, and a part of what was expected. */
const REFUSED: readonly (readonly [text: string, position: number, found: string, expected: string])[] = [
  ['', 0, 'the end', 'an operator: ? ! + ~ - >'],
  ['   ', 0, 'the end', 'an operator'],
  ['?', 1, 'the end', 'a plane: s k t m a i l'],
  ['search for it', 0, 'search', 'an operator'],
  ['^a x', 0, '^a', 'an operator'],
  ['?z x', 1, 'z', 'a plane'],
  ['?S x', 1, 'S', 'a plane'],
  ['? s x', 1, ' ', 'a plane'],
  ['?sx', 2, 'x', 'a space'],
  ['?s"x"', 2, '"x"', 'a space'],
  ['?s\nx', 2, 'a line break', 'a space'],
  ['?s x\n?s y', 4, 'a line break', 'a space'],
  ['?s x \n?s y', 5, 'a line break', 'a space'],
  ['?s two words', 7, 'words', 'a filter'],
  ["?s 'two words'", 8, "words'", 'quotation marks'],
  ['?s "open', 8, 'the end', 'the closing " of the text that starts at 3'],
  [String.raw`?s "a\d"`, 5, String.raw`\d"`, String.raw`one of the escapes \" \\ \n \t`],
  [String.raw`?s "a\u0041"`, 5, String.raw`\u0041"`, 'one of the escapes'],
  [String.raw`?s "a` + '\\', 5, '\\', 'one of the escapes'],
  ['?s "a"b', 6, 'b', 'a space'],
  ['?s a"b"', 4, '"b"', 'a space'],
  ['?s #', 3, '#', 'a tag right after #'],
  ['?s # tag', 3, '#', 'a tag right after #'],
  ['?s #"two words"', 4, '"two', 'a space'],
  ['?s @', 3, '@', 'a domain right after @'],
  ['?s @a @b', 6, '@b', 'only one domain'],
  ['?s ^0', 3, '^0', 'a whole number from 1'],
  ['?s ^x', 3, '^x', 'a whole number from 1'],
  ['?s ^-1', 3, '^-1', 'a whole number from 1'],
  ['?s ^1.5', 3, '^1.5', 'a whole number from 1'],
  ['?s ^9999999999', 3, '^9999999999', 'a whole number from 1'],
  ['?s ^3 ^4', 6, '^4', 'only one ^'],
  ['?s x "y"', 5, '"y"', 'no payload: a search takes none'],
  ['?s #a "y"', 6, '"y"', 'the target comes right after the plane'],
  ['?s a=b', 3, 'a=b', 'no payload: a search takes none'],
  ['!s', 2, 'the end', 'the name of a skill'],
  ['!s ""', 3, '""', 'the name of a skill'],
  ['!s x #a', 5, '#a', 'no filter: loading takes no #'],
  ['!s x "y"', 5, '"y"', 'one of the keys offset; the target comes right after the plane'],
  ['!s x path=y', 5, 'path=y', 'one of the keys offset'],
  ['!s x/y offset=', 14, 'the end', 'a value for offset'],
  ['!s x/y offset=-1', 14, '-1', 'a whole number from 0 for offset'],
  ['!s x/y offset=1.5', 14, '1.5', 'a whole number from 0 for offset'],
  ['!s x/y offset="1 "', 14, '"1', 'a whole number from 0 for offset'],
  ['!s x/y offset=9999999999', 14, '9999999999', 'a whole number from 0 for offset'],
  ['-s', 2, 'the end', 'the name of a skill'],
  ['-s x ^1', 5, '^1', 'no filter'],
  ['-s x y=z', 5, 'y=z', 'no payload'],
  ['+s x', 4, 'the end', 'the instructions'],
  ['+s x description=d', 18, 'the end', 'the instructions'],
  ['+s "…"', 6, 'the end', 'the instructions'],
  ['+s x ""', 5, '""', 'a non-empty value for content'],
  ['+s x content=" "', 13, '"', 'a non-empty value for content'],
  ['+s x content=', 13, 'the end', 'a value for content'],
  ['+s x content= #a', 13, ' ', 'a value for content'],
  ['+s x "a" "b"', 9, '"b"', 'only one payload'],
  ['+s x "a" description=d', 9, 'description=d', 'write it as content="…"'],
  ['+s x description=d "a"', 19, '"a"', 'either one text or pairs'],
  ['+s x "a" ^1', 9, '^1', 'one of the filters # @: storing takes no ^'],
  ['+s x content=a content=b', 15, 'content=b', 'content only once'],
  ['+s x content=a colour=red', 15, 'colour=red', 'one of the keys content, description, tags, domain, version'],
  ['+s x content=a domain=a @b', 24, '@b', 'only one domain'],
  ['+s x content=a @b domain=a', 18, 'domain=a', 'only one domain'],
  ['~s x', 4, 'the end', 'what to change'],
  ['>s x', 4, 'the end', 'script=…'],
  ['>s x env=staging', 5, 'env=staging', 'one of the keys script, args'],
  ['+k x __proto__=1', 5, '__proto__=1', 'another key'],
  ['+k x constructor=1', 5, 'constructor=1', 'another key'],
  ['+k x prototype="1"', 5, 'prototype="1"', 'another key'],
  ['+s x __proto__=1', 5, '__proto__=1', 'another key'],
  ['+k x a=1 a=2', 9, 'a=2', 'a only once'],
  ['+k x "a" b=2', 9, 'b=2', 'nothing after'],
  ['?s a\0b', 4, 'an invalid character', 'text'],
  ['?s a\uD800b', 4, 'an invalid character', 'text'],
  [`?s ${'x'.repeat(40)} ${'y'.repeat(40)}`, 44, `${'y'.repeat(31)}…`, 'a filter'],
];

test.each(REFUSED)('the CTX statement %j is refused at position %d, where %j stands', (...row) => {
  const [text, position, found, expected] = row;
  expect(parseStatement(text)).toEqual({
    ok: false,
    code: 'CTX_INVALID',
    position,
    found,
    expected: expect.stringContaining(expected),
    message: expect.stringContaining(`at position ${position}: found ${found}, expected `),
  });
});

describe('the length of a CTX statement', () => {
  const searchFor = (bytes: number): string => `?s ${'x'.repeat(bytes - 3)}`;

  test('is 2 to 65,536 bytes', () => {
    expect(parseStatement(searchFor(65_536)).ok).toBe(true);
    expect(parseStatement(searchFor(65_537))).toMatchObject({
      code: 'CTX_INVALID',
      position: 0,
      found: '65537 bytes',
      expected: '2 to 65536 bytes',
    });
  });

  test('is counted in bytes of the normalized and trimmed text', () => {
    expect(parseStatement(`?s ${'é'.repeat(32_767)}`)).toMatchObject({ found: '65537 bytes' });
    expect(parseStatement(`?s ${'e\u0301'.repeat(32_766)}`).ok).toBe(true);
    expect(parseStatement(`${' '.repeat(1_000_000)}?s x${'\n'.repeat(1_000_000)}`).ok).toBe(true);
  });

  test('that is absurd is refused without parsing', () => {
    expect(parseStatement('x'.repeat(50_000_000))).toMatchObject({ found: '50000000 bytes' });
  });
});
