import { expect, test } from 'vitest';

import { skillText, link, type Tree } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { openStore } from './store.ts';

const skill = (name: string): string => skillText({ name, description: `Does ${name}.` });

const PROJECT: Tree = {
  'project/package.json': '{"dependencies":{"tools":"*"}}',
  'project/node_modules/tools/package.json': '{"name":"tools","skills":["./extra/named","./more","npm:x","../../.."]}',
  'project/node_modules/tools/skills/in-skills/SKILL.md': skill('in-skills'),
  'project/node_modules/tools/dist/skills/in-dist/SKILL.md': skill('in-dist'),
  'project/node_modules/tools/extra/named/SKILL.md': skill('named'),
  'project/node_modules/tools/extra/unnamed/SKILL.md': skill('unnamed'),
  'project/node_modules/tools/more/one/SKILL.md': skill('one'),
  'project/node_modules/@team/root/SKILL.md': skill('root'),
  'project/node_modules/other/SKILL.md': skill('other'),
  'project/node_modules/other/skills/hidden/SKILL.md': skill('hidden'),
};

async function namesWith(config: string, tree: Tree = {}): Promise<readonly string[]> {
  const { project, home, env } = makeWorld({ ...PROJECT, ...tree, 'home/.agent/config.yaml': config });
  await using store = await openStore({ cwd: project, home, env });
  return store
    .catalog()
    .skills.filter(({ source }) => source === 'npm-project')
    .map(({ name }) => name)
    .toSorted();
}

test('skills in npm dependencies are used only if the user lists their package', async () => {
  expect(await namesWith('skills: {}\n')).toEqual([]);
  expect(await namesWith('skills:\n  enabledSources: [npm]\n')).toEqual([]);
  expect(await namesWith("skills:\n  npmPackages: [tools, '@team/root']\n")).toEqual([
    'in-dist',
    'in-skills',
    'named',
    'one',
    'root',
  ]);
  expect(await namesWith('skills:\n  npmPackages: [tools]\n  disabledSources: [npm]\n')).toEqual([]);
});

test('npm packages with skills cannot be listed by a project, and their names cannot leave node_modules', async () => {
  const config = 'skills:\n  npmPackages: [tools]\n';
  expect(await namesWith('skills: {}\n', { 'project/.agent/config.yaml': config })).toEqual([]);
  expect(await namesWith("skills:\n  npmPackages: ['../evil', '..', '.bin', '@team', 'a/b']\n")).toEqual([]);
});

test('an npm package linked inside node_modules is searched for skills, one linked out of the project is not', async () => {
  const tree = {
    'project/node_modules/.pnpm/linked@1/node_modules/linked/SKILL.md': skill('linked'),
    'project/node_modules/linked': link('.pnpm/linked@1/node_modules/linked'),
    'outside/skills/evil/SKILL.md': skill('evil'),
    'project/node_modules/evil': link('../../outside'),
  };
  expect(await namesWith('skills:\n  npmPackages: [linked, evil]\n', tree)).toEqual(['linked']);
});

test('a skill in an npm dependency does not take the name of the user’s own skill', async () => {
  const { project, home, env } = makeWorld({
    ...PROJECT,
    'home/.agent/config.yaml': 'skills:\n  npmPackages: [tools]\n',
    'home/.claude/skills/named/SKILL.md': skill('named'),
  });
  await using store = await openStore({ cwd: project, home, env });
  const found = store.find('named');
  expect(found).toMatchObject({ ok: true, skill: { source: 'claude-user', shadows: [{ source: 'npm-project' }] } });
});
