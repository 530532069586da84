import { findSwitched, type SourceSwitches } from '../config/settings.ts';
import type { SkillsSection } from '../model/config.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { directoryRoots } from '../sources/resolve.ts';
import type { Catalog } from './catalog.ts';
import { SkillStore } from './store.ts';

/** The options named like settings and switches of sources are laid over the configuration files, as `config` is. */
export interface DiscoverOptions
  extends
    EnvironmentOptions,
    SourceSwitches,
    Pick<
      SkillsSection,
      'customDirectories' | 'ignoredSkills' | 'includeSkills' | 'disabledSources' | 'enabledSources'
    > {
  /** Include skills that the configuration switches off. */
  readonly includeDisabled?: boolean;
  /** Include skills that lack a required command, and broken ones. */
  readonly includeUnavailable?: boolean;
}

export interface Discovery {
  readonly skills: readonly Skill[];
  readonly diagnostics: Catalog['diagnostics'];
}

/** Finds every usable skill of this machine and project. The options include the others. */
export async function discoverSkills(options: DiscoverOptions = {}): Promise<Discovery> {
  return discover(new SkillStore({ environment: readDiscovered(options) }), options);
}

export interface DiscoverDirOptions extends DiscoverOptions {
  readonly dir: string;
  /** Source id for these skills, chosen by the caller. */
  readonly source: string;
}

/** Finds the skills of one directory only: `<dir>/<skill>/SKILL.md`. */
export async function discoverSkillsFromDir({ dir, source, ...options }: DiscoverDirOptions): Promise<Discovery> {
  const environment = readDiscovered(options);
  const roots = directoryRoots([dir], environment, () => source);
  return discover(new SkillStore({ environment, roots }), options);
}

/** Finds the skills of several directories. If two have one name, the earlier directory wins. */
export async function loadAll(dirs: readonly string[], options: DiscoverOptions = {}): Promise<Discovery> {
  const environment = readDiscovered(options);
  return discover(new SkillStore({ environment, roots: directoryRoots(dirs, environment) }), options);
}

function readDiscovered(options: DiscoverOptions): Environment {
  const { config, customDirectories, ignoredSkills, includeSkills } = options;
  const { disabledSources, enabledSources } = findSwitched(options);
  const given = {
    customDirectories,
    ignoredSkills,
    includeSkills,
    disabledSources: [...(options.disabledSources ?? config?.disabledSources ?? []), ...disabledSources],
    enabledSources: [...(options.enabledSources ?? config?.enabledSources ?? []), ...enabledSources],
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return readEnvironment({ ...options, config: { ...config, ...set } });
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
