import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { settings } from '../../test/support/found.ts';
import { link, makeTree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import type { SkillsConfig } from '../model/config.ts';
import type { SourceRoot } from '../model/source.ts';
import { readEnvironment } from '../platform/environment.ts';
import { bundledDirectory, resolveSources, type ResolvedSources } from './resolve.ts';

function resolveIn(world: World, given: Partial<SkillsConfig> = {}): ResolvedSources {
  return resolveSources(settings(given), world.environment);
}

const ids = (roots: readonly SourceRoot[]): readonly string[] => roots.map((root) => root.id);

describe('the source directories', () => {
  test('are those of the default sources, highest priority first', () => {
    const world = makeWorld();
    const { home, project } = world;
    const { roots, diagnostics } = resolveIn(world, {
      pluginsDir: '/p',
      userDir: '/u',
      agentSkillsDir: '/a',
      customDirectories: [
        { path: '/c0', level: 'user' },
        { path: '/c1', level: 'user' },
      ],
    });
    const others = roots.filter(({ priority }) => priority === 35);
    expect(others.map(({ path }) => path)).toContain(join(home, '.cursor/skills'));
    const rest = roots.filter((root) => !others.includes(root));
    expect(rest.map(({ id, path, priority }) => [id, path, priority])).toEqual([
      ['plugin', '/p', 100],
      ['project', join(project, '.agent/skills'), 90],
      ['agents-project', join(project, '.agents/skills'), 85],
      ['claude-project', join(project, '.claude/skills'), 80],
      ['codex-project', join(project, '.codex/skills'), 75],
      ['user', '/u', 60],
      ['agent-written', '/a', 58],
      ['agents-user', join(home, '.agents/skills'), 55],
      ['claude-user', join(home, '.claude/skills'), 50],
      ['claude-plugins', join(home, '.claude/plugins'), 45],
      ['codex-user', join(home, '.codex/skills'), 40],
      ['custom:0', '/c0', 30],
      ['custom:1', '/c1', 30],
      ['bundled', bundledDirectory(), 10],
    ]);
    expect(diagnostics).toEqual([]);
  });

  test("include a directory once if agents write to the user's own", () => {
    const { roots } = resolveIn(makeWorld(), { userDir: '/u', agentSkillsDir: '/u' });
    expect(roots.filter(({ path }) => path === '/u').map(({ id }) => id)).toEqual(['user']);
  });

  test('of a project go from the working directory up to the repository root, nearest first', () => {
    const { project, home, env } = makeWorld({ 'project/a/b/': '' });
    const environment = readEnvironment({ cwd: join(project, 'a/b'), home, env });
    const roots = resolveSources(settings(), environment).roots.filter((root) => root.id === 'project');
    expect(roots.map(({ path, ordinal, boundary }) => [path, ordinal, boundary])).toEqual([
      [join(project, 'a/b/.agent/skills'), 0, project],
      [join(project, 'a/.agent/skills'), 1, project],
      [join(project, '.agent/skills'), 2, project],
    ]);
  });

  test('outside a repository are only those of the working directory', () => {
    const root = makeTree({ 'a/b/': '', 'home/': '' });
    const environment = readEnvironment({ cwd: join(root, 'a/b'), home: join(root, 'home'), env: {} });
    const projects = resolveSources(settings(), environment).roots.filter((place) => place.id === 'project');
    expect(projects.map((place) => place.path)).toEqual([join(root, 'a/b/.agent/skills')]);
  });

  test("of the user are never a project's, even if the home directory is a repository", () => {
    const { home, env } = makeWorld({ 'home/.git/': '', 'home/work/': '' });
    for (const cwd of [home, join(home, 'work')]) {
      const config = settings({ userDir: join(home, '.agent/skills') });
      const { roots } = resolveSources(config, readEnvironment({ cwd, home, env }));
      const atHome = roots.filter((root) => root.path.startsWith(`${home}/.`));
      expect(new Set(atHome.map((root) => root.level))).toEqual(new Set(['user']));
    }
  });

  test("of the user are never a project's, even if the home directory is reached through a link", () => {
    const root = makeTree({ 'disk/ann/.agent/skills/': '', 'disk/ann/.claude/skills/': '', home: link('disk/ann') });
    const home = join(root, 'home');
    const config = settings({ userDir: join(home, '.agent/skills') });
    // A shell that was started in a linked home still has the real directory as the process's own.
    const { roots } = resolveSources(config, readEnvironment({ cwd: join(root, 'disk/ann'), home, env: {} }));
    const isProject = (place: SourceRoot): boolean => place.level === 'project';
    expect(ids(roots.filter(isProject)).filter((id) => ['project', 'claude-project'].includes(id))).toEqual([]);
  });
});

describe('a source directory that the user moved', () => {
  test('leaves the old folder unread, also where the working directory is the home', () => {
    const { home } = makeWorld();
    const moved = settings({ userDir: join(home, 'uu'), agentSkillsDir: join(home, 'uu') });
    const { roots } = resolveSources(moved, readEnvironment({ cwd: home, home, env: {} }));
    expect(roots.filter(({ path }) => path === join(home, '.agent/skills'))).toEqual([]);
    expect(roots.find(({ id }) => id === 'user')?.path).toBe(join(home, 'uu'));
  });

  test.each([
    ['claude-user', 'CLAUDE_CONFIG_DIR', 'skills'],
    ['claude-plugins', 'CLAUDE_CONFIG_DIR', 'plugins'],
    ['codex-user', 'CODEX_HOME', 'skills'],
    ['gemini-user', 'GEMINI_CLI_HOME', '.gemini/skills'],
    ['github-user', 'COPILOT_HOME', 'skills'],
    ['opencode-user', 'XDG_CONFIG_HOME', 'opencode/skills'],
  ])('is found for %s where %s says', (id, variable, inside) => {
    const { home, project } = makeWorld();
    const find = (env: Readonly<Record<string, string>>): string | undefined => {
      const { roots } = resolveSources(settings(), readEnvironment({ cwd: project, home, env }));
      return roots.find((root) => root.id === id)?.path;
    };
    expect(find({ [variable]: join(home, 'moved') })).toBe(join(home, 'moved', inside));
    expect(find({ [variable]: 'moved' })).toBe(join(project, 'moved', inside));
    const usual = find({});
    expect(usual).not.toContain('moved');
    expect(find({ [variable]: '' })).toBe(usual);
  });

  test("is the user's even inside the project", () => {
    const { home, project } = makeWorld();
    const env = { CLAUDE_CONFIG_DIR: join(project, '.claude') };
    const { roots } = resolveSources(settings(), readEnvironment({ cwd: project, home, env }));
    const path = join(project, '.claude/skills');
    expect(roots.filter((root) => root.path === path).map(({ id, level }) => [id, level])).toEqual([
      ['claude-user', 'user'],
    ]);
  });
});

describe('disabling sources', () => {
  test.each([
    [['claude-user'], ['claude-user']],
    [['claude'], ['claude-project', 'claude-user', 'claude-plugins']],
    [['*-project'], ['agents-project', 'claude-project', 'codex-project']],
    [['project'], ['project']],
    [['user'], ['user']],
    [
      ['bundled', 'plugin'],
      ['plugin', 'bundled'],
    ],
    [['custom'], ['custom:0', 'custom:1']],
    [['custom:1'], ['custom:1']],
  ])('by %j removes %j', (disabledSources, gone) => {
    const world = makeWorld();
    const customDirectories = ['/c0', '/c1'].map((path) => ({ path, level: 'user' as const }));
    const all = ids(resolveIn(world, { customDirectories }).roots);
    const { roots, diagnostics } = resolveIn(world, { customDirectories, disabledSources });
    expect(all.filter((id) => !ids(roots).includes(id))).toEqual(gone);
    expect(diagnostics).toEqual([]);
  });

  test('by * removes all sources', () => {
    const { roots, off } = resolveIn(makeWorld(), { disabledSources: ['*'] });
    expect(roots).toEqual([]);
    expect(ids(off)).toContain('bundled');
  });

  test('keeps their directories known as off', () => {
    const world = makeWorld();
    const { off } = resolveIn(world, { disabledSources: ['claude-user'] });
    expect(off.find((root) => root.id === 'claude-user')?.path).toBe(join(world.home, '.claude/skills'));
    expect(off.find((root) => root.id === 'cursor-project')?.path).toBe(join(world.project, '.cursor/skills'));
  });
});

describe('enabling sources', () => {
  test.each([
    [['cursor'], ['cursor-project']],
    [['gemini-user'], []],
    [
      ['goose', 'windsurf-project'],
      ['goose-project', 'windsurf-project'],
    ],
  ])('by %j adds %j', (enabledSources, added) => {
    const world = makeWorld();
    const all = ids(resolveIn(world).roots);
    const { roots, diagnostics } = resolveIn(world, { enabledSources });
    expect(ids(roots).filter((id) => !all.includes(id))).toEqual(added);
    expect(diagnostics).toEqual([]);
  });

  test('has no effect on sources that are also disabled', () => {
    const { roots } = resolveIn(makeWorld(), { enabledSources: ['cursor'], disabledSources: ['cursor-user'] });
    expect(ids(roots).filter((id) => id.startsWith('cursor'))).toEqual(['cursor-project']);
  });
});

test.each(['disabledSources', 'enabledSources'] as const)(
  'an unknown source in the setting %s is reported with the known ones',
  (field) => {
    const { diagnostics } = resolveIn(makeWorld(), { [field]: ['claud', 'claude', 'zed-*'] });
    expect(diagnostics).toMatchObject([
      {
        code: 'CONFIG_IGNORED',
        severity: 'warning',
        field,
        message: expect.stringMatching(/^unknown source "claud" in .*; available: plugin, project, /),
      },
      { code: 'CONFIG_IGNORED', severity: 'warning', field, message: expect.stringMatching(/unknown source "zed-\*"/) },
    ]);
  },
);

test('a custom directory of a project may not leave the project, one of the user may', () => {
  const world = makeWorld();
  mkdirSync(join(world.project, 'sub'));
  const { roots } = resolveIn(world, {
    customDirectories: [
      { path: '/mine', level: 'user' },
      { path: join(world.project, 'sub'), level: 'project' },
    ],
  });
  const custom = roots.filter((root) => root.group === 'Custom');
  expect(custom.map(({ id, level, boundary }) => [id, level, boundary])).toEqual([
    ['custom:0', 'user', undefined],
    ['custom:1', 'project', world.project],
  ]);
});
