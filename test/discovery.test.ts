import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  discoverSkills,
  discoverSkillsFromDir,
  loadAll,
  SkillStore,
  type Discovery,
  type DiscoverOptions,
  type Skill,
} from '../src/index.ts';
import { readEnvironment } from '../src/platform/environment.ts';
import { settle } from './support/settle.ts';
import { link, makeTree, skillText, type Tree } from './support/tree.ts';
import { makeWorld, type World } from './support/world.ts';

const described = (description: string): string => skillText({ description });

function discoverIn({ project, home, env }: World, options: DiscoverOptions = {}): Promise<Discovery> {
  return discoverSkills({ cwd: project, home, env, ...options });
}

/** All skills except the bundled ones. */
const ownOf = ({ skills }: Discovery): readonly Skill[] => skills.filter((skill) => skill.source !== 'bundled');
const placesOf = (discovery: Discovery): readonly string[] =>
  ownOf(discovery).map(({ name, source }) => `${name} ${source}`);

/** One place for each source, highest priority first; the bundled skill of that name comes last. */
const PLACES = {
  plugin: 'home/.agent/plugins',
  project: 'project/.agent/skills',
  'agents-project': 'project/.agents/skills',
  'claude-project': 'project/.claude/skills',
  'codex-project': 'project/.codex/skills',
  'cursor-project': 'project/.cursor/skills',
  user: 'home/.agent/skills',
  'agents-user': 'home/.agents/skills',
  'claude-user': 'home/.claude/skills',
  'claude-plugins': 'home/.claude/plugins/some/plugin/skills',
  'codex-user': 'home/.codex/skills',
  'cursor-user': 'home/.cursor/skills',
  'custom:0': 'home/custom',
} as const;

describe('discovering skills', () => {
  test('finds the skills of every source', async () => {
    const files = Object.entries(PLACES).map(([id, place]) => [
      `${place}/${id.replace(':', '-')}/SKILL.md`,
      described(id),
    ]);
    const world = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  customDirectories: [~/custom]\n  enabledSources: [cursor]\n',
      ...Object.fromEntries(files),
    });
    const discovery = await discoverIn(world);
    expect(new Map(ownOf(discovery).map((skill) => [skill.source, skill.description]))).toEqual(
      new Map(Object.keys(PLACES).map((id) => [id, id])),
    );
    expect(discovery.skills.map((skill) => skill.name)).toContain('skill-author');
    expect(discovery.diagnostics).toEqual([]);
  });

  test('uses the copy from the highest source that is not disabled', async () => {
    const name = 'skill-author';
    const files = Object.entries(PLACES).map(([id, place]) => [`${place}/${name}/SKILL.md`, described(id)]);
    const order = [...Object.keys(PLACES), 'bundled'];
    for (const [index, winner] of order.entries()) {
      const off = order.slice(0, index);
      const world = makeWorld({
        'home/.agent/config.yaml': `skills: ${JSON.stringify({ customDirectories: ['~/custom'], enabledSources: ['cursor'], disabledSources: off })}\n`,
        ...Object.fromEntries(files),
      });
      const { skills } = await discoverIn(world);
      const skill = skills.find((candidate) => candidate.name === name);
      expect([skill?.source, ...(skill?.shadows.map(({ source }) => source) ?? [])]).toEqual([
        winner,
        ...order.slice(index + 1),
      ]);
    }
  });

  test('finds only bundled skills on a new machine and reports nothing', async () => {
    const discovery = await discoverIn(makeWorld());
    expect(ownOf(discovery)).toEqual([]);
    expect(discovery.diagnostics).toEqual([]);
  });

  test('names both paths of a shadowed copy', async () => {
    const world = makeWorld({
      'home/.agent/skills/pdf/SKILL.md': described('The user’s.'),
      'project/.agent/skills/pdf/SKILL.md': described('The project’s.'),
    });
    const discovery = await discoverIn(world);
    expect(ownOf(discovery)).toMatchObject([{ source: 'project', description: 'The project’s.' }]);
    expect(discovery.diagnostics).toMatchObject([
      {
        code: 'SHADOWED',
        path: join(world.home, '.agent/skills/pdf/SKILL.md'),
        message: expect.stringContaining(join(world.project, '.agent/skills/pdf/SKILL.md')),
      },
    ]);
  });

  test('prefers the nearest project folder and ignores everything above the repository', async () => {
    const world = makeWorld({
      '.agent/skills/above/SKILL.md': described('Above.'),
      'project/.agent/skills/pdf/SKILL.md': described('At the root.'),
      'project/.agent/skills/root/SKILL.md': described('Root.'),
      'project/a/.agent/skills/pdf/SKILL.md': described('Closest.'),
      'project/a/b/': '',
    });
    const discovery = await discoverIn(world, { cwd: join(world.project, 'a/b') });
    expect(ownOf(discovery).map(({ name, description }) => [name, description])).toEqual([
      ['pdf', 'Closest.'],
      ['root', 'Root.'],
    ]);
  });

  test("treats the user's skills as the user's even in the home directory", async () => {
    const world = makeWorld({
      'home/.agent/skills/a/SKILL.md': described('A.'),
      'home/.claude/skills/b/SKILL.md': described('B.'),
    });
    const discovery = await discoverIn(world, { cwd: world.home });
    expect(ownOf(discovery).map(({ source, level }) => [source, level])).toEqual([
      ['user', 'user'],
      ['claude-user', 'user'],
    ]);
  });

  test('finds a directory that is reached from several sources once, without a diagnostic', async () => {
    const world = makeWorld({
      'home/.agents/skills/pdf/SKILL.md': described('Shared.'),
      'home/.claude/skills': link('../.agents/skills'),
      'home/.codex/skills/pdf': link('../../.agents/skills/pdf'),
    });
    const discovery = await discoverIn(world);
    expect(placesOf(discovery)).toEqual(['pdf agents-user']);
    expect(discovery.diagnostics).toEqual([]);
  });

  test('treats names that differ only in case or Unicode form as the same', async () => {
    const world = makeWorld({
      'home/.agent/skills/x/SKILL.md': skillText({ name: 'PDF', description: 'Upper.' }),
      'home/.agent/skills/y/SKILL.md': skillText({ name: 'cafe\u0301', description: 'Apart.' }),
      'project/.agent/skills/x/SKILL.md': skillText({ name: 'pdf', description: 'Lower.' }),
      'project/.agent/skills/y/SKILL.md': skillText({ name: 'caf\u00E9', description: 'Together.' }),
    });
    const discovery = await discoverIn(world);
    expect(ownOf(discovery).map(({ description }) => description)).toEqual(['Together.', 'Lower.']);
    expect(discovery.diagnostics.filter(({ code }) => code === 'SHADOWED')).toMatchObject([
      { severity: 'warning' },
      { severity: 'warning' },
    ]);
  });

  test('does not let a directory take the name of its neighbour', async () => {
    const world = makeWorld({
      'project/.agent/skills/aaa/SKILL.md': skillText({ name: 'deploy', description: 'Evil.' }),
      'project/.agent/skills/deploy/SKILL.md': skillText({ name: 'deploy', description: 'Good.' }),
      'project/.claude/skills/aaa/SKILL.md': skillText({ name: 'build', description: 'Evil.' }),
      'project/.claude/skills/build/SKILL.md': skillText({ name: 'make', description: 'Good.' }),
    });
    const discovery = await discoverIn(world);
    expect(ownOf(discovery).map(({ name, description }) => [name, description])).toEqual([
      ['deploy', 'Good.'],
      ['make', 'Good.'],
    ]);
  });

  test('finds the other skills if one skill or source is bad', async () => {
    const world = makeWorld({
      'home/.agent/skills/bad/SKILL.md': '',
      'home/.agent/skills/good/SKILL.md': described('Good.'),
      'project/.agent/skills': 'a file',
      'project/.claude/skills/fine/SKILL.md': described('Fine.'),
    });
    const discovery = await discoverIn(world);
    expect(placesOf(discovery)).toEqual(['fine claude-project', 'good user']);
    expect(discovery.diagnostics.map(({ code }) => code).toSorted()).toEqual(['PARSE_FAILED', 'SOURCE_UNREADABLE']);
  });

  test('requires descriptions in our own and custom folders, but not in those of other agents', async () => {
    const bare = skillText({}, 'Only a text.');
    const places = Object.entries(PLACES).filter(([id]) => !id.startsWith('cursor'));
    const world = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  customDirectories: [~/custom]\n',
      ...Object.fromEntries(places.map(([id, place]) => [`${place}/${id.replace(':', '-')}/SKILL.md`, bare])),
    });
    const discovery = await discoverIn(world);
    expect(
      ownOf(discovery)
        .map(({ source }) => source)
        .toSorted(),
    ).toEqual(
      places
        .map(([id]) => id)
        .filter((id) => !['project', 'user', 'custom:0'].includes(id))
        .toSorted(),
    );
    const left = discovery.diagnostics.filter(
      ({ code, severity }) => code === 'DESCRIPTION_MISSING' && severity === 'error',
    );
    expect(left).toHaveLength(3);
  });

  test('executes nothing that a skill contains', async () => {
    const world = makeWorld({
      'home/.agent/skills/a/SKILL.md': skillText({
        description: 'A.',
        scripts: ['run.sh'],
        toolsets: ['tools.ts:T'],
        metadata: { requires: 'tool' },
      }),
      'home/.agent/skills/a/scripts/run.sh': '#!/bin/sh\ntouch canary\n',
      'home/.agent/skills/a/tools.ts': "import { writeFileSync } from 'node:fs';\nwriteFileSync('canary', '');\n",
      'bin/tool': '#!/bin/sh\ntouch "$0.canary"\n',
    });
    expect(placesOf(await discoverIn(world))).toEqual(['a user']);
    expect([existsSync('canary'), existsSync(join(world.root, 'bin/tool.canary'))]).toEqual([false, false]);
  });
});

describe('discovering disabled or unavailable skills', () => {
  const skills: Tree = {
    'home/.agent/skills/loud/SKILL.md': described('Loud.'),
    'home/.agent/skills/needy/SKILL.md': skillText({ description: 'Needy.', metadata: { requires: 'no-such-tool' } }),
    'home/.agent/skills/plain/SKILL.md': described('Plain.'),
    'home/.agent/skills/shy/SKILL.md': skillText({ description: 'Shy.', default_enabled: false }),
    'home/.agent/config.yaml': 'skills:\n  disabled: [loud]\n',
  };

  test('leaves these skills out unless they are requested', async () => {
    const world = makeWorld(skills);
    const names = async (options: DiscoverOptions): Promise<readonly string[]> =>
      ownOf(await discoverIn(world, options)).map(({ name }) => name);
    expect(await names({})).toEqual(['plain']);
    expect(await names({ includeDisabled: true })).toEqual(['loud', 'plain', 'shy']);
    expect(await names({ includeUnavailable: true })).toEqual(['needy', 'plain']);
    expect(await names({ includeDisabled: true, includeUnavailable: true })).toEqual(['loud', 'needy', 'plain', 'shy']);
  });

  test('gives the reasons why they are disabled or unavailable', async () => {
    const all = await discoverIn(makeWorld(skills), { includeDisabled: true, includeUnavailable: true });
    expect(ownOf(all).map(({ name, status, reasons }) => [name, status, ...reasons])).toEqual([
      ['loud', 'disabled', 'disabled by you (config.yaml)'],
      ['needy', 'unavailable', 'missing commands: no-such-tool'],
      ['plain', 'enabled'],
      ['shy', 'disabled', 'disabled by its author (default_enabled: false)'],
    ]);
  });

  test('marks disabled and unavailable skills, and says what is missing', async () => {
    const all = await discoverIn(makeWorld(skills), { includeDisabled: true, includeUnavailable: true });
    const marks = all.skills
      .filter(({ source }) => source !== 'bundled')
      .map(({ name, disabled, unavailable, unavailableReason }) => [name, disabled, unavailable, unavailableReason]);
    expect(marks).toEqual([
      ['loud', true, undefined, undefined],
      ['needy', undefined, true, 'missing commands: no-such-tool'],
      ['plain', undefined, undefined, undefined],
      ['shy', true, undefined, undefined],
    ]);
  });

  test('needs both options for a skill that is disabled and unavailable', async () => {
    const world = makeWorld({ ...skills, 'home/.agent/config.yaml': 'skills:\n  disabled: [needy]\n' });
    const has = async (options: DiscoverOptions): Promise<boolean> =>
      (await discoverIn(world, options)).skills.some(({ name }) => name === 'needy');
    expect(await has({ includeDisabled: true })).toBe(false);
    expect(await has({ includeUnavailable: true })).toBe(false);
    expect(await has({ includeDisabled: true, includeUnavailable: true })).toBe(true);
  });

  test('does not use a lower copy if the winning one is disabled or unavailable', async () => {
    const world = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  ignoredSkills: [a]\n',
      'project/.agent/skills/a/SKILL.md': described('Disabled.'),
      'project/.agent/skills/b/SKILL.md': skillText({ description: 'Off.', default_enabled: false }),
      'project/.agent/skills/c/SKILL.md': skillText({
        description: 'Unavailable.',
        metadata: { requires: 'no-such-tool' },
      }),
      ...Object.fromEntries(['a', 'b', 'c'].map((id) => [`home/.agent/skills/${id}/SKILL.md`, described('Lower.')])),
    });
    expect(ownOf(await discoverIn(world))).toEqual([]);
  });

  test('uses a lower copy if the higher source is disabled', async () => {
    const world = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  disabledSources: [project]\n',
      'project/.agent/skills/a/SKILL.md': described('Higher.'),
      'home/.agent/skills/a/SKILL.md': described('Lower.'),
    });
    const discovery = await discoverIn(world);
    expect(ownOf(discovery)).toMatchObject([{ description: 'Lower.', shadows: [] }]);
    expect(discovery.diagnostics).toEqual([]);
  });

  test('finds nothing with `enabled: false`', async () => {
    const world = makeWorld({ ...skills, 'home/.agent/config.yaml': 'skills:\n  enabled: false\n' });
    expect((await discoverIn(world)).skills).toEqual([]);
    expect(ownOf(await discoverIn(world, { includeDisabled: true }))).not.toEqual([]);
  });

  test('chooses bundled skills by their lists, and disabledBundled beats enabledBundled', async () => {
    const bundledWith = async (config: object): Promise<readonly string[]> => {
      const world = makeWorld({ 'home/.agent/config.yaml': `skills: ${JSON.stringify(config)}\n` });
      const { skills: found } = await discoverIn(world, { includeUnavailable: true });
      return found.map(({ name }) => name);
    };
    const all = await bundledWith({});
    expect(all).toContain('skill-author');
    expect(await bundledWith({ disabledBundled: ['skill-author'] })).toEqual(
      all.filter((name) => name !== 'skill-author'),
    );
    expect(await bundledWith({ enabledBundled: ['skill-author'] })).toEqual(['skill-author']);
    expect(await bundledWith({ enabledBundled: ['skill-author'], disabledBundled: ['skill-author'] })).toEqual([]);
    expect(await bundledWith({ disabledSources: ['bundled'] })).toEqual([]);
  });

  test('marks a bundled skill as unavailable only while its command is missing', async () => {
    const missing = await discoverIn(makeWorld(), { includeUnavailable: true });
    expect(missing.skills.find(({ name }) => name === 'gh')).toMatchObject({
      status: 'unavailable',
      unavailableReason: 'missing commands: gh',
    });
    const present = await discoverIn(makeWorld({ 'bin/gh': '#!/bin/sh\n' }));
    expect(present.skills.find(({ name }) => name === 'gh')).toMatchObject({ status: 'enabled' });
  });

  test("lets a project's configuration restrict more, but never less", async () => {
    const world = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  disabled: [a]\n  ignoredSkills: [b]\n',
      'project/.agent/config.yaml': 'skills:\n  disabled: [c]\n  ignoredSkills: []\n',
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [`home/.agent/skills/${id}/SKILL.md`, described(id)])),
    });
    expect(placesOf(await discoverIn(world))).toEqual(['d user']);
  });
});

test('the settings such as enableClaudeUser decide which folders of other tools are searched', async () => {
  const tree: Tree = {
    'home/.claude/skills/a/SKILL.md': described('A.'),
    'project/.claude/skills/b/SKILL.md': described('B.'),
    'home/.codex/skills/c/SKILL.md': described('C.'),
    'home/.pi/agent/skills/d/SKILL.md': described('D.'),
    'project/.pi/skills/e/SKILL.md': described('E.'),
    'home/.agents/skills/f/SKILL.md': described('F.'),
  };
  const namesWith = async (switches: string): Promise<string> => {
    const discovery = await discoverIn(makeWorld({ ...tree, 'home/.agent/config.yaml': `skills: {${switches}}\n` }));
    expect(discovery.diagnostics).toEqual([]);
    return ownOf(discovery)
      .map(({ name }) => name)
      .toSorted()
      .join('');
  };
  expect(await namesWith('')).toBe('abcdf');
  expect(await namesWith('enableClaudeUser: false')).toBe('bcdf');
  expect(await namesWith('enableClaudeProject: false, enableCodexUser: false')).toBe('adf');
  expect(await namesWith('enablePiUser: false')).toBe('abcf');
  expect(await namesWith('enablePiProject: true')).toBe('abcdef');
});

describe('discovering skills with an invalid configuration', () => {
  test('reports the configuration, uses the defaults and finds the skills', async () => {
    const world = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  disabled: everything\n',
      'home/.agent/skills/a/SKILL.md': described('A.'),
    });
    const discovery = await discoverIn(world);
    expect(placesOf(discovery)).toEqual(['a user']);
    expect(discovery.diagnostics).toMatchObject([
      { code: 'CONFIG_INVALID', line: 2, path: join(world.home, '.agent/config.yaml') },
    ]);
    expect(readFileSync(join(world.home, '.agent/config.yaml'), 'utf8')).toBe('skills:\n  disabled: everything\n');
  });

  test('warns about an unknown source', async () => {
    const world = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [cloud]\n' });
    expect((await discoverIn(world)).diagnostics).toMatchObject([{ code: 'CONFIG_IGNORED', severity: 'warning' }]);
  });
});

describe('discovering the skills of a project', () => {
  test('does not leave the project through a link or a custom directory', async () => {
    const world = makeWorld({
      'home/private/secret/SKILL.md': described('Private.'),
      'project/.agent/config.yaml': 'skills:\n  customDirectories: [~/private]\n  userDir: ~/private\n',
      'project/.agent/skills/linked': link('../../../home/private/secret'),
      'project/.claude/skills': link('../../home/private'),
    });
    const discovery = await discoverIn(world);
    expect(ownOf(discovery)).toEqual([]);
    expect(discovery.diagnostics.map(({ code }) => code).toSorted()).toEqual([
      'CONFIG_IGNORED',
      'CONFIG_IGNORED',
      'LINK_REFUSED',
      'LINK_REFUSED',
    ]);
  });

  test('treats a custom directory inside the project as a project source', async () => {
    const world = makeWorld({
      'project/.agent/config.yaml': 'skills:\n  customDirectories: [tools/skills, .]\n',
      'project/tools/skills/a/SKILL.md': described('A.'),
      'project/b/SKILL.md': described('B.'),
    });
    const discovery = await discoverIn(world);
    expect(ownOf(discovery).map(({ name, source, level }) => [name, source, level])).toEqual([
      ['a', 'custom:0', 'project'],
      ['b', 'custom:1', 'project'],
    ]);
  });
});

describe('discovering the skills of one directory', () => {
  test('gives the skills the caller’s source and ignores the rest of the machine', async () => {
    const world = makeWorld({
      'more/a/SKILL.md': described('A.'),
      'more/b/SKILL.md': skillText({}, 'Text.'),
      'home/.agent/skills/c/SKILL.md': described('C.'),
    });
    const options = { cwd: world.project, home: world.home, env: world.env };
    const { skills, diagnostics } = await discoverSkillsFromDir({
      dir: join(world.root, 'more'),
      source: 'mine',
      ...options,
    });
    expect(skills.map(({ name, source }) => [name, source])).toEqual([['a', 'mine']]);
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'DESCRIPTION_MISSING', severity: 'error' }));
  });

  test('finds no skill in a missing directory, which it reports, or in the folder of a single skill', async () => {
    const world = makeWorld({ 'skills/a/SKILL.md': described('A.') });
    const options = { source: 'mine', cwd: world.project, home: world.home, env: world.env };
    expect(await discoverSkillsFromDir({ dir: join(world.root, 'missing'), ...options })).toEqual({
      skills: [],
      diagnostics: [expect.objectContaining({ code: 'SOURCE_UNREADABLE', path: join(world.root, 'missing') })],
    });
    const single = await discoverSkillsFromDir({ dir: join(world.root, 'skills/a'), ...options });
    expect(single.skills).toEqual([]);
    expect(single.diagnostics).toMatchObject([{ code: 'MISPLACED_SKILL' }]);
  });

  test('accepts ~, variables and relative paths', async () => {
    const world = makeWorld({ 'home/s/a/SKILL.md': described('A.'), 'project/s/b/SKILL.md': described('B.') });
    const from = async (dir: string): Promise<readonly string[]> => {
      const options = { source: 'mine', cwd: world.project, home: world.home, env: world.env };
      return (await discoverSkillsFromDir({ dir, ...options })).skills.map(({ name }) => name);
    };
    expect([await from('~/s'), await from('$HOME/s'), await from('s')]).toEqual([['a'], ['a'], ['b']]);
  });
});

describe('loading the skills of several directories', () => {
  test('merges the skills, and the earlier directory wins a name', async () => {
    const world = makeWorld({
      'one/a/SKILL.md': described('One.'),
      'two/a/SKILL.md': described('Two.'),
      'two/b/SKILL.md': described('Two.'),
      'two/empty/': '',
    });
    const dirs = ['one', 'missing', 'two'].map((name) => join(world.root, name));
    const { skills } = await loadAll(dirs, { cwd: world.project, home: world.home, env: world.env });
    expect(skills.map(({ name, source, description }) => [name, source, description])).toEqual([
      ['a', 'custom:0', 'One.'],
      ['b', 'custom:2', 'Two.'],
    ]);
  });

  test('gives nothing for an empty list', async () => {
    const world = makeWorld();
    expect(await loadAll([], { cwd: world.project, home: world.home, env: world.env })).toEqual({
      skills: [],
      diagnostics: [],
    });
  });
});

describe('the discovery cache', () => {
  test('gives the same result the next time, and is where AGENT_HOME says', async () => {
    const world = makeWorld(
      { 'home/.agent/skills/a/SKILL.md': described('Not here.'), 'home/moved/skills/a/SKILL.md': described('Here.') },
      { AGENT_HOME: '~/moved' },
    );
    await settle(join(world.home, 'moved/skills/a/SKILL.md'));
    const first = await discoverIn(world);
    expect(ownOf(first)).toMatchObject([{ description: 'Here.' }]);
    expect(readdirSync(join(world.home, 'moved/cache')).length).toBeGreaterThan(0);
    expect(existsSync(join(world.home, '.agent/cache'))).toBe(false);
    expect(await discoverIn(world)).toEqual(first);
  });

  test('changes nothing if its files are damaged', async () => {
    const world = makeWorld({
      'home/.agent/skills/a/SKILL.md': described('A.'),
      'home/.agent/config.yaml': 'skills:\n  disabled: [x]\n',
    });
    await settle(join(world.home, '.agent/skills/a/SKILL.md'));
    const first = await discoverIn(world);
    const cache = join(world.home, '.agent/cache');
    expect(readdirSync(cache).length).toBeGreaterThan(1);
    for (const name of readdirSync(cache)) writeFileSync(join(cache, name), '{"version"');
    expect(await discoverIn(world)).toEqual(first);
    expect(await discoverIn(world)).toEqual(first);
  });

  test('never contains what is behind a link out of a skill', async () => {
    const world = makeWorld({ 'home/.agent/skills/a/other.md': '', 'home/secret.md': described('Foreign.') });
    symlinkSync('../../../secret.md', join(world.home, '.agent/skills/a/SKILL.md'));
    await settle(join(world.home, 'secret.md'));
    for (let look = 0; look < 2; look += 1) {
      const discovery = await discoverIn(world);
      expect(ownOf(discovery)).toEqual([]);
      expect(discovery.diagnostics).toMatchObject([{ code: 'FILE_REFUSED' }]);
    }
  });
});

describe('discovery drops nothing silently:', () => {
  const id = fc.constantFrom('a', 'b', 'C', 'c', 'déjà', 'with blank', '-x');
  const text = fc.constantFrom(
    described('Does it.'),
    skillText({ name: 'a', description: 'Claims a.' }),
    skillText({ name: 'b' }),
    skillText({ name: 'C', description: 'Claims C.' }),
    'no frontmatter',
    '',
    '---\n{\n---\n',
    '---\nname: a: b\ndescription: @x\n---\nbody\n',
  );
  const content = fc.oneof(
    text,
    fc.constantFrom('other.md', '../b/SKILL.md', '../../../../outside.md', 'nowhere').map(link),
  );
  const source = fc.constantFrom(
    'home/.agent/skills',
    'home/.claude/skills',
    'project/.agent/skills',
    'project/.claude/skills',
  );
  const entry: fc.Arbitrary<Tree> = fc.oneof(
    fc.tuple(source, id, content).map(([place, name, file]) => ({ [`${place}/${name}/SKILL.md`]: file })),
    fc.tuple(source, id, text).map(([place, name, file]) => ({ [`${place}/${name}/inner/SKILL.md`]: file })),
    fc
      .tuple(source, id, fc.constantFrom('a', '../../../outside', '.', 'nowhere'))
      .map(([place, name, target]) => ({ [`${place}/l${name}`]: link(target) })),
    fc.tuple(source, id).map(([place, name]) => ({ [`${place}/${name}/references/note.md`]: 'text' })),
    source.map((place) => ({ [`${place}/SKILL.md`]: described('Loose.') })),
  );

  /** The path reported for a nested SKILL.md: the SKILL.md of the skill around it, else the folder around it. */
  function placeOf(path: string, files: readonly string[]): string {
    const nested = /^(.*\/skills\/[^/]+)\/inner\/SKILL\.md$/.exec(path)?.[1];
    if (nested === undefined) return path;
    return files.includes(`${nested}/SKILL.md`) ? `${nested}/SKILL.md` : nested;
  }

  test('every SKILL.md becomes a skill, a shadowed copy or a diagnostic', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 10 }), async (entries) => {
        const tree: Tree = Object.fromEntries(entries.flatMap((files) => Object.entries(files)));
        const files = Object.keys(tree);
        const world = makeWorld({
          'outside.md': described('Outside.'),
          'outside/SKILL.md': described('Outside.'),
          ...tree,
        });
        const environment = readEnvironment({ cwd: world.project, home: world.home, env: world.env });
        const { skills, shadowed, diagnostics } = await new SkillStore({ environment }).loadAll();
        const seen = new Set([
          ...[...skills, ...shadowed].map(({ file }) => file),
          ...diagnostics.map(({ path }) => path),
        ]);
        const expected = files
          .filter((path) => path.endsWith('/SKILL.md'))
          .map((path) => join(world.root, placeOf(path, files)));
        expect(expected.filter((path) => !seen.has(path))).toEqual([]);
      }),
      { numRuns: 150, seed: 20261115 },
    );
  });

  test('no text of a skill comes from outside its directory', async () => {
    const world = makeWorld({
      'outside/SKILL.md': described('Outside.'),
      'project/.agent/skills/a/SKILL.md': link('../../../../outside/SKILL.md'),
      'project/.agent/skills/b': link('../../../outside'),
      'home/.agent/skills/c/SKILL.md': link('../../../../outside/SKILL.md'),
    });
    const discovery = await discoverIn(world);
    expect(JSON.stringify(ownOf(discovery))).not.toContain('Outside.');
    expect(discovery.diagnostics.map(({ code }) => code).toSorted()).toEqual([
      'FILE_REFUSED',
      'FILE_REFUSED',
      'LINK_REFUSED',
    ]);
  });
});

test('discovery finds 1,000 skills in one folder, in order', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `s${String(index).padStart(4, '0')}`);
  const dir = makeTree(Object.fromEntries(ids.map((name) => [`${name}/SKILL.md`, described(name)])));
  const world = makeWorld();
  const { skills } = await loadAll([dir], { cwd: world.project, home: world.home, env: world.env });
  expect(skills.map(({ name }) => name)).toEqual(ids);
});
