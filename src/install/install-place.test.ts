import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { settings } from '../../test/support/found.ts';
import { link } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { findInstallPlace, recordDirectory, resolveDirectory, type InstallPlace } from './install-place.ts';

const config = settings({ pluginsDir: '/plugins' });

function projectPlace({ environment }: World, cwd: string): InstallPlace {
  const found = findInstallPlace({ environment: { ...environment, cwd }, config, scope: 'project' });
  if (!found.ok) throw new Error(found.message);
  return found.place;
}

describe('the place where skills are installed', () => {
  test('is the plugins folder for a user, with lock and configuration in the agent home', () => {
    const { environment } = makeWorld();
    expect(findInstallPlace({ environment, config, scope: 'user' })).toMatchObject({
      place: {
        root: '/plugins',
        lockFile: join(environment.agentHome, 'skills-lock.yaml'),
        configFile: join(environment.agentHome, 'config.yaml'),
        source: 'plugin',
      },
    });
  });

  test('is beside the nearest .agent or .agents/skills for a project, else at the root of the repository', () => {
    const world = makeWorld({
      'project/a/b/': '',
      'project/with/.agent/': '',
      'project/with/c/': '',
      'project/other/.agents/skills/': '',
    });
    const of = (dir: string): unknown => projectPlace(world, join(world.project, dir)).root;
    expect(of('a/b')).toBe(join(world.project, '.agents/skills'));
    expect(of('with/c')).toBe(join(world.project, 'with/.agents/skills'));
    expect(of('other')).toBe(join(world.project, 'other/.agents/skills'));
    expect(projectPlace(world, world.project)).toMatchObject({
      lockFile: join(world.project, '.agent/skills-lock.yaml'),
      configFile: undefined,
      boundary: world.project,
      earlierRoot: join(world.project, '.agent/skills'),
      source: 'agents-project',
    });
  });

  test('does not exist for a project that is the user’s home, even through a link', () => {
    const world = makeWorld({ 'home/.agent/': '', 'linked/.agent': link('../home/.agent') });
    for (const dir of ['home', 'linked'])
      expect(
        findInstallPlace({
          environment: { ...world.environment, cwd: join(world.root, dir) },
          config,
          scope: 'project',
        }),
      ).toMatchObject({ ok: false, message: expect.stringContaining('is your home') });
  });
});

test('the lock records a directory in the project by relative path, any other by absolute path', () => {
  const world = makeWorld({ 'project/skills/pdf/': '', 'outside/': '', 'project/out': link('../outside') });
  const place = projectPlace(world, world.project);
  for (const [dir, url] of [
    ['project/skills/pdf', './skills/pdf'],
    ['project', './'],
    ['outside', join(world.root, 'outside')],
    ['project/out', join(world.root, 'outside')],
    ['project2', join(world.root, 'project2')],
  ] as const) {
    expect(recordDirectory(join(world.root, dir), place)).toBe(url);
  }
  for (const [dir, url] of [
    ['project/skills/pdf', './skills/pdf'],
    ['project', './'],
  ] as const)
    expect(resolveDirectory(url, place)).toMatchObject({ path: join(world.root, dir) });
  for (const url of ['./..', './../outside', './skills/../../outside', './out', '../outside'])
    expect(resolveDirectory(url, place)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
});
