import { expect, test } from 'vitest';

import { memoryFolder } from '../../../test/support/memory-folder.ts';
import { skillText } from '../../../test/support/tree.ts';
import { TARGET_IDS, type TargetId } from '../../model/target-id.ts';
import { judgeFolder } from './judge-for-targets.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

function verdicts(files: Files, dir = '/skills/pdf'): Readonly<Partial<Record<TargetId, string>>> {
  const judged = judgeFolder(memoryFolder(files, { dir }));
  return Object.fromEntries(
    judged.map(({ id, findings }) => [id, findings.map(({ effect, message }) => `${effect} ${message}`).join('\n')]),
  );
}

const simple = { name: 'pdf', description: 'Fill in PDF forms.' };

test('every target accepts a plain skill and names the version its rules come from', () => {
  const judged = judgeFolder(memoryFolder({ 'SKILL.md': skillText(simple) }, { dir: '/skills/pdf' }));
  expect(judged.map(({ id, verdict }) => [id, verdict])).toEqual(
    ['spec', 'claude.ai', 'claude-code', 'codex', 'cursor', 'copilot', 'gemini', 'opencode', 'mcp', 'gh-skill'].map(
      (id) => [id, 'accepts'],
    ),
  );
  expect(new Set(judged.map(({ id }) => id))).toEqual(new Set(TARGET_IDS));
  for (const { seenIn, title } of judged) expect([title, seenIn]).not.toContain('');
});

test('fields outside the specification are refused by uploads and ignored or honoured by programs', () => {
  const text = skillText({ ...simple, triggers: ['pdf'], 'disable-model-invocation': true, 'argument-hint': 'file' });
  expect(verdicts({ 'SKILL.md': text })).toEqual({
    spec: 'refuses the frontmatter has unexpected fields: argument-hint, disable-model-invocation, triggers',
    'claude.ai': 'refuses the frontmatter has unexpected fields: argument-hint, disable-model-invocation, triggers',
    'claude-code': 'ignores triggers',
    codex: 'ignores argument-hint, disable-model-invocation, triggers',
    cursor: 'ignores argument-hint, triggers',
    copilot: 'ignores triggers',
    gemini: 'ignores argument-hint, disable-model-invocation, triggers',
    opencode: 'ignores argument-hint, disable-model-invocation, triggers',
    mcp: '',
    'gh-skill': '',
  });
});

test('Codex is judged to hide a skill if agents/openai.yaml says so', () => {
  const text = skillText({ ...simple, 'disable-model-invocation': true });
  const own = (yaml: string): string | undefined => verdicts({ 'SKILL.md': text, 'agents/openai.yaml': yaml }).codex;
  expect(own('policy:\n  allow_implicit_invocation: false\n')).toBe('');
  expect(own('policy:\n  allow_implicit_invocation: true\n')).toBe('ignores disable-model-invocation');
  const [codex] = judgeFolder(memoryFolder({ 'SKILL.md': text }), { for: ['codex'] });
  expect(codex?.findings[0]?.next).toEqual({ do: 'emit', host: 'codex' });
});

test('a long description is judged as refused, truncated or shown, by the limit of each program', () => {
  const judged = verdicts({ 'SKILL.md': skillText({ name: 'pdf', description: 'x'.repeat(1_600) }) });
  expect(judged).toMatchObject({
    spec: expect.stringMatching(/^refuses .*1024/),
    'claude-code': 'cuts its description has 1600 characters, and only 1536 are shown',
    codex: 'cuts its description has 1600 characters, and only 1024 are shown',
    cursor: 'cuts its description has 1600 characters, and only 1536 are sent',
    copilot: 'refuses its description has more than 1024 characters',
    gemini: '',
    opencode: '',
    mcp: expect.stringContaining('1024'),
    'gh-skill': '',
  });
});

test('invalid YAML is judged as read by some programs and refused by others', () => {
  const judged = verdicts({ 'SKILL.md': '---\nname: pdf\ndescription: Use: when\n---\n# PDF\n' });
  const refused = Object.entries(judged).flatMap(([id, text]) => (text.startsWith('refuses') ? [id] : []));
  expect(refused).toEqual(['spec', 'claude.ai', 'copilot', 'mcp', 'gh-skill']);
});

test('targets judge names in other scripts, mismatched folders and other spellings of SKILL.md', () => {
  const russian = verdicts({ 'SKILL.md': skillText({ name: 'навык', description: 'x' }) }, '/skills/навык');
  expect(russian).toMatchObject({ spec: '', copilot: expect.stringMatching(/^refuses its name/) });
  expect(russian).toMatchObject({ mcp: expect.stringMatching(/a-z, 0-9/), 'gh-skill': expect.stringMatching(/a-z/) });
  const moved = verdicts({ 'SKILL.md': skillText(simple) }, '/skills/other');
  expect(moved).toMatchObject({
    spec: expect.stringContaining('must match'),
    'claude-code': 'ignores the name pdf: there it is called other, as its folder',
    codex: '',
    'gh-skill': expect.stringContaining('does not match the folder "other"'),
  });
  expect(verdicts({ 'skill.md': skillText(simple) })).toMatchObject({
    spec: '',
    codex: 'refuses its file is called skill.md',
  });
});

test.for<readonly [string, Files, RegExp]>([
  ['a name with "claude"', { 'SKILL.md': skillText({ name: 'claude-pdf', description: 'x' }) }, /"claude"/],
  ['text in angle brackets', { 'SKILL.md': skillText({ name: 'pdf', description: 'a <b> c' }) }, /angle brackets/],
  ['an archive', { 'SKILL.md': skillText(simple), 'a/data.ZIP': 'x' }, /archives: "a\/data.ZIP"/],
  ['a name of a file', { 'SKILL.md': skillText(simple), 'a#b.md': 'x' }, /names of files: "a#b.md"/],
  [
    'many files',
    { 'SKILL.md': skillText(simple), ...Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}.md`, ''])) },
    /201 files; the limit is 200/,
  ],
])('claude.ai is judged to refuse %s', ([, files, message]) => {
  expect(verdicts(files)['claude.ai']).toMatch(message);
});

test('gh skill is judged to refuse a list of tools and metadata that it wrote itself', () => {
  const text = '---\nname: pdf\ndescription: x\nallowed-tools: [Read]\nmetadata:\n  github-ref: main\n---\n';
  expect(verdicts({ 'SKILL.md': text })['gh-skill']).toBe(
    'refuses allowed-tools is a list\nrefuses metadata has what `gh skill install` wrote: github-ref',
  );
});

test('every target is judged to refuse a folder without a SKILL.md', () => {
  for (const [, text] of Object.entries(verdicts({ 'README.md': '' }))) expect(text).toBe('refuses it has no SKILL.md');
});
