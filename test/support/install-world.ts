import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { openStore, type SkillStore } from '../../src/catalog/store.ts';
import type { ChangeContext } from '../../src/install/changes/skill-change.ts';
import { findInstallPlace, type InstallScope } from '../../src/install/install-place.ts';
import { SkillInstaller } from '../../src/install/installer.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Environment } from '../../src/platform/environment.ts';
import { openWorkFolder } from '../../src/platform/files/work-folder.ts';
import { settings } from './found.ts';
import { skillText, type Tree } from './tree.ts';
import { makeWorld, type World } from './world.ts';

/** A world with the machine's git and nothing installed. */
export interface InstallWorld extends World {
  readonly user: SkillInstaller;
  readonly team: SkillInstaller;
  /** Where a user's skills are installed. */
  readonly plugins: string;
  readonly agentHome: string;
}

export function makeInstallWorld(tree: Tree = {}): InstallWorld {
  const world = makeWorld(tree, { PATH: process.env['PATH'] ?? '' });
  const { environment, project: cwd, home, env } = world;
  return {
    ...world,
    user: new SkillInstaller({ cwd, home, env }),
    team: new SkillInstaller({ cwd, home, env, scope: 'project' }),
    plugins: join(environment.agentHome, 'plugins'),
    agentHome: environment.agentHome,
  };
}

export function skill(name: string, given: Readonly<Record<string, unknown>> = {}): string {
  return skillText({ name, description: `Does ${name}.`, ...given });
}

/** The value of an outcome; fails the test if it is a failure. */
export function done<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome;
}

/** Everything in a folder by path: text of files, targets of links, `/` for folders. Caches are left out. */
export function snapshot(dir: string): Readonly<Record<string, string>> {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted();
  const wanted = paths.filter((path) => !/(?:^|\/)\.agent\/cache(?:\/|$)/.test(path));
  const isOfCacheAlone = (path: string): boolean =>
    paths.includes(`${path}/cache`) && !wanted.some((other) => other.startsWith(`${path}/`));
  return Object.fromEntries(
    wanted.filter((path) => !isOfCacheAlone(path)).map((path) => [path, show(join(dir, path))]),
  );
}

function show(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (stats.isDirectory()) return '/';
  return `${(stats.mode & 0o100) === 0 ? '' : 'x '}${readFileSync(path, 'utf8')}`;
}

export function catalogOf({ project, home, env }: World): Promise<SkillStore> {
  return openStore({ cwd: project, home, env });
}

/** The context that the steps of an installation share. */
export function changeContext(environment: Environment, scope: InstallScope = 'user'): ChangeContext {
  const config = settings({ pluginsDir: join(environment.agentHome, 'plugins') });
  const { place } = done(findInstallPlace({ environment, config, scope }));
  const { folder } = done(openWorkFolder(place.root, place.boundary));
  return { environment, place, work: folder, plugins: [], failOn: 'critical', isOwnAddress: () => false };
}
