import type { Skill } from '../model/skill.ts';
import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';
import { directoryRoots } from '../sources/directory-roots.ts';
import type { Catalog } from './catalog.ts';
import { SkillStore } from './store.ts';

export interface DiscoverOptions extends EnvironmentOptions {
  /** Include skills that the configuration switches off. */
  readonly includeDisabled?: boolean;
  /** Include skills that lack a required command. */
  readonly includeUnavailable?: boolean;
}

export interface Discovery {
  readonly skills: readonly Skill[];
  readonly diagnostics: Catalog['diagnostics'];
}

/** Finds every usable skill of this machine and project. The options include the others. */
export async function discoverSkills(options: DiscoverOptions = {}): Promise<Discovery> {
  return discover(new SkillStore({ environment: readEnvironment(options) }), options);
}

export interface DiscoverDirOptions extends DiscoverOptions {
  readonly dir: string;
  /** Source id for these skills, chosen by the caller. */
  readonly source: string;
}

/** Finds the skills of one directory only: `<dir>/<skill>/SKILL.md`. */
export async function discoverSkillsFromDir({ dir, source, ...options }: DiscoverDirOptions): Promise<Discovery> {
  const environment = readEnvironment(options);
  const roots = directoryRoots([dir], environment, () => source);
  return discover(new SkillStore({ environment, roots }), options);
}

/** Finds the skills of several directories. If two have one name, the earlier directory wins. */
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
