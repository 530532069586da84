import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { HOST_IDS, type HostId } from '../../src/model/agents.ts';
import { skillplane, skillplaneProcess, type CommandResult } from '../support/command-line.ts';
import { jsonLines } from '../support/transcripts.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

const PROMPT = 'Fill in this PDF form, please';
/** Processes of tests may be slow. */
const PATIENT = ['--limit', '60000'];

function makeHome(tree: Tree = {}): string {
  const others = ['mail', 'chart', 'review', 'deploy'].map((name) => [
    `.claude/skills/${name}/SKILL.md`,
    skillText({ description: `Helps with ${name} and everything around it.` }, `Do ${name}.`),
  ]);
  return makeTree({
    '.claude/skills/pdf/SKILL.md': skillText(
      { description: 'Fill in PDF forms. Use when a PDF form must be filled in.' },
      'x',
    ),
    ...Object.fromEntries(others),
    'event.json': '{}',
    ...tree,
  });
}

function hook(
  home: string,
  event: unknown,
  args: readonly string[] = ['claude-code', ...PATIENT],
): Promise<CommandResult> {
  return skillplane(['hook', ...args], { home, input: typeof event === 'string' ? event : JSON.stringify(event) });
}

const SUBMIT = { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: PROMPT };

test('hook prints a hint in the exact format of the agent, and nothing else', async () => {
  const home = makeHome();
  const { code, stdout, stderr } = await skillplaneProcess(['hook', 'claude-code', ...PATIENT], {
    home,
    input: JSON.stringify(SUBMIT),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    hookSpecificOutput: {
      hookEventName: 'UserPromptSubmit',
      additionalContext: expect.stringContaining('[skillplane] The skill `pdf` covers'),
    },
  });
});

test.each([['claude-code', '--limit', 'soon'], ['claude-code', '--no-such-option'], ['a', 'b'], []])(
  'hook reports wrong usage, exits with 0 and prints no answer, so that no message is lost: %j',
  async (...args) => {
    const { code, stdout, stderr } = await hook(makeHome(), SUBMIT, args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).not.toBe('');
  },
);

test('hook prints nothing for a message that no skill matches', async () => {
  expect(await hook(makeHome(), { ...SUBMIT, prompt: 'What is the weather like in Berlin?' })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

test.each(['yes, go on', '/pdf fill in this form'])('hook answers %j without reading the skills', async (prompt) => {
  const home = makeHome();
  expect(await hook(home, { ...SUBMIT, prompt })).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(skillCaches(home)).toEqual([]);
  await hook(home, SUBMIT);
  expect(skillCaches(home)).not.toEqual([]);
});

function skillCaches(home: string): readonly string[] {
  const cache = join(home, '.agent/cache');
  return existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('skills-')) : [];
}

describe('hook', () => {
  test.each(['', 'no json', '[]', 'null', '{"hook_event_name":"UserPromptSubmit"}', '{"prompt":{}}'])(
    'exits with 0 and prints nothing for the event %j',
    async (input) => {
      expect(await hook(makeHome(), input)).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );

  test.each([['nobody'], ['claude-code']])(
    'exits with 0 and prints nothing for the agent %s if the configuration is broken',
    async (host) => {
      const home = makeHome({ '.agent/config.yaml': 'skills: [' });
      expect(await hook(home, { ...SUBMIT, prompt: 'hello there my friend' }, [host, ...PATIENT])).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
    },
  );

  test('exits with 0 and prints nothing if its working directory does not exist', async () => {
    expect(
      await hook(makeHome(), { ...SUBMIT, cwd: '/does/not/exist', prompt: 'hello there my friend' }),
    ).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('exits with 0 and prints nothing if the home is read-only', async () => {
    const home = makeHome({ '.agent': 'a file' });
    expect(await hook(home, SUBMIT)).toMatchObject({ code: 0, stderr: '' });
  });

  test('exits with 0 and prints nothing for a message of many megabytes', async () => {
    expect(await hook(makeHome(), { ...SUBMIT, prompt: 'pdf form '.repeat(600_000) })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});

test('hook prints nothing if it is late, and records that', async () => {
  const home = makeHome();
  const late = await skillplaneProcess(['hook', 'claude-code', '--limit', '1'], {
    home,
    input: JSON.stringify(SUBMIT),
  });
  expect(late).toEqual({ code: 0, stdout: '', stderr: '' });
  const log: unknown = JSON.parse(readFileSync(join(home, '.agent/hosts/claude-code-hook.json'), 'utf8'));
  expect(log).toMatchObject({ late: expect.any(Number), spoke: 0 });
});

test('hook records a use once, although the transcript contains it again', async () => {
  const used = {
    hook_event_name: 'PostToolUse',
    session_id: 's',
    tool_name: 'Skill',
    tool_input: { skill: 'pdf' },
    tool_use_id: 'toolu_0123456789',
  };
  const call = { type: 'tool_use', id: 'toolu_0123456789', name: 'Skill', input: { skill: 'pdf' } };
  const result = { type: 'tool_result', tool_use_id: 'toolu_0123456789' };
  const transcript = jsonLines(
    { type: 'assistant', sessionId: 's', uuid: 'u1', message: { content: [call] } },
    { type: 'user', sessionId: 's', uuid: 'u2', message: { content: [result] }, toolUseResult: { success: true } },
  );
  const home = makeHome();
  expect(await hook(home, used)).toEqual({ code: 0, stdout: '', stderr: '' });
  const uses = async (): Promise<unknown> => JSON.parse((await skillplane(['usage', '--json'], { home })).stdout);
  expect(await uses()).toMatchObject({
    skills: expect.arrayContaining([expect.objectContaining({ name: 'pdf', uses: 1 })]),
  });
  const again = makeHome({ '.claude/projects/p/s.jsonl': transcript });
  await hook(again, used);
  const report: unknown = JSON.parse((await skillplane(['usage', '--json'], { home: again })).stdout);
  expect(report).toMatchObject({ skills: expect.arrayContaining([expect.objectContaining({ name: 'pdf', uses: 1 })]) });
});

test('hook records a use in OpenCode once, although its database contains it again under a shorter id', async () => {
  const home = makeHome();
  const folder = join(home, '.local/share/opencode');
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'opencode.db'));
  const state = { status: 'completed', input: { name: 'pdf' }, time: { start: Date.now() } };
  const part = JSON.stringify({ type: 'tool', tool: 'skill', callID: 'call_1', state });
  database.exec(`CREATE TABLE session (id text, directory text, version text);
    CREATE TABLE part (id text, message_id text, session_id text, time_created integer, time_updated integer, data text);
    INSERT INTO session VALUES ('ses_1', '/projects/app', '1.18.33');`);
  database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run('prt_0000000001', 'msg_1', 'ses_1', 1, 1, part);
  database.close();
  await hook(home, { event: 'use', session: 'ses_1', cwd: home, skill: 'pdf', call: 'call_1' }, [
    'opencode',
    ...PATIENT,
  ]);
  const report: unknown = JSON.parse((await skillplane(['usage', '--json'], { home })).stdout);
  expect(report).toMatchObject({ skills: expect.arrayContaining([expect.objectContaining({ name: 'pdf', uses: 1 })]) });
});

/** Hosts whose events lack the id of the call: their own history is read at once instead. */
const HISTORIES: readonly (readonly [id: HostId, used: object, history: Tree])[] = [
  [
    'codex',
    {
      hook_event_name: 'PostToolUse',
      session_id: 's',
      tool_input: { command: 'cat /home/x/.agents/skills/pdf/SKILL.md' },
    },
    {
      '.codex/sessions/2026/01/05/rollout-1.jsonl': jsonLines(
        { type: 'session_meta', payload: { id: 's', cwd: '/p' } },
        {
          type: 'response_item',
          payload: {
            type: 'function_call',
            name: 'exec_command',
            call_id: 'call_0123456789',
            arguments: '{"cmd":"cat /home/x/.agents/skills/pdf/SKILL.md"}',
          },
        },
        {
          type: 'response_item',
          payload: { type: 'function_call_output', call_id: 'call_0123456789', output: 'text' },
        },
      ),
    },
  ],
  [
    'copilot',
    { sessionId: 's', toolName: 'skill', toolArgs: { skill: 'pdf' } },
    {
      '.copilot/session-state/s/events.jsonl': jsonLines({
        type: 'skill.invoked',
        id: 'e1',
        data: { name: 'pdf', trigger: 'agent-invoked' },
      }),
    },
  ],
  [
    'gemini',
    { hook_event_name: 'AfterTool', session_id: 's', tool_name: 'activate_skill', tool_input: { name: 'pdf' } },
    {
      '.gemini/tmp/p/chats/session-1.jsonl': jsonLines(
        { sessionId: 's' },
        {
          id: 'm1',
          type: 'gemini',
          toolCalls: [{ id: 'call_0123456789', name: 'activate_skill', args: { name: 'pdf' }, status: 'success' }],
        },
      ),
    },
  ],
];

test.each(HISTORIES)(
  'hook records a use in %s once, although the history contains it again',
  async (id, used, history) => {
    const home = makeHome(history);
    const uses = async (): Promise<unknown> => JSON.parse((await skillplane(['usage', '--json'], { home })).stdout);
    const once = { skills: expect.arrayContaining([expect.objectContaining({ name: 'pdf', uses: 1 })]) };
    await hook(home, used, [id, ...PATIENT]);
    await hook(home, used, [id, ...PATIENT]);
    expect(await uses()).toMatchObject(once);
  },
);

describe('hosts connect', () => {
  test('connects an agent, says what is left to do, and hosts shows it', async () => {
    const home = makeHome();
    const connected = await skillplane(['hosts', 'connect', 'claude-code'], { home });
    expect(connected).toMatchObject({ code: 0, stderr: '' });
    expect(connected.stdout).toContain('Claude Code: connected');
    expect(connected.stdout).toContain(join(home, '.claude/settings.json'));
    expect(connected.stdout).toContain('Restart Claude Code');
    expect((await skillplane(['hosts'], { home })).stdout).toContain('hook installed, not called yet');
    await hook(home, SUBMIT);
    const listed = JSON.parse((await skillplane(['hosts', '--json'], { home })).stdout);
    expect(listed.hosts[0]).toMatchObject({
      id: 'claude-code',
      connection: { hasServer: true, hook: 'server', log: { asked: expect.any(String), spoke: expect.any(String) } },
    });
    const again = await skillplane(['hosts', 'connect', 'claude-code'], { home });
    expect(again.stdout).toContain('Claude Code is already connected.');
  });

  test('shows the lines it adds and changes nothing until --yes, if it cannot ask', async () => {
    const home = makeHome();
    const { code, stdout, stderr } = await skillplane(['agents', 'connect', 'claude-code'], { home });
    expect(code).toBe(1);
    expect(stdout).toContain('+');
    expect(stderr).toContain('--yes');
    expect(existsSync(join(home, '.claude.json'))).toBe(false);
    expect((await skillplane(['agents', 'connect', 'claude-code', '--yes'], { home })).code).toBe(0);
    expect(existsSync(join(home, '.claude.json'))).toBe(true);
  });

  test('is undone by hosts disconnect', async () => {
    const home = makeHome({ '.claude/settings.json': '{ "a": 1 } // mine\n' });
    await skillplane(['hosts', 'connect', ...HOST_IDS, '--record-use'], { home });
    const done = JSON.parse((await skillplane(['hosts', 'disconnect', ...HOST_IDS, '--json'], { home })).stdout);
    expect(done).toMatchObject({ ok: true, hosts: HOST_IDS.map((id) => ({ id })) });
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe('{ "a": 1 } // mine\n');
    for (const gone of ['.codex', '.cursor', '.copilot', '.gemini', '.config'])
      expect(existsSync(join(home, gone))).toBe(false);
  });

  test('without the server suggests only skills that the agent has itself', async () => {
    const home = makeHome({ '.agents/skills/': '' });
    renameSync(join(home, '.claude/skills/pdf'), join(home, '.agents/skills/pdf'));
    await skillplane(['agents', 'connect', 'claude-code', '--no-server', '--yes'], { home });
    expect((await hook(home, SUBMIT)).stdout).toBe('');
    await skillplane(['agents', 'connect', 'claude-code', '--process', '--yes'], { home });
    expect((await hook(home, SUBMIT)).stdout).toContain('mcp__skillplane__load_skill');
  });

  test('leaves out the server or the hook on request', async () => {
    const home = makeHome();
    await skillplane(['hosts', 'connect', 'claude-code', '--no-server'], { home });
    expect(existsSync(join(home, '.claude.json'))).toBe(false);
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain('"type": "command"');
    await skillplane(['hosts', 'connect', 'claude-code', '--no-hook'], { home });
    expect(existsSync(join(home, '.claude/settings.json'))).toBe(false);
    expect(readFileSync(join(home, '.claude.json'), 'utf8')).toContain('"--agent"');
  });

  test.each([
    [['connect'], 'missing argument <agent...>'],
    [['connect', 'nobody'], 'unknown agent "nobody"'],
    [['join'], 'unknown action "join"'],
  ])('refuses wrong usage: hosts %j', async (args, message) => {
    const { code, stderr } = await skillplane(['hosts', ...args], { home: makeHome() });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

test('doctor says which agents are connected', async () => {
  const home = makeHome();
  const area = (text: string): unknown[] =>
    JSON.parse(text).checks.filter((check: { readonly area: string }) => check.area === 'hosts');
  expect(area((await skillplane(['doctor', '--json'], { home })).stdout)).toMatchObject([
    {
      status: 'info',
      detail: 'Claude Code: not connected',
      next: { do: 'connect', host: 'claude-code' },
    },
  ]);
  await skillplane(['hosts', 'connect', 'claude-code'], { home });
  expect(area((await skillplane(['doctor', '--json'], { home })).stdout)).toMatchObject([
    { status: 'ok', detail: 'Claude Code: MCP server and hook, not called yet' },
  ]);
});
