import type { Skill } from '../model/skill.ts';
import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';
import { directoryRoots } from '../sources/directory-roots.ts';
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
  const roots = directoryRoots([dir], environment, () => source);
  return discover(new SkillStore({ environment, roots }), options);
}

/** The skills of several directories; of two with one name the one from the earlier directory wins. */
export async function loadAll(dirs: readonly string[], options: DiscoverOptions = {}): Promise<Discovery> {
  return discover(SkillStore.over(dirs, options), options);
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
