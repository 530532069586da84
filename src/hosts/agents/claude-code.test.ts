import { expect, test } from 'vitest';

import { jsonLines, readTranscripts } from '../../../test/support/transcripts.ts';
import { makeTree } from '../../../test/support/tree.ts';

/** The shapes are those of transcripts that Claude Code 2.1.325 wrote, without what is not read. */
const base = { isSidechain: false, userType: 'external', cwd: '/projects/app', sessionId: 's-1', version: '2.1.325' };
let count = 0;
const at = (second: number): string => new Date(Date.UTC(2026, 0, 5, 10, 0, second)).toISOString();
const uuid = (): string => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;

const answer = (content: readonly unknown[], given: object = {}): object => ({
  ...base,
  message: { id: 'msg_1', type: 'message', role: 'assistant', content, usage: {} },
  type: 'assistant',
  uuid: uuid(),
  timestamp: at(2),
  ...given,
});
const call = (id: string, skill: string, given: object = {}): object =>
  answer([{ type: 'tool_use', id, name: 'Skill', input: { skill, args: 'a.pdf' } }], given);
const result = (id: string, given: object = {}, more: object = {}): object => ({
  ...base,
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Launching skill', ...given }] },
  uuid: uuid(),
  timestamp: at(3),
  toolUseResult: { success: true, commandName: 'pdf' },
  ...more,
});
const user = (content: string, given: object = {}): object => ({
  ...base,
  type: 'user',
  message: { role: 'user', content },
  uuid: uuid(),
  timestamp: at(1),
  ...given,
});
const slash = (name: string, more = ''): string =>
  `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>a</command-args>${more}`;
const attachment = (content: object): object => ({
  ...base,
  attachment: content,
  type: 'attachment',
  uuid: uuid(),
  timestamp: at(0),
});

async function read(...lines: readonly object[]): Promise<readonly string[]> {
  const home = makeTree({ '.claude/projects/-work-app/s-1.jsonl': jsonLines(...lines) });
  return (await readTranscripts(home)).keeper.events;
}

test('a Skill call in a Claude Code transcript counts as a use only when its result is a success', async () => {
  expect(await read(call('toolu_0000000001', 'pdf'), result('toolu_0000000001'))).toEqual(['loaded pdf']);
  const denied = result('toolu_0000000001', { is_error: true }, { toolUseResult: 'Error: denied' });
  expect(await read(call('toolu_0000000001', 'pdf'), denied)).toEqual([]);
  const failed = result('toolu_0000000001', {}, { toolUseResult: { success: false, commandName: 'pdf' } });
  expect(await read(call('toolu_0000000001', 'pdf'), failed)).toEqual([]);
  expect(await read(call('toolu_0000000001', 'pdf'))).toEqual([]);
});

test('a slash command in a Claude Code transcript counts as a use, unless it is built in, generated or quoted', async () => {
  expect(await read(user(slash('pdf')), user(slash('office:docx')))).toEqual(['invoked pdf', 'invoked office:docx']);
  const builtIn = '<command-name>/clear</command-name>\n<command-message>clear</command-message>';
  expect(await read(user(builtIn))).toEqual([]);
  expect(await read(user(slash('pdf'), { isMeta: true }), user(slash('pdf'), { isCompactSummary: true }))).toEqual([]);
  expect(await read(user(slash('pdf', '\n<skill-format>true</skill-format>')))).toEqual([]);
  expect(await read(user(`look at this: ${slash('pdf')}`))).toEqual([]);
});

test('lines that a resumed Claude Code session repeats are counted once, and transcripts of subagents are read', async () => {
  const lines = [user(slash('pdf')), call('toolu_0000000001', 'docx'), result('toolu_0000000001')];
  const home = makeTree({
    '.claude/projects/-work-app/s-1.jsonl': jsonLines(...lines),
    '.claude/projects/-work-app/s-2.jsonl': jsonLines(
      ...lines.map((line) => ({ ...line, sessionId: 's-2' })),
      user(slash('pdf')),
    ),
    '.claude/projects/-work-app/s-2/subagents/agent-1.jsonl': jsonLines(
      call('toolu_0000000002', 'xlsx', { isSidechain: true }),
      result('toolu_0000000002'),
    ),
    '.claude/projects/-work-app/s-2/tool-results/x.jsonl': jsonLines(user(slash('other'))),
  });
  const { keeper, imported } = await readTranscripts(home);
  expect(keeper.events.toSorted()).toEqual(['invoked pdf', 'invoked pdf', 'loaded docx', 'loaded xlsx']);
  expect(imported.hosts[0]).toMatchObject({ host: 'claude-code', files: 3, read: 3, badLines: 0 });
});

test('a Claude Code transcript tells which skills were listed and which lost their description', async () => {
  const content = '- pdf: Fills forms.\n- docx\n- xlsx: Tables - with: colons.';
  const names = ['pdf', 'docx', 'xlsx'];
  const listing = attachment({ type: 'skill_listing', content, names, isInitial: true, skillCount: 3 });
  expect((await read(listing)).toSorted()).toEqual(['cut docx', 'shown docx', 'shown pdf', 'shown xlsx']);
});

test('tokens of Claude Code answers are charged to the active skill, once per answer and without cache reads', async () => {
  const cost = (id: string, output: number): object =>
    answer([{ type: 'text', text: 'x' }], {
      attributionSkill: 'pdf',
      message: {
        id,
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 5,
          cache_read_input_tokens: 9_000,
          output_tokens: output,
        },
      },
    });
  expect(await read(cost('msg_a', 1), cost('msg_a', 20), cost('msg_b', 4), answer([]))).toEqual([
    'spent pdf 16',
    'spent pdf 19',
    'spent pdf 19',
  ]);
});

test('a hint in a Claude Code transcript counts as followed only if the model soon loads the hinted skill itself', async () => {
  const hint = (text: string): object =>
    attachment({ type: 'hook_additional_context', content: [text], hookEvent: 'UserPromptSubmit' });
  const ours = hint('[skillplane] Use the skill `pdf` or `docx` for this.');
  const used = [call('toolu_0000000001', 'pdf'), result('toolu_0000000001')];
  expect(await read(ours, ...used)).toEqual(['hinted pdf', 'hinted docx', 'loaded pdf', 'followed pdf']);
  expect(await read(hint('Use the skill `pdf`.'), ...used)).toEqual(['loaded pdf']);
  expect(await read(ours, user(slash('pdf')))).toEqual(['hinted pdf', 'hinted docx', 'invoked pdf']);
  const late = [call('toolu_0000000001', 'pdf', { timestamp: at(3_000) }), result('toolu_0000000001')];
  expect(await read(ours, ...late)).toEqual(['hinted pdf', 'hinted docx', 'loaded pdf']);
});
