import { expect, test } from 'vitest';

import { skillText } from '../../../test/support/tree.ts';
import { fail } from '../../model/outcome.ts';
import type { TreeEntry } from '../../platform/repository/repository.ts';
import { findSkills, MAX_FOUND_SKILLS, type RepositorySkills } from './find-skills.ts';

type Files = Readonly<Record<string, string | { readonly kind: TreeEntry['kind'] }>>;

function find(files: Files, path?: string): Promise<RepositorySkills> {
  const entries = Object.entries(files).map(([name, content]): TreeEntry => ({
    path: name,
    kind: typeof content === 'string' ? 'file' : content.kind,
    executable: false,
    size: typeof content === 'string' ? content.length : 0,
    id: name,
  }));
  const read = async (id: string, maxBytes: number): ReturnType<Parameters<typeof findSkills>[0]['read']> => {
    const content = files[id];
    if (typeof content !== 'string') return fail('INSTALL_FAILED', 'gone');
    return content.length > maxBytes ? fail('INSTALL_FAILED', 'large') : { ok: true, bytes: Buffer.from(content) };
  };
  return findSkills({ entries, read, name: 'the-repo', path });
}

async function paths(files: Files, path?: string): Promise<readonly string[]> {
  return (await find(files, path)).skills.map((skill) => skill.path);
}

const skill = (name: string): string => skillText({ name, description: `Does ${name}.` });

test('a SKILL.md at the root makes the repository one skill; another one inside it is reported', async () => {
  const found = await find({ 'SKILL.md': skill('pdf'), 'template/SKILL.md': skill('x'), 'README.md': '' });
  expect(found.skills).toEqual([{ name: 'pdf', path: '', file: 'SKILL.md', description: 'Does pdf.' }]);
  expect(found.diagnostics).toMatchObject([{ code: 'MISPLACED_SKILL', severity: 'info', path: 'template/SKILL.md' }]);
});

test('an unnamed skill at the root of a repository is named after the repository', async () => {
  expect((await find({ 'skill.md': '# Hi\n\nText.\n' })).skills).toMatchObject([
    { name: 'the-repo', file: 'skill.md' },
  ]);
});

test('skills of a repository are found in the usual folders, in a fixed order', async () => {
  const files = {
    '.agents/skills/f/SKILL.md': skill('f'),
    '.claude/skills/e/SKILL.md': skill('e'),
    'd/SKILL.md': skill('d'),
    'plugins/p/skills/c/SKILL.md': skill('c'),
    'skills/a/SKILL.md': skill('a'),
    'skills/b/Skill.md': skill('b'),
    'skills/README.md': '',
  };
  expect(await paths(files)).toEqual([
    'skills/a',
    'skills/b',
    'plugins/p/skills/c',
    'd',
    '.claude/skills/e',
    '.agents/skills/f',
  ]);
});

test('skills in other folders of a repository come after the usual ones, by folder', async () => {
  const files = {
    '.claude/skills/one/SKILL.md': skill('one'),
    'packages/b/skills/y/SKILL.md': skill('y'),
    'packages/b/skills/y/template/SKILL.md': skill('part'),
    'packages/a/skills/x/SKILL.md': skill('x'),
    'packages/a/skills/one/SKILL.md': skill('one'),
    'packages/a/node_modules/z/skills/z/SKILL.md': skill('z'),
  };
  const found = await find(files);
  expect(found.skills.map(({ path, isElsewhere }) => [path, isElsewhere])).toEqual([
    ['.claude/skills/one', undefined],
    ['packages/a/skills/x', true],
    ['packages/b/skills/y', true],
  ]);
  expect(found.diagnostics).toMatchObject([
    { code: 'MISPLACED_SKILL', severity: 'info', path: 'packages/b/skills/y/template/SKILL.md' },
    { code: 'SHADOWED', severity: 'info', path: 'packages/a/skills/one/SKILL.md' },
  ]);
  expect(await paths(files, 'packages/b')).toEqual(['packages/b/skills/y']);
  expect(await paths(files, 'packages/b/skills/y')).toEqual(['packages/b/skills/y']);
});

test('a marketplace file names plugins and their skills; those outside the repository are reported', async () => {
  const marketplace = {
    plugins: [
      { name: 'one', source: './', skills: ['./odd/place/a', './odd/many/'] },
      { name: 'two', source: './tools/two' },
      { name: 'three', source: { source: 'github', repo: 'x/y' } },
      { name: 'four', source: '../../etc' },
      { name: 'five', source: './', skills: ['/etc', 'x/../../y', 'a\\b'] },
      { name: 'six', source: 'six' },
    ],
    metadata: { pluginRoot: './roots' },
  };
  const found = await find({
    '.claude-plugin/marketplace.json': `\uFEFF${JSON.stringify(marketplace)}`,
    'odd/place/a/SKILL.md': skill('a'),
    'odd/many/b/SKILL.md': skill('b'),
    'tools/two/skills/c/SKILL.md': skill('c'),
    'tools/two/.claude-plugin/plugin.json': JSON.stringify({ name: 'two', skills: './more' }),
    'tools/two/more/d/SKILL.md': skill('d'),
    'roots/six/SKILL.md': skill('six'),
  });
  expect(found.skills.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd', 'six']);
  const messages = found.diagnostics.map(({ message }) => message);
  expect(messages).toHaveLength(5);
  expect(messages.join('\n')).toMatch(/three is elsewhere; install x\/y[^]*four is outside[^]*outside: \/etc/);
});

test('an Agent Plugins manifest adds the skill folders that it names to those in skills/', async () => {
  const manifest = { $schema: 'https://agentplugins.org/x', name: 'x', skills: ['extra/a'] };
  const files = {
    'plugin.json': JSON.stringify(manifest),
    'skills/b/SKILL.md': skill('b'),
    'extra/a/SKILL.md': skill('a'),
  };
  expect(await paths(files)).toEqual(['skills/b', 'extra/a']);
});

test.each([
  'no json',
  '[',
  'null',
  '[]',
  '"x"',
  '{"plugins":{}}',
  '{"plugins":[1]}',
  '{"plugins":[{"source":1}]}',
  `{"plugins":[${'{"source":"./"},'.repeat(501)}{"source":"./"}]}`,
  '['.repeat(100_000),
  'x'.repeat(300_000),
])('a malformed or huge marketplace file is reported, and the other skills are found (case %#)', async (text) => {
  const found = await find({ '.claude-plugin/marketplace.json': text, 'skills/a/SKILL.md': skill('a') });
  expect(found.skills).toHaveLength(1);
  expect(found.diagnostics).toMatchObject([{ code: 'FILE_REFUSED', path: '.claude-plugin/marketplace.json' }]);
});

test('names such as __proto__ and constructor in a repository are treated like any other', async () => {
  const found = await find({
    '.claude-plugin/marketplace.json': '{"__proto__":{"plugins":[]},"plugins":[{"source":"./","__proto__":{"x":1}}]}',
    'skills/__proto__/SKILL.md': skill('a'),
    'skills/constructor/SKILL.md': skill('b'),
  });
  expect(found.skills).toHaveLength(2);
  expect(found.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('a SKILL.md that is invalid, too large or behind a link in a repository is reported', async () => {
  const found = await find({
    'skills/a/SKILL.md': '---\n&a [*a]: {\n---\n',
    'skills/b/SKILL.md': { kind: 'link' },
    'skills/c/SKILL.md': 'x'.repeat(2_000_000),
    'skills/d': { kind: 'link' },
    '.claude/skills': { kind: 'link' },
    'skills/e': { kind: 'submodule' },
  });
  expect(found.skills).toEqual([]);
  const codes = found.diagnostics.map(({ code, path }) => `${code} ${path}`).sort();
  expect(codes).toEqual([
    'FILE_UNREADABLE skills/c/SKILL.md',
    'LINK_REFUSED .claude/skills',
    'LINK_REFUSED skills/b/SKILL.md',
    'LINK_REFUSED skills/d',
    'LINK_REFUSED skills/e',
    'PARSE_FAILED skills/a/SKILL.md',
  ]);
});

test('the first of two skills with the same name in a repository is used, and the other is reported', async () => {
  const found = await find({ '.claude/skills/a/SKILL.md': skill('a'), 'skills/a/SKILL.md': skill('a') });
  expect(found.skills).toMatchObject([{ path: 'skills/a' }]);
  expect(found.diagnostics).toMatchObject([{ code: 'SHADOWED', path: '.claude/skills/a/SKILL.md' }]);
});

test('finding skills in a repository stops at a limit of depth and number, and says so', async () => {
  const deep = `${'a/'.repeat(100_000)}SKILL.md`;
  const many = Object.fromEntries(
    Array.from({ length: MAX_FOUND_SKILLS + 1 }, (_, at) => [`skills/s${at}/SKILL.md`, `# ${at}\n\nx\n`]),
  );
  const found = await find({ [deep]: skill('a'), ...many });
  expect(found.skills).toHaveLength(MAX_FOUND_SKILLS);
  expect(found.diagnostics.filter(({ code }) => code === 'SCAN_LIMIT')).toHaveLength(2);
});
