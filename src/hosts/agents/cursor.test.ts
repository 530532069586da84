import { utimesSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { jsonLines, readTranscripts } from '../../../test/support/transcripts.ts';
import { makeTree } from '../../../test/support/tree.ts';

const read = (path: string, name = 'Read'): object => ({
  role: 'assistant',
  message: {
    content: [
      { type: 'text', text: 'I read it.' },
      { type: 'tool_use', name, input: { path } },
    ],
  },
});

test('reading a SKILL.md in Cursor counts as one use per session, dated by the transcript file', async () => {
  const lines = [
    {
      role: 'user',
      message: { content: [{ type: 'text', text: '<user_query>read /a/skills/no/SKILL.md"</user_query>' }] },
    },
    read('/home/ann/.agents/skills/pdf/SKILL.md'),
    read('/home/ann/.agents/skills/pdf/SKILL.md'),
    read('/home/ann/.agents/skills/docx/SKILL.md', 'Write'),
    read('/home/ann/README.md'),
  ];
  const folder = '.cursor/projects/work-app/agent-transcripts';
  const home = makeTree({
    [`${folder}/one/one.jsonl`]: jsonLines(...lines),
    [`${folder}/one/subagents/two.jsonl`]: jsonLines(read('/x/.claude/skills/pdf/SKILL.md')),
    [`${folder}/flat.jsonl`]: jsonLines(read('/x/skills/xlsx/SKILL.md')),
  });
  const time = new Date('2026-01-05T10:00:00.000Z');
  utimesSync(join(home, folder, 'one/one.jsonl'), time, time);
  const { keeper } = await readTranscripts(home);
  expect(keeper.events.toSorted()).toEqual(['loaded pdf', 'loaded pdf', 'loaded xlsx']);
  expect([...keeper.found.values()].flatMap(({ events }) => events)).toContainEqual(
    expect.objectContaining({ skills: ['pdf'], project: 'work-app', session: 'one', at: time.getTime() }),
  );
});
