import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { foundSkill, sourceRoot } from '../../test/support/found.ts';
import { makeWorld } from '../../test/support/world.ts';
import { renderLock } from '../config/lock-file.ts';
import type { LockedSkill } from '../model/lock.ts';
import { applyLocks } from './installed.ts';

const locked = (name: string): LockedSkill => ({
  name,
  origin: { kind: 'git', url: 'https://example.org/o/r', ref: 'v1', commit: 'a'.repeat(40) },
  path: 'skills/pdf',
  digest: `sha256:${'0'.repeat(64)}`,
  files: [],
});

const PLUGIN = { id: 'plugin', level: 'user' } as const;

describe('a skill listed in the lockfile', () => {
  const world = (lock: string): ReturnType<typeof makeWorld> => makeWorld({ 'home/.agent/skills-lock.yaml': lock });

  test('is named by its folder, knows its origin, and may have another name in its file', async () => {
    const { environment } = world(renderLock([locked('forms')]));
    const dir = join(environment.agentHome, 'plugins/forms');
    const found = foundSkill(dir, { name: 'pdf' }, PLUGIN);
    expect(found.skill.diagnostics).toMatchObject([{ code: 'NAME_MISMATCH' }]);
    const recognised = await applyLocks([found], [found.root], environment);
    const { origin, path, digest } = locked('forms');
    expect(recognised).toMatchObject({
      lockFiles: [join(environment.agentHome, 'skills-lock.yaml')],
      diagnostics: [],
      found: [{ skill: { id: 'forms', name: 'forms', diagnostics: [], origin: { ...origin, path, digest } } }],
    });
  });

  test('counts as installed only in the folder that the lockfile belongs to', async () => {
    const { environment, project } = world(renderLock([locked('forms')]));
    const own = foundSkill(join(environment.agentHome, 'skills/forms'), { name: 'pdf' });
    const other = foundSkill(join(environment.agentHome, 'plugins/other'), { name: 'pdf' }, PLUGIN);
    const team = foundSkill(join(project, '.agent/skills/forms'), { name: 'pdf' }, { id: 'project', level: 'project' });
    const all = [own, other, team];
    const { found, lockFiles } = await applyLocks(
      all,
      all.map(({ root }) => root),
      environment,
    );
    expect(found).toEqual(all);
    expect(lockFiles).toEqual([
      join(environment.agentHome, 'skills-lock.yaml'),
      join(project, '.agent/skills-lock.yaml'),
    ]);
  });

  test('is treated like any other if the lockfile is invalid, which is reported', async () => {
    const { environment } = world('version: 9\n');
    const found = foundSkill(join(environment.agentHome, 'plugins/forms'), { name: 'pdf' }, PLUGIN);
    const recognised = await applyLocks([found], [found.root, sourceRoot('/elsewhere')], environment);
    expect(recognised.found).toEqual([found]);
    expect(recognised.diagnostics).toMatchObject([
      { code: 'CONFIG_INVALID', severity: 'error', path: join(environment.agentHome, 'skills-lock.yaml') },
    ]);
  });
});
