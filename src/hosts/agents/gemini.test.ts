import { expect, test } from 'vitest';

import { jsonLines, readTranscripts } from '../../../test/support/transcripts.ts';
import { makeTree } from '../../../test/support/tree.ts';

/** The shapes are those of a session of Gemini 0.61.0, without what is not read. */
const time = '2026-01-05T10:00:00.000Z';
const head = { sessionId: 'session-1', projectHash: 'x', startTime: time, kind: 'main' };
const record = (id: string, calls?: readonly object[]): object => ({
  id,
  timestamp: time,
  type: 'gemini',
  content: '',
  ...(calls === undefined ? {} : { toolCalls: calls }),
});
const call = (id: string, status: string, name = 'pdf'): object => ({
  id: `activate_skill_${id}`,
  name: 'activate_skill',
  args: { name },
  status,
  timestamp: time,
});

test('a successful skill call in a Gemini session counts once, however often its record is rewritten or rewound', async () => {
  const hint = {
    id: 'user-record-1',
    timestamp: time,
    type: 'user',
    content: [{ text: 'x' }, { text: '<hook_context>[skillplane] Use the skill `pdf` for this.</hook_context>' }],
  };
  const lines = [
    head,
    hint,
    record('m1'),
    record('m1', [call('0000000001', 'executing')]),
    record('m1', [call('0000000001', 'success')]),
    { $rewindTo: 'm1' },
    record('m1', [call('0000000001', 'success'), call('0000000002', 'cancelled')]),
    { $set: { messages: [record('m2', [call('0000000003', 'success', 'docx')])] } },
    record('m3', [{ ...call('0000000004', 'success'), name: 'read_file' }]),
  ];
  const home = makeTree({
    '.gemini/tmp/app/.project_root': '/projects/app\n',
    '.gemini/tmp/app/chats/session-2026-01-05T10-00-abc.jsonl': jsonLines(...lines),
    '.gemini/tmp/app/chats/session-1/agent.jsonl': jsonLines(
      head,
      record('m9', [call('0000000009', 'success', 'xlsx')]),
    ),
  });
  const { keeper } = await readTranscripts(home);
  expect(keeper.events.toSorted()).toEqual(['followed pdf', 'hinted pdf', 'loaded docx', 'loaded pdf', 'loaded xlsx']);
  for (const { events } of keeper.found.values())
    expect(events[0]).toMatchObject({ project: '/projects/app', session: 'session-1' });
});
