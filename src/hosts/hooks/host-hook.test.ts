import { describe, expect, test } from 'vitest';

import { HOST_IDS, type HostId } from '../../model/agents.ts';
import { HOSTS } from '../all-hosts.ts';

const PROMPT = 'fill in the PDF form';

/** A message as each host tells its hook of it, and what is read from that. */
const PROMPTS: Readonly<Record<HostId, readonly [event: object, read: object]>> = {
  'claude-code': [
    { session_id: 's', transcript_path: '/t', cwd: '/c', hook_event_name: 'UserPromptSubmit', prompt: PROMPT },
    { session: 's', cwd: '/c', transcript: '/t' },
  ],
  codex: [
    {
      session_id: 's',
      turn_id: 't',
      transcript_path: null,
      cwd: '/c',
      hook_event_name: 'UserPromptSubmit',
      prompt: PROMPT,
    },
    { session: 's', cwd: '/c', transcript: undefined },
  ],
  cursor: [
    {
      conversation_id: 's',
      hook_event_name: 'beforeSubmitPrompt',
      prompt: PROMPT,
      workspace_roots: ['/c'],
      cursor_version: '1',
    },
    { session: 's', cwd: '/c' },
  ],
  copilot: [
    { sessionId: 's-1', timestamp: 1, cwd: '/c', prompt: PROMPT },
    { session: 's-1', cwd: '/c', transcript: 'session-state/s-1/events.jsonl' },
  ],
  gemini: [
    { session_id: 's', transcript_path: '/t', cwd: '/c', hook_event_name: 'BeforeAgent', prompt: PROMPT },
    { session: 's', cwd: '/c', transcript: '/t' },
  ],
  opencode: [
    { event: 'prompt', session: 's', cwd: '/c', prompt: PROMPT, active: ['mail', 1] },
    { session: 's', cwd: '/c', active: ['mail'] },
  ],
};

const ANSWERS: Readonly<Record<HostId, object>> = {
  'claude-code': { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'hint' } },
  codex: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'hint' } },
  cursor: { continue: true, additional_context: 'hint' },
  copilot: { additionalContext: 'hint' },
  gemini: { hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'hint' } },
  opencode: { hint: 'hint' },
};

const USES: Readonly<Record<HostId, readonly [event: object, read: object]>> = {
  'claude-code': [
    {
      session_id: 's',
      cwd: '/c',
      hook_event_name: 'PostToolUse',
      tool_name: 'Skill',
      tool_input: { skill: '/pdf' },
      tool_use_id: 'toolu_1',
    },
    { id: 'toolu_1', skills: ['pdf'] },
  ],
  codex: [
    {
      session_id: 's',
      cwd: '/c',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'cat /h/.agents/skills/pdf/SKILL.md' },
    },
    { skills: [] },
  ],
  cursor: [
    { conversation_id: 's', hook_event_name: 'postToolUse', tool_input: { path: '/h/.cursor/skills/pdf/SKILL.md' } },
    { skills: [] },
  ],
  copilot: [{ sessionId: 's', cwd: '/c', toolName: 'skill', toolArgs: { skill: 'pdf' } }, { skills: [] }],
  gemini: [
    {
      session_id: 's',
      cwd: '/c',
      hook_event_name: 'AfterTool',
      tool_name: 'activate_skill',
      tool_input: { name: 'pdf' },
    },
    { skills: [] },
  ],
  opencode: [
    { event: 'use', session: 's', cwd: '/c', skill: 'pdf', call: 'call_1' },
    { id: 'call_1', skills: ['pdf'] },
  ],
};

describe.each(HOST_IDS)('the hook for %s', (id) => {
  const hook = HOSTS[id].hook;

  test("reads the user's message from its event", () => {
    const [event, read] = PROMPTS[id];
    expect(hook.readEvent(event)).toMatchObject({ kind: 'prompt', prompt: PROMPT, ...read });
  });

  test('renders a hint in the form that the host expects', () => {
    expect(JSON.parse(hook.render('hint'))).toEqual(ANSWERS[id]);
  });

  test('reads the skill use from the event of a tool call', () => {
    const [event, read] = USES[id];
    expect(hook.readEvent(event)).toMatchObject({ kind: 'use', session: 's', ...read });
  });

  test.each([undefined, null, 1, 'x', [], {}, { hook_event_name: 'Stop' }, { prompt: 1 }])(
    'ignores the unrelated event %j',
    (event) => {
      expect(hook.readEvent(event)).toBeUndefined();
    },
  );
});

test('the hook for Claude Code does not record a skill call that failed', () => {
  const [event] = USES['claude-code'];
  expect(HOSTS['claude-code'].hook.readEvent({ ...event, tool_response: { success: false } })).toBeUndefined();
});

test('the hook for Codex does not record a shell command that touches no skill', () => {
  const event = { hook_event_name: 'PostToolUse', tool_input: { command: 'ls' } };
  expect(HOSTS.codex.hook.readEvent(event)).toBeUndefined();
});

test('the hook for Claude Code ignores events from Cursor, which runs those hooks as well', () => {
  const [event] = PROMPTS['claude-code'];
  expect(HOSTS['claude-code'].hook.readEvent({ ...event, cursor_version: '2.0' })).toBeUndefined();
});

test('the hook for Copilot ignores a session id that contains a path', () => {
  expect(HOSTS.copilot.hook.readEvent({ sessionId: '../../x', prompt: PROMPT })).toMatchObject({
    transcript: undefined,
  });
});
