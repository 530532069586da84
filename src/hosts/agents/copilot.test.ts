import { expect, test } from 'vitest';

import { jsonLines, readTranscripts } from '../../../test/support/transcripts.ts';
import { makeTree } from '../../../test/support/tree.ts';

/** The shapes are those of a session of Copilot 1.0.102, without what is not read. */
let count = 0;
const event = (type: string, data: object): object => ({
  type,
  data,
  id: `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
  timestamp: new Date(Date.UTC(2026, 0, 5, 10, 0, count)).toISOString(),
});
const start = event('session.start', { sessionId: 'session-1', version: 1, context: { cwd: '/projects/app' } });
const invoked = (trigger: string | undefined, type = 'skill.invoked'): object => event(type, { name: 'pdf', trigger });

test('a Copilot session tells uses, listed skills and hints; a skill that it loads as context is not a use', async () => {
  const prompt =
    'Use <name>this</name>.\n<available_skills>\n<skill>\n  <name>pdf</name>\n</skill>\n<skill>\n  <name>docx</name>\n</skill>\n</available_skills>';
  const lines = [
    start,
    event('hook.end', {
      hookType: 'userPromptSubmitted',
      output: { additionalContext: '[skillplane] Use the skill `pdf`.' },
    }),
    event('user.message', {
      content: 'x',
      transformedContent: '<system_reminder>[skillplane] Use `docx`.</system_reminder>',
    }),
    event('system.message', { role: 'system', content: prompt }),
    invoked('agent-invoked'),
    invoked('agent-invoked', 'skill.invoked_ref'),
    invoked('user-invoked'),
    invoked('context-load'),
    invoked(undefined),
  ];
  const home = makeTree({ '.copilot/session-state/session-1/events.jsonl': jsonLines(...lines) });
  const { keeper } = await readTranscripts(home);
  expect(keeper.events).toEqual([
    'hinted pdf',
    'shown pdf',
    'shown docx',
    'loaded pdf',
    'followed pdf',
    'loaded pdf',
    'invoked pdf',
    'loaded pdf',
  ]);
  const [first] = keeper.found.values();
  expect(first?.events[0]).toMatchObject({
    project: '/projects/app',
    session: 'session-1',
    agent: 'copilot',
    team: 'team',
  });
});
