import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, test } from 'vitest';

import { jsonLines, readTranscripts, type MemoryKeeper } from '../../../test/support/transcripts.ts';
import { makeTree, writeTree } from '../../../test/support/tree.ts';

/** Words as the letters they begin with. */
const toWords = (request: string): readonly number[] =>
  request
    .trim()
    .split(/\s+/)
    .map((word) => word.codePointAt(0) ?? 0);

/** Which letters were asked before each use. */
function lessonsIn(keeper: MemoryKeeper): readonly string[] {
  return [...keeper.found.values()]
    .filter(({ words }) => words !== undefined)
    .map(({ words, events }) => `${events[0]?.skills.join()}: ${String.fromCodePoint(...(words ?? []))}`);
}

async function read(tree: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return lessonsIn((await readTranscripts(makeTree(tree), { toWords })).keeper);
}

const claude = (type: string, message: object, uuid: string): object => ({
  type,
  message,
  uuid: `${uuid}-0000-4000-8000-000000000000`,
  sessionId: 's-1',
  cwd: '/app',
});
const call = (id: string, skill: string): object =>
  claude('assistant', { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Skill', input: { skill } }] }, id);
const done = (id: string): object =>
  claude('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'words of a tool' }] }, id);
const asked = (content: unknown, uuid = 'u1'): object => claude('user', { role: 'user', content }, uuid);

test('lessons from Claude Code come from the request before a use and from the arguments of a slash command', async () => {
  const lines = [
    asked('fill every form <system-reminder>not this</system-reminder>'),
    call('toolu_0000000001', 'pdf'),
    done('toolu_0000000001'),
    call('toolu_0000000002', 'pdf'),
    done('toolu_0000000002'),
    asked([{ type: 'text', text: 'draw it' }], 'u2'),
    call('toolu_0000000003', 'charts'),
    done('toolu_0000000003'),
    asked(
      '<command-message>mail</command-message>\n<command-name>/mail</command-name>\n<command-args>a letter</command-args>',
      'u3',
    ),
  ];
  expect(await read({ '.claude/projects/-app/s-1.jsonl': jsonLines(...lines) })).toEqual([
    'pdf: fef',
    'charts: di',
    'mail: al',
  ]);
});

test('an import remembers the last request for the next import, as hashed words and not as text', async () => {
  const path = '.claude/projects/-app/s-1.jsonl';
  const home = makeTree({ [path]: jsonLines(asked('fill every form')) });
  const { keeper } = await readTranscripts(home, { toWords });
  const [reading] = keeper.files.values();
  expect(reading?.state).not.toMatch(/fill|every|form/);
  writeTree(home, {
    [path]: jsonLines(asked('fill every form'), call('toolu_0000000001', 'pdf'), done('toolu_0000000001')),
  });
  await readTranscripts(home, { keeper, toWords });
  expect(lessonsIn(keeper)).toEqual(['pdf: fef']);
});

test('an import reads no requests when learning is off', async () => {
  const home = makeTree({
    '.claude/projects/-app/s-1.jsonl': jsonLines(
      asked('fill it'),
      call('toolu_0000000001', 'pdf'),
      done('toolu_0000000001'),
    ),
  });
  const { keeper } = await readTranscripts(home);
  expect(keeper.events).toEqual(['loaded pdf']);
  expect(lessonsIn(keeper)).toEqual([]);
  expect([...keeper.files.values()][0]?.state).not.toMatch(/asked|learned/);
});

test('lessons from Codex come from what the user wrote, not from what Codex added', async () => {
  const line = (payload: object): object => ({ timestamp: '2026-01-05T10:00:00.000Z', type: 'response_item', payload });
  const message = (text: string): object =>
    line({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
  const lines = [
    { type: 'session_meta', payload: { id: 's', cwd: '/app' } },
    message('# AGENTS.md instructions for /app\n\nnot these'),
    message('<environment_context>\n  <cwd>/app</cwd>\n</environment_context>'),
    message('fill it'),
    message('<skill>\n<name>pdf</name>\n<path>/x/skills/pdf/SKILL.md</path>\n</skill>'),
  ];
  const path = '.codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-s.jsonl';
  expect(await read({ [path]: jsonLines(...lines) })).toEqual(['pdf: fi']);
});

test('lessons from Copilot, Cursor and Gemini come from what the user wrote, not from added context', async () => {
  const event = (type: string, data: object): object => ({ type, data, id: `${type}-0000000000` });
  const copilot = [
    event('user.message', { content: 'fill it', transformedContent: 'not this' }),
    event('skill.invoked', { name: 'pdf', trigger: 'agent-invoked' }),
  ];
  const cursor = [
    {
      role: 'user',
      message: { content: [{ type: 'text', text: '<rules>no</rules><user_query>\nfill it\n</user_query>' }] },
    },
    {
      role: 'assistant',
      message: { content: [{ type: 'tool_use', name: 'Read', input: { path: '/x/skills/pdf/SKILL.md' } }] },
    },
  ];
  const time = '2026-01-05T10:00:00.000Z';
  const gemini = [
    { sessionId: 's', startTime: time },
    {
      id: 'u1',
      timestamp: time,
      type: 'user',
      content: [{ text: 'fill it' }, { text: '<hook_context>not this</hook_context>' }],
    },
    {
      id: 'm1',
      timestamp: time,
      type: 'gemini',
      toolCalls: [{ id: 'call-000000000001', name: 'activate_skill', args: { name: 'pdf' }, status: 'success' }],
    },
  ];
  const read1 = await Promise.all(
    [
      { '.copilot/session-state/s/events.jsonl': jsonLines(...copilot) },
      { '.cursor/projects/app/agent-transcripts/s.jsonl': jsonLines(...cursor) },
      { '.gemini/tmp/app/chats/session-1.jsonl': jsonLines(...gemini) },
    ].map(read),
  );
  expect(read1).toEqual([['pdf: fi'], ['pdf: fi'], ['pdf: fi']]);
});

test('lessons from OpenCode come from user messages; a database without a message table still gives uses', async () => {
  const home = makeTree();
  const path = join(home, '.local/share/opencode/opencode.db');
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  const part = (id: string, message: string, data: object): string =>
    `INSERT INTO part VALUES ('${id}', '${message}', 'ses_1', 1000, 1000, '${JSON.stringify(data)}');`;
  const use = {
    type: 'tool',
    tool: 'skill',
    state: { status: 'completed', input: { name: 'pdf' }, time: { start: 1 } },
  };
  database.exec(`CREATE TABLE session (id text PRIMARY KEY, directory text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text NOT NULL, time_created integer NOT NULL,
      time_updated integer NOT NULL, data text NOT NULL);
    INSERT INTO session VALUES ('ses_1', '/app');
    ${part('prt_0000000001', 'msg_1', { type: 'text', text: 'fill it' })}
    ${part('prt_0000000002', 'msg_1', { type: 'text', text: 'not this', synthetic: true })}
    ${part('prt_0000000003', 'msg_2', { type: 'text', text: 'an answer' })}
    ${part('prt_0000000004', 'msg_2', use)}`);
  const { keeper: without } = await readTranscripts(home, { toWords });
  expect([without.events, lessonsIn(without)]).toEqual([['loaded pdf'], []]);
  database.exec(`CREATE TABLE message (id text PRIMARY KEY, session_id text, data text NOT NULL);
    INSERT INTO message VALUES ('msg_1', 'ses_1', '{"role":"user"}'), ('msg_2', 'ses_1', '{"role":"assistant"}');`);
  database.close();
  const { keeper } = await readTranscripts(home, { toWords });
  expect(lessonsIn(keeper)).toEqual(['pdf: fi']);
});
