import { basename, resolve } from 'node:path';

import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { expandPath, readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { customSource } from '../sources/table.ts';
import type { Catalog } from './catalog.ts';
import { SkillStore } from './store.ts';

export interface DiscoverOptions extends EnvironmentOptions {
  /** Also what the configuration switches off. */
  readonly includeDisabled?: boolean;
  /** Also what lacks a command it needs. */
  readonly includeUnavailable?: boolean;
}

export interface Discovery {
  readonly skills: readonly Skill[];
  readonly diagnostics: Catalog['diagnostics'];
}

/** Every skill of this machine and project that can be used now; the options add the others. */
export async function discoverSkills(options: DiscoverOptions = {}): Promise<Discovery> {
  return discover(new SkillStore({ environment: readEnvironment(options) }), options);
}

export interface DiscoverDirOptions extends DiscoverOptions {
  readonly dir: string;
  /** The source that the skills get: an id of the caller's choosing. */
  readonly source: string;
}

/** The skills of one directory, `<dir>/<skill>/SKILL.md`, whatever else the machine has. */
export async function discoverSkillsFromDir({ dir, source, ...options }: DiscoverDirOptions): Promise<Discovery> {
  const environment = readEnvironment(options);
  const roots = [directoryRoot(dir, environment, { index: 0, id: source })];
  return discover(new SkillStore({ environment, roots }), options);
}

/** The skills of several directories; of two with one name the one from the earlier directory wins. */
export async function loadAll(dirs: readonly string[], options: DiscoverOptions = {}): Promise<Discovery> {
  const environment = readEnvironment(options);
  const roots = dirs.map((dir, index) => directoryRoot(dir, environment, { index, id: `custom:${index}` }));
  return discover(new SkillStore({ environment, roots }), options);
}

async function discover(
  store: SkillStore,
  { includeDisabled = false, includeUnavailable = false }: DiscoverOptions,
): Promise<Discovery> {
  const { skills, diagnostics } = await store.loadAll();
  store.save();
  const isWanted = (skill: Skill): boolean =>
    (skill.enabled || includeDisabled) && (skill.available || includeUnavailable);
  return { skills: skills.filter(isWanted), diagnostics };
}

interface RootIdentity {
  readonly index: number;
  readonly id: string;
}

function directoryRoot(dir: string, environment: Environment, { index, id }: RootIdentity): SourceRoot {
  const expanded = expandPath(dir, environment, environment.cwd);
  const path = expanded.ok ? expanded.path : resolve(environment.cwd, dir);
  const source = { ...customSource(index, 'user'), id, group: basename(path) };
  return { ...source, path, ordinal: index, boundary: undefined };
}
