import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { link, makeTree, skillText } from '../../../test/support/tree.ts';
import { EMIT_TARGETS, type EmitTarget } from '../../model/target-id.ts';
import { emit } from './emit.ts';

const skill = (name: string, more: Readonly<Record<string, unknown>> = {}): string =>
  skillText({ name, description: `Do ${name}.`, ...more }, `# ${name}\n`);

const REPOSITORY = {
  'team-skills/skills/mail/SKILL.md': skill('mail'),
  'team-skills/skills/pdf/SKILL.md': skill('pdf', { 'disable-model-invocation': true }),
};

const MARKETPLACE = 'team-skills/.claude-plugin/marketplace.json';

const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
const readJson = (root: string, path: string): unknown => JSON.parse(read(root, path));
const run = (root: string, targets: readonly EmitTarget[], check = false): ReturnType<typeof emit> =>
  emit(targets, { dir: join(root, 'team-skills'), check });

test('emit writes the files of every program, and does nothing the second time', async () => {
  const root = makeTree(REPOSITORY);
  expect(await run(root, EMIT_TARGETS)).toMatchObject({
    ok: true,
    files: [
      { path: '.claude-plugin/marketplace.json', state: 'created' },
      { path: 'skills/pdf/agents/openai.yaml', state: 'created' },
      { path: '.cursor-plugin/plugin.json', state: 'created' },
      { path: 'gemini-extension.json', state: 'created' },
      { path: 'plugin.json', state: 'created' },
    ],
    notes: [],
  });
  const about = { name: 'team-skills', description: 'Skills: mail, pdf' };
  expect(readJson(root, MARKETPLACE)).toEqual({
    name: 'team-skills',
    owner: { name: 'team-skills' },
    plugins: [{ ...about, source: './' }],
  });
  expect(read(root, 'team-skills/skills/pdf/agents/openai.yaml')).toBe('policy:\n  allow_implicit_invocation: false\n');
  expect(readJson(root, 'team-skills/.cursor-plugin/plugin.json')).toEqual({ ...about, version: '1.0.0' });
  expect(readJson(root, 'team-skills/gemini-extension.json')).toEqual({ ...about, version: '1.0.0' });
  expect(readJson(root, 'team-skills/plugin.json')).toMatchObject({
    $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
    name: 'team-skills',
  });
  const again = await run(root, EMIT_TARGETS);
  expect(again.ok ? again.files.filter(({ state, diff }) => state !== 'unchanged' || diff !== '') : again).toEqual([]);
});

test('emit takes name, description, version and owner from package.json', async () => {
  const author = 'Ada Lovelace <ada@example.com> (https://example.com)';
  const root = makeTree({
    ...REPOSITORY,
    'team-skills/package.json': JSON.stringify({
      name: '@ada/Our_Skills',
      version: '2.1.0',
      description: 'Ours.',
      author,
    }),
  });
  await run(root, ['claude-code', 'gemini']);
  expect(readJson(root, MARKETPLACE)).toMatchObject({ name: 'our-skills', owner: { name: 'Ada Lovelace' } });
  expect(readJson(root, 'team-skills/gemini-extension.json')).toEqual({
    name: 'our-skills',
    version: '2.1.0',
    description: 'Ours.',
  });
});

describe('emit, for a hand-written marketplace file,', () => {
  test('keeps comments, layout and plugins, and adds the skills that no plugin includes', async () => {
    const text = `{
    // ours
    "name": "mine",
    "owner": {"name": "Me", "email": "me@example.com"},
    "plugins": [
        {"name": "extra", "source": "./plugins/extra", "category": "x"}, // theirs
        {"name": "far", "source": {"source": "github", "repo": "a/b"}}
    ]
}
`;
    const root = makeTree({
      ...REPOSITORY,
      [MARKETPLACE]: text,
      'team-skills/plugins/extra/skills/extra/SKILL.md': skill('extra'),
      'team-skills/tools/lint/SKILL.md': skill('lint'),
      'team-skills/lint/SKILL.md': skill('lint'),
    });
    expect(await run(root, ['claude-code'])).toMatchObject({ ok: true, files: [{ state: 'changed' }] });
    const edited = read(root, MARKETPLACE);
    for (const line of text.split('\n').slice(0, 6)) expect(edited).toContain(line);
    const value = JSON.parse(edited.replaceAll(/\/\/ .*$/gm, ''));
    expect(value.plugins).toMatchObject([
      { name: 'extra' },
      { name: 'far' },
      { name: 'team-skills', source: './', skills: ['./lint', './skills/mail', './skills/pdf'] },
    ]);
  });

  test('adds new skills to its list and removes those that are gone', async () => {
    const plugins = [{ name: 'mine', source: './', skills: ['./skills/mail', './skills/gone'], keywords: ['a'] }];
    const root = makeTree({ ...REPOSITORY, [MARKETPLACE]: JSON.stringify({ name: 'x', owner: {}, plugins }) });
    await run(root, ['copilot']);
    expect(readJson(root, MARKETPLACE)).toEqual({
      name: 'x',
      owner: {},
      plugins: [{ name: 'mine', source: './', skills: ['./skills/mail', './skills/pdf'], keywords: ['a'] }],
    });
  });

  test.for([
    ['no list', [{ name: 'a', source: './' }]],
    ['a list of the folder', [{ name: 'a', source: '.', skills: './skills/' }]],
    [
      'one plugin for each',
      [
        { name: 'a', source: './', skills: ['./skills/mail'] },
        { name: 'b', source: './skills/pdf' },
      ],
    ],
  ])('leaves the file unchanged if it already includes every skill: %s', async ([, plugins]) => {
    const root = makeTree({ ...REPOSITORY, [MARKETPLACE]: JSON.stringify({ name: 'x', owner: {}, plugins }) });
    expect(await run(root, ['claude-code'], true)).toMatchObject({
      ok: true,
      files: [{ state: 'unchanged', diff: '' }],
    });
  });

  test.for([
    ['is not JSON', '{"name": '],
    ['is a list', '[]'],
    ['has plugins that are no list', '{"plugins": {}}'],
  ] as const)('refuses the file and writes nothing if it %s', async ([, text]) => {
    const root = makeTree({ ...REPOSITORY, [MARKETPLACE]: text });
    expect(await run(root, ['gemini', 'claude-code'])).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
    expect(existsSync(join(root, 'team-skills/gemini-extension.json'))).toBe(false);
  });
});

test.for([
  ['', 'policy:\n  allow_implicit_invocation: false\n'],
  [
    '# mine\ninterface:\n  display_name: "PDF"\npolicy:\n  products: [a] # two\n',
    '# mine\ninterface:\n  display_name: "PDF"\npolicy:\n  products: [a] # two\n  allow_implicit_invocation: false\n',
  ],
  ['policy:\n  allow_implicit_invocation: true\n', 'policy:\n  allow_implicit_invocation: false\n'],
  ['policy: {allow_implicit_invocation: false} # mine\n', 'policy: {allow_implicit_invocation: false} # mine\n'],
] as const)('emit keeps what people wrote in agents/openai.yaml: %j', async ([before, after]) => {
  const file = 'team-skills/skills/pdf/agents/openai.yaml';
  const root = makeTree(before === '' ? REPOSITORY : { ...REPOSITORY, [file]: before });
  expect(await run(root, ['codex'])).toMatchObject({ ok: true });
  expect(read(root, file)).toBe(after);
});

test('emit with check writes nothing and shows the differences', async () => {
  const root = makeTree(REPOSITORY);
  expect(await run(root, ['gemini'], true)).toMatchObject({
    ok: true,
    files: [{ state: 'created', diff: expect.stringContaining('+  "name": "team-skills",') }],
  });
  expect(existsSync(join(root, 'team-skills/gemini-extension.json'))).toBe(false);
});

test('emit names skills that a program would not find or would truncate', async () => {
  const long = skillText({ name: 'long', description: 'x' }, 'x'.repeat(9_000));
  const root = makeTree({ ...REPOSITORY, 'team-skills/.claude/skills/long/SKILL.md': long });
  expect(await run(root, ['gemini', 'agent-plugins'])).toMatchObject({
    notes: [
      'Gemini finds only skills in skills/<name>, and not these: .claude/skills/long',
      'Agent Plugins finds only skills in skills/<name>, and not these: .claude/skills/long',
      expect.stringContaining('cuts instructions there at 8000 bytes: long'),
    ],
  });
});

test('emit follows no links out of the repository and refuses a folder without skills', async () => {
  const root = makeTree({ ...REPOSITORY, 'outside/': '', 'team-skills/.cursor-plugin': link('../outside') });
  expect(await run(root, ['cursor'])).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  expect(existsSync(join(root, 'outside/plugin.json'))).toBe(false);
  expect(await emit(['gemini'], { dir: join(root, 'outside') })).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  expect(await emit(['gemini'], { dir: join(root, 'nowhere') })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
});
