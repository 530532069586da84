import fc from 'fast-check';
import { expect, test } from 'vitest';

import { extractStatements } from './extract-statements.ts';
import { parseStatement } from './parse-statement.ts';

test('extracting CTX statements takes whole lines of an answer and leaves the rest as prose', () => {
  const answer = [
    'I need to know how to deploy.',
    '?s "deployment" #devops ^3',
    'Then I load it:',
    '!s deployment',
    '- a list item',
    '-such as this',
    '> a quotation',
    'and not in the middle ?s of a line.',
  ];
  expect(extractStatements(answer.join('\n'))).toEqual({
    statements: [
      {
        line: 2,
        raw: '?s "deployment" #devops ^3',
        statement: { operator: '?', plane: 's', target: 'deployment', tags: ['devops'], limit: 3, pairs: {} },
      },
      {
        line: 4,
        raw: '!s deployment',
        statement: { operator: '!', plane: 's', target: 'deployment', tags: [], pairs: {} },
      },
    ],
    prose: answer.filter((_, at) => at !== 1 && at !== 3).join('\n'),
  });
});

test.each([
  ['?s two words', 'what does not parse'],
  ['?z x', 'an unknown plane'],
  ['-s', 'a statement that lacks its target'],
  ['  ?s deploy', 'an indented line'],
  ['> ?s deploy', 'a quoted line'],
  ['?s "open\ntext"', 'a text over two lines'],
  [`?s ${'x'.repeat(70_000)}`, 'a line that is too long'],
  ['', 'nothing'],
])('extracting CTX statements leaves %j as prose: %s', (text) => {
  expect(extractStatements(text)).toEqual({ statements: [], prose: text });
});

test('extracting CTX statements finds those that read a file, and takes no bare path for one', () => {
  const text =
    '!s pdf/references/tables.md\n!s "pdf/two words.md" offset=100000\n!scripts/x\n/etc/passwd\n!s two words/x';
  const { statements, prose } = extractStatements(text);
  expect(statements.map(({ statement: { target, pairs } }) => [target, pairs])).toEqual([
    ['pdf/references/tables.md', {}],
    ['pdf/two words.md', { offset: '100000' }],
  ]);
  expect(prose).toBe('!scripts/x\n/etc/passwd\n!s two words/x');
});

test('extracting CTX statements accepts Windows line endings and other planes', () => {
  const { statements, prose } = extractStatements('Look:\r\n?k "docs"\r\n-s x\r\n');
  expect(statements.map(({ statement: { plane, target } }) => [plane, target])).toEqual([
    ['k', 'docs'],
    ['s', 'x'],
  ]);
  expect(prose).toBe('Look:\r\n');
});

test('extracting CTX statements turns every line into a statement or prose and loses none', () => {
  const line = fc.oneof(
    fc.constantFrom('?s x', '!s y', '-s', '?s a b', '', '+s z "b"', ' ?s x', '\r'),
    fc.string().map((text) => text.replaceAll('\n', '')),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const { statements, prose } = extractStatements(lines.join('\n'));
      const rest = lines.filter((_, at) => !statements.some(({ line: number }) => number === at + 1));
      expect(prose).toBe(rest.join('\n'));
      for (const { raw, line: number, statement } of statements) {
        expect(lines[number - 1]).toBe(raw);
        expect(parseStatement(raw)).toEqual({ ok: true, statement });
      }
    }),
    { numRuns: 1_000, seed: 20261115 },
  );
});

test('extracting CTX statements takes linear time in the number of lines', () => {
  const text = '?s "never closed\n'.repeat(100_000);
  expect(extractStatements(text)).toEqual({ statements: [], prose: text });
});
