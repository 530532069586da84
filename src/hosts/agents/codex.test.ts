import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { jsonLines, readTranscripts } from '../../../test/support/transcripts.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { findImplicitUses } from './codex-history.ts';

/** The shapes are those of transcripts that Codex 0.166.0 wrote, without what is not read. */
const at = (second: number): string => new Date(Date.UTC(2026, 0, 5, 10, 0, second)).toISOString();
const line = (type: string, payload: object): object => ({ timestamp: at(1), ordinal: 1, type, payload });
const meta = line('session_meta', {
  id: 'session-1',
  cwd: '/projects/app',
  cli_version: '0.166.0',
  history_mode: 'paginated',
});
const message = (role: string, text: string, kind?: string): object =>
  line('response_item', {
    type: 'message',
    id: `msg_${role}_${text.length}`,
    role,
    content: [{ type: 'input_text', text }],
    ...(kind === undefined ? {} : { internal_chat_message_metadata_passthrough: { content_item_kinds: [kind] } }),
  });
const exec = (cmd: string, id = 'call_0000000001'): object =>
  line('response_item', {
    type: 'function_call',
    name: 'exec_command',
    arguments: JSON.stringify({ cmd }),
    call_id: id,
  });
const output = (text: string, id = 'call_0000000001'): object =>
  line('response_item', { type: 'function_call_output', call_id: id, output: text });

const PATH = '.codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-session-1.jsonl';

async function read(...lines: readonly object[]): Promise<readonly string[]> {
  return (await readTranscripts(makeTree({ [PATH]: jsonLines(meta, ...lines) }))).keeper.events;
}

const SELECTED = 'skills.selected_skill_instructions';
const body =
  '<skill>\n<name>pdf</name>\n<path>/home/ann/.agents/skills/pdf/SKILL.md</path>\n---\nname: pdf\n---\n</skill>';

test('a skill that the user names in Codex is recorded as invoked', async () => {
  expect(await read(message('user', body, SELECTED))).toEqual(['invoked pdf']);
  expect(await read(message('user', body))).toEqual(['invoked pdf']);
  expect(await read(message('user', body, 'user.text'))).toEqual([]);
  expect(await read(message('assistant', body))).toEqual([]);
});

test('a Codex command that reads a SKILL.md counts as a use if it was not rejected or aborted', async () => {
  const cat = exec('cat /home/ann/.agents/skills/pdf/SKILL.md');
  expect(await read(cat, output('Process exited with code 0\nOutput:\n---'))).toEqual(['loaded pdf']);
  expect(await read(cat, output('exec command rejected by user'))).toEqual([]);
  expect(await read(cat, output('aborted by user after 1.2s'))).toEqual([]);
  expect(await read(cat)).toEqual([]);
  expect(await read(exec('ls /home/ann/.agents/skills/pdf'), output('SKILL.md scripts'))).toEqual([]);
});

test('a use is recognized in every form in which Codex records a shell call', async () => {
  const path = '/home/ann/.agents/skills/pdf/SKILL.md';
  const call = (given: object): object =>
    line('response_item', { type: 'function_call', call_id: 'call_0000000001', ...given });
  const shell = call({ name: 'shell', arguments: JSON.stringify({ command: ['bash', '-lc', `cat '${path}'`] }) });
  expect(await read(shell, output('ok'))).toEqual(['loaded pdf']);
  const command = call({ name: 'shell_command', arguments: JSON.stringify({ command: `head -20 ${path}` }) });
  expect(await read(command, output('ok'))).toEqual(['loaded pdf']);
  const input = `const r = await tools.exec_command({ cmd: "sed -n '1,9p' ${path} && cat /x/skills/docx/SKILL.md" });`;
  const custom = line('response_item', { type: 'custom_tool_call', name: 'exec', input, call_id: 'call_0000000001' });
  const done = line('response_item', {
    type: 'custom_tool_call_output',
    call_id: 'call_0000000001',
    output: [{ type: 'input_text', text: 'ok' }],
  });
  expect(await read(custom, done)).toEqual(['loaded pdf', 'loaded docx']);
  const other = call({ name: 'ask_server', arguments: JSON.stringify({ command: `cat ${path}` }) });
  expect(await read(other, output('ok'))).toEqual([]);
});

test('the skill list in a Codex transcript tells which skills were shown, and under which name and path', async () => {
  const catalog = [
    '<skills_instructions>\n## Skills\n### Skill roots',
    '- `r0` = `/home/ann/.agents/skills`\n- `r1` = `/opt/team`',
    '### Available skills\n- pdf: Fills: forms. (file: r0/pdf/SKILL.md)\n- Word: (file: r1/docx/SKILL.md)\n- bare (file: r0/bare/SKILL.md)',
    '</skills_instructions>',
  ].join('\n');
  const shown = message('developer', catalog, 'host_skills.instructions');
  const read1 = [exec('cat /opt/team/docx/SKILL.md'), output('ok')];
  expect((await read(shown, ...read1)).toSorted()).toEqual(['loaded Word', 'shown Word', 'shown bare', 'shown pdf']);
  expect(await read(...read1)).toEqual([]);
});

test('our hint is recognized in a Codex transcript by the kind of its message, and counts as followed after a use', async () => {
  const hint = message('developer', '[skillplane] Use `$pdf` here.', 'hooks.additional_context');
  const use = [exec('cat /a/skills/pdf/SKILL.md'), output('ok')];
  expect(await read(hint, ...use)).toEqual(['hinted pdf', 'loaded pdf', 'followed pdf']);
});

test('a compressed Codex transcript is read, counts nothing twice, and is reported if it is broken', async () => {
  const home = makeTree({ [PATH]: jsonLines(meta, message('user', body, SELECTED)) });
  const { keeper } = await readTranscripts(home);
  writeFileSync(
    join(home, `${PATH}.zst`),
    zstdCompressSync(jsonLines(meta, message('user', body, SELECTED), message('user', `${body} `, SELECTED))),
  );
  writeFileSync(join(home, PATH.replace('session-1', 'broken').replace('.jsonl', '.jsonl.zst')), 'no archive');
  const { imported } = await readTranscripts(home, { keeper });
  expect(keeper.events).toEqual(['invoked pdf', 'invoked pdf']);
  expect(imported.hosts[1]?.unreadable).toEqual([expect.stringContaining('broken.jsonl.zst')]);
});

test('a line of a Codex transcript that is nested 20,000 levels deep counts as a bad line, and the others are read', async () => {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const cat = exec('cat /a/skills/pdf/SKILL.md');
  const text = jsonLines(
    meta,
    cat,
    output('NESTED'),
    exec('cat /a/skills/docx/SKILL.md', 'call_2'),
    output('', 'call_2'),
  );
  const home = makeTree({ [PATH]: text.replace('"NESTED"', nested) });
  const { keeper, imported } = await readTranscripts(home);
  expect(keeper.events).toEqual(['loaded docx']);
  expect(imported.hosts[1]).toMatchObject({ badLines: 1 });
});

describe('a Codex shell command', () => {
  test.each([
    ['cat skills/pdf/SKILL.md', ['pdf']],
    ['cd /x; sed -n "1,200p" "/a b/skills/pdf/SKILL.md" | head', ['pdf']],
    ['python3 -u /h/.codex/skills/pdf/scripts/fill.py a.pdf', ['pdf']],
    ['FOO=1 bash -lc "python /h/skills/pdf/scripts/deep/fill.py && cat /h/skills/docx/SKILL.md"', []],
    ['bash -lc "python /h/skills/pdf/scripts/deep/fill.py && cat /h/skills/docx/SKILL.md"', ['pdf', 'docx']],
    ['node /h/skills/pdf/scripts/run.txt', []],
    ['/h/skills/pdf/scripts/run.sh', []],
    ['rm /h/skills/pdf/SKILL.md', []],
    ['cat SKILL.md', []],
    ["cat 'unclosed /h/skills/pdf/SKILL.md", ['pdf']],
    [String.raw`type C:\\skills\\pdf\\SKILL.md`, ['pdf']],
  ])('counts as a use of the skills that it reads or runs: %s', (command, skills) => {
    expect(findImplicitUses(command).map(({ folder }) => folder)).toEqual(skills);
  });
});
