import { ENVIRONMENT_KINDS, findSwitched, type SourceSwitches } from '../config/settings.ts';
import { checkCall, aBoolean, optionsOf, aString, strings, type OptionKinds } from '../model/check-arguments.ts';
import type { SkillsSection } from '../model/config.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { directoryRoots } from '../sources/resolve.ts';
import type { Catalog } from './catalog.ts';
import { SkillStore } from './store.ts';

/** Skills to include in addition to the usable ones. */
export interface SkillLoaderOptions {
  /** Include skills that the configuration disables; false. */
  readonly includeDisabled?: boolean | undefined;
  /** Include skills that lack a required command, and broken ones; false. */
  readonly includeUnavailable?: boolean | undefined;
}

/** The options named like settings and switches of sources are laid over the configuration files, as `config` is. */
export interface DiscoverOptions
  extends
    EnvironmentOptions,
    SkillLoaderOptions,
    SourceSwitches,
    Pick<
      SkillsSection,
      'customDirectories' | 'ignoredSkills' | 'includeSkills' | 'disabledSources' | 'enabledSources'
    > {}

/** A skill as a search for skills finds it, with its state as three optional fields. */
export interface DiscoveredSkill extends Skill {
  /** Set if the configuration disables it; `reasons` says why. */
  readonly disabled?: true;
  /** Set if a required command is missing or the skill is broken; `unavailableReason` says which. */
  readonly unavailable?: true;
}

const DISCOVER_KINDS: OptionKinds<DiscoverOptions> = {
  ...ENVIRONMENT_KINDS,
  enableClaudeUser: aBoolean,
  enableClaudeProject: aBoolean,
  enableCodexUser: aBoolean,
  enablePiUser: aBoolean,
  enablePiProject: aBoolean,
  customDirectories: strings,
  ignoredSkills: strings,
  includeSkills: strings,
  disabledSources: strings,
  enabledSources: strings,
  includeDisabled: aBoolean,
  includeUnavailable: aBoolean,
};

const OPTIONS = optionsOf<DiscoverOptions>(DISCOVER_KINDS);

export interface Discovery {
  readonly skills: readonly DiscoveredSkill[];
  readonly diagnostics: Catalog['diagnostics'];
}

/** Finds every usable skill of this machine and project. The options include the others. */
export async function discoverSkills(options: DiscoverOptions = {}): Promise<Discovery> {
  checkCall('discoverSkills(options?)', { options: [options, OPTIONS] });
  return discover(new SkillStore({ environment: readDiscovered(options) }), options);
}

export interface DiscoverDirOptions extends DiscoverOptions {
  readonly dir: string;
  /** Source id for these skills, chosen by the caller. */
  readonly source: string;
}

const DIR_OPTIONS = optionsOf<DiscoverDirOptions>({ ...DISCOVER_KINDS, dir: aString, source: aString }, [
  'dir',
  'source',
]);

/** Finds the skills of one directory only: `<dir>/<skill>/SKILL.md`. */
export async function discoverSkillsFromDir(given: DiscoverDirOptions): Promise<Discovery> {
  checkCall('discoverSkillsFromDir({ dir, source })', { options: [given, DIR_OPTIONS] });
  const { dir, source, ...options } = given;
  const environment = readDiscovered(options);
  const roots = directoryRoots([dir], environment, () => source);
  return discover(new SkillStore({ environment, roots }), options);
}

/** Finds the skills of several directories. If two have one name, the earlier directory wins. */
export async function loadAll(dirs: readonly string[], options: DiscoverOptions = {}): Promise<Discovery> {
  checkCall('loadAll(dirs, options?)', {
    dirs: [dirs, strings],
    options: [options, OPTIONS],
  });
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
  { includeDisabled = false, includeUnavailable = false }: SkillLoaderOptions,
): Promise<Discovery> {
  const { skills, diagnostics } = await store.loadAll();
  store.save();
  const isWanted = (skill: Skill): boolean =>
    (skill.enabled || includeDisabled) && (skill.available || includeUnavailable);
  return { skills: skills.filter(isWanted).map(toDiscovered), diagnostics };
}

function toDiscovered(skill: Skill): DiscoveredSkill {
  if (skill.enabled && skill.available) return skill;
  return Object.freeze({
    ...skill,
    ...(!skill.enabled && { disabled: true as const }),
    ...(!skill.available && { unavailable: true as const }),
  });
}
