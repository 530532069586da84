import { expect, test } from 'vitest';

import { fail } from '../model/outcome.ts';
import { toToolAnswer } from './tool-answer.ts';
import { toolTable } from './tool-table.ts';

const TABLE = toolTable({});
const RESULT = { ok: true, title: 'T', metadata: { count: 1 }, output: 'text' } as const;

test('a failure has its code, and no folder of this machine', () => {
  const failure = fail('STORE_FAILED', '/home/ann/skills/pdf/SKILL.md: it is larger than 1 byte');
  expect(toToolAnswer(failure, { row: TABLE['load_skill'], folders: ['/home/ann'] })).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'SKILL.md: it is larger than 1 byte' }],
    _meta: { 'skillplane/code': 'STORE_FAILED' },
  });
});

test('the structured answer is what the schema of the tool says, and all that the text says', () => {
  const list = toToolAnswer(RESULT, { row: TABLE['list_skills'], folders: [] });
  expect(list.structuredContent).toEqual({ count: 1, output: 'text' });
  const found = { ...RESULT, metadata: { results: [] } };
  expect(toToolAnswer(found, { row: TABLE['search_skills'], folders: [] }).structuredContent).toEqual({ results: [] });
});

test('of a tool that a skill brings, nothing is known: its answer is given as it is', () => {
  expect(toToolAnswer(RESULT, { row: undefined, folders: [] }).structuredContent).toEqual({
    title: 'T',
    metadata: { count: 1 },
    output: 'text',
  });
});

test.each([
  [{}, true],
  [{ allowScripts: true }, false],
  [{ allowWrite: true }, false],
])('with %j, whether ctx only reads is %s', (permissions, isReadOnly) => {
  expect(toolTable(permissions)['ctx']?.annotations.readOnlyHint).toBe(isReadOnly);
});
