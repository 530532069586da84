import { truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { settle } from '../../test/support/settle.ts';
import { link, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { skillDigest } from '../author/read-skill.ts';
import { doctor } from '../engine/doctor/doctor.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';
import { openSkillLibrary, type SkillLibrary } from './skill-library.ts';

const DIR = '.agents/skills';
const GOOD = skillText({ name: 'good', description: 'Is good.' });

interface Opened {
  readonly home: string;
  readonly skills: Skills;
  readonly library: SkillLibrary;
  readonly skill: (name: string) => Skill;
}

async function open(tree: Tree): Promise<Opened> {
  const world = makeWorld(
    Object.fromEntries(Object.entries(tree).map(([path, text]) => [`home/${DIR}/${path}`, text])),
  );
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  const skill = (name: string): Skill => {
    const found = skills.find(name);
    if (!found.ok) throw new Error(found.message);
    return found.skill;
  };
  return { home: join(world.home, DIR), skills, library: openSkillLibrary(skills), skill };
}

test('a skill served over MCP has the same digests as the list of its files', async () => {
  const { home, library, skill } = await open({
    'good/SKILL.md': GOOD,
    'good/a/b.txt': 'b',
    'good/z.bin': Buffer.of(0, 1),
  });
  const digest = skillDigest(join(home, 'good'));
  expect(library.publish(skill('good'))).toMatchObject({
    ok: true,
    uri: 'skill://good/SKILL.md',
    frontmatter: { name: 'good', description: 'Is good.' },
    resources:
      digest.ok &&
      digest.files.map((file) => ({ uri: `skill://good/${file.path}`, digest: file.digest, size: file.size })),
  });
});

test('a skill served over MCP has a SKILL.md, whatever its case on disk', async () => {
  const { library, skill } = await open({ 'good/skill.md': GOOD });
  expect(library.publish(skill('good'))).toMatchObject({ ok: true, resources: [{ uri: 'skill://good/SKILL.md' }] });
  expect(await library.read('skill://good/SKILL.md')).toMatchObject({ ok: true, text: GOOD });
});

test.each<[what: string, tree: Tree, reason: string]>([
  ['a name in another script', { 'x/SKILL.md': skillText({ name: 'résumé', description: 'X.' }) }, 'a-z'],
  ['no name of its own', { 'x/SKILL.md': skillText({ description: 'X.' }) }, 'name: x'],
  ['no description', { 'x/SKILL.md': skillText({ name: 'x' }) }, 'description'],
  [
    'a description that is too long',
    { 'x/SKILL.md': skillText({ name: 'x', description: 'a'.repeat(1_025) }) },
    '1024',
  ],
  [
    'a compatibility that is too long',
    { 'x/SKILL.md': skillText({ name: 'x', description: 'X.', compatibility: 'a'.repeat(501) }) },
    '500',
  ],
  [
    'a number in its metadata',
    { 'x/SKILL.md': '---\nname: x\ndescription: X.\nmetadata:\n  version: 2\n---\n' },
    'metadata.version',
  ],
  [
    'metadata that is a list',
    { 'x/SKILL.md': skillText({ name: 'x', description: 'X.', metadata: ['a'] }) },
    'metadata',
  ],
  ['YAML that had to be recovered', { 'x/SKILL.md': '---\nname: x\ndescription: a: b\n---\n' }, 'invalid YAML'],
  ['513 files', { 'x/SKILL.md': skillText({ name: 'x', description: 'X.' }), ...manyFiles(512) }, '512'],
])('a skill with %s is not served over MCP, and doctor says why', async (_what, tree, reason) => {
  const { skills, library } = await open(tree);
  const skill = library.skills().find(({ level }) => level !== 'bundled');
  const carried = skill && library.publish(skill);
  expect(carried).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
  const { home, cwd, variables } = skills.environment;
  const checks = (await doctor({ home, cwd, env: variables })).filter(({ area }) => area === 'mcp');
  expect(checks).toContainEqual({
    area: 'mcp',
    status: 'info',
    detail: expect.stringContaining(`not available through the MCP Skills extension: ${skill?.name} (`),
    next: { ask: 'user', to: expect.any(String) },
  });
  expect(checks.some(({ detail }) => detail.includes(reason))).toBe(true);
});

test('a skill of 512 files and 16 MiB is served over MCP, but not with one byte more', async () => {
  const { home, library, skill } = await open({
    'x/SKILL.md': skillText({ name: 'x', description: 'X.' }),
    ...manyFiles(511),
  });
  expect(library.publish(skill('x'))).toMatchObject({ ok: true });
  const left = 16 * 1024 * 1024 - skillText({ name: 'x', description: 'X.' }).length - 510;
  for (const [at, size] of [8 * 1024 * 1024, left - 8 * 1024 * 1024].entries()) {
    const file = join(home, `x/f/${at}.txt`);
    writeFileSync(file, '');
    truncateSync(file, size);
  }
  truncateSync(join(home, 'x/f/2.txt'), 2);
  expect(library.publish(skill('x'))).toMatchObject({ ok: true });
  truncateSync(join(home, 'x/f/2.txt'), 3);
  expect(library.publish(skill('x'))).toMatchObject({ ok: false, message: expect.stringContaining('16777216') });
});

test('links and version control data are not part of a skill served over MCP', async () => {
  const { library, skill } = await open({
    'good/SKILL.md': GOOD,
    'good/.git/config': 'secret',
    'good/out': link('/etc/passwd'),
    'good/in': link('SKILL.md'),
  });
  expect(library.publish(skill('good'))).toMatchObject({ ok: true, resources: [{ uri: 'skill://good/SKILL.md' }] });
  for (const path of ['.git/config', 'out', 'in'])
    expect(await library.read(`skill://good/${path}`)).toMatchObject({ ok: false });
  expect(library.directory('skill://good/.git')).toBeUndefined();
});

test('a change of a file is visible at once in the skill served over MCP', async () => {
  const { home, library, skill } = await open({ 'good/SKILL.md': GOOD, 'good/a.txt': 'one' });
  await settle(join(home, 'good/a.txt'));
  const first = library.publish(skill('good'));
  expect(library.publish(skill('good'))).toEqual(first);
  writeTree(home, { 'good/a.txt': 'two' });
  const second = library.publish(skill('good'));
  expect(second).not.toEqual(first);
  writeTree(home, { 'good/a.txt': 'one' });
  expect(library.publish(skill('good'))).toEqual(first);
});

test('a changed file with its old modification time is visible in the skill served over MCP', async () => {
  const { home, library, skill } = await open({ 'good/SKILL.md': GOOD, 'good/a.txt': 'one' });
  const file = join(home, 'good/a.txt');
  utimesSync(file, 1, 1);
  await settle(file);
  const first = library.publish(skill('good'));
  writeFileSync(file, 'two');
  utimesSync(file, 1, 1);
  expect(library.publish(skill('good'))).not.toEqual(first);
});

test('reading a SKILL.md over MCP counts as a use, reading another file does not', async () => {
  const { skills, library } = await open({ 'good/SKILL.md': GOOD, 'good/a.txt': 'one' });
  await library.read('skill://good/a.txt');
  expect((await skills.usage.lastUsed(['good'])).size).toBe(0);
  await library.read('skill://good/SKILL.md');
  expect((await skills.usage.lastUsed(['good'])).size).toBe(1);
});

test('a skill that is hidden, disabled or gone is not served over MCP', async () => {
  const { library } = await open({
    'good/SKILL.md': GOOD,
    'hidden/SKILL.md': skillText({ name: 'hidden', description: 'X.', 'disable-model-invocation': true }),
    'off/SKILL.md': skillText({ name: 'off', description: 'X.', default_enabled: false }),
  });
  expect(library.skills().map(({ name }) => name)).toContain('good');
  for (const name of ['hidden', 'off', 'gone']) {
    expect(library.skills().map((skill) => skill.name)).not.toContain(name);
    expect(library.find(`skill://${name}/SKILL.md`)).toBeUndefined();
    expect(await library.read(`skill://${name}/SKILL.md`)).toMatchObject({ ok: false });
    expect(library.directory(`skill://${name}`)).toBeUndefined();
  }
});

test('a skill is found by its exact URI only', async () => {
  const { library } = await open({ 'good/SKILL.md': GOOD });
  expect(library.find('skill://good/SKILL.md')?.name).toBe('good');
  for (const uri of ['skill://g%6fod/SKILL.md', 'SKILL://good/SKILL.md', 'skill://good/skill.md', 'skill://good'])
    expect(library.find(uri)).toBeUndefined();
});

function manyFiles(count: number): Tree {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`x/f/${at}.txt`, 'a']));
}
