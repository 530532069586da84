import { expect, test } from 'vitest';

import { outputSchema, TEXT } from '../agent/tool-output.ts';
import { fail } from '../model/outcome.ts';
import { toToolAnswer, withoutPaths } from './tool-answer.ts';

const RESULT = { ok: true, title: 'T', metadata: { count: 1 }, output: 'text' } as const;
const WITH_OUTPUT = outputSchema({ count: TEXT, output: TEXT });

test('a failed MCP tool call returns its code, and no folder of this machine', () => {
  const failure = fail('STORE_FAILED', '/home/ann/skills/pdf/SKILL.md: it is larger than 1 byte');
  expect(toToolAnswer(failure, { outputSchema: WITH_OUTPUT, isStructured: false, folders: ['/home/ann'] })).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'SKILL.md: it is larger than 1 byte' }],
    _meta: { 'skillplane/code': 'STORE_FAILED' },
  });
});

test('the text of a failed MCP tool call ends with the next step', () => {
  const failure = fail('SKILL_INVALID', 'the content is empty', { advice: 'Pass the complete instructions.' });
  expect(toToolAnswer(failure, { outputSchema: WITH_OUTPUT, isStructured: false, folders: [] }).content).toEqual([
    { type: 'text', text: 'the content is empty. Pass the complete instructions.' },
  ]);
});

test('an MCP answer is text for the model, with the data for programs in _meta', () => {
  expect(toToolAnswer(RESULT, { outputSchema: WITH_OUTPUT, isStructured: false, folders: [] })).toEqual({
    content: [{ type: 'text', text: 'text' }],
    _meta: { 'skillplane/data': { count: 1 } },
  });
});

test("a structured MCP answer has exactly the fields of the tool's output schema", () => {
  const list = toToolAnswer(RESULT, { outputSchema: WITH_OUTPUT, isStructured: true, folders: [] });
  expect(list.structuredContent).toEqual({ count: 1, output: 'text' });
  const found = { ...RESULT, metadata: { results: [] } };
  const withoutOutput = outputSchema({ results: { type: 'array' } });
  expect(
    toToolAnswer(found, { outputSchema: withoutOutput, isStructured: true, folders: [] }).structuredContent,
  ).toEqual({ results: [] });
});

test('the answer of a tool without an output schema is returned whole', () => {
  expect(toToolAnswer(RESULT, { outputSchema: undefined, isStructured: true, folders: [] }).structuredContent).toEqual({
    title: 'T',
    metadata: { count: 1 },
    output: 'text',
  });
});

test.each([
  ['there is no /home/ann/.agent/skills/pdf/SKILL.md any more', 'there is no SKILL.md any more'],
  ['"/home/ann/x" cannot be read', '"x" cannot be read'],
  ['/home/ann/my skills/pdf: broken', 'pdf: broken'],
  [String.raw`C:\Users\ann\x.md is gone`, 'x.md is gone'],
  ['read skill://pdf/references/a.md', 'read skill://pdf/references/a.md'],
  ['either and/or both; 1/2', 'either and/or both; 1/2'],
  ['see https://example.com/a/b', 'see https://example.com/a/b'],
  ['references/a.md is no file', 'references/a.md is no file'],
])('a message for an MCP client keeps URLs and loses the folders of this machine: %s', (message, expected) => {
  expect(withoutPaths(message, ['/home/ann', '/home/ann/my skills'])).toBe(expected);
});
