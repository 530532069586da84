import { sourceSwitches, unswitchedSources } from '../config/settings.ts';
import type { SkillsSection } from '../model/config.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { directoryRoots } from '../sources/directory-roots.ts';
import type { Catalog } from './catalog.ts';
import { SkillStore } from './store.ts';

const SWITCHES = [
  'enableClaudeUser',
  'enableClaudeProject',
  'enableCodexUser',
  'enablePiUser',
  'enablePiProject',
] as const;

/** Switches of single sources: the same as entries of `disabledSources` and `enabledSources`. */
type SourceSwitches = { readonly [Name in (typeof SWITCHES)[number]]?: boolean | undefined };

/** The options named like settings are laid over the configuration files, as `config` is. */
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
  const { disabled, enabled } = readSwitches(options);
  const given = {
    customDirectories,
    ignoredSkills,
    includeSkills,
    disabledSources: [...(options.disabledSources ?? config?.disabledSources ?? []), ...disabled],
    enabledSources: [...(options.enabledSources ?? config?.enabledSources ?? []), ...enabled],
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return readEnvironment({ ...options, config: { ...config, ...set } });
}

/** The sources that the switches name. If all are off, so are those that have no switch. */
function readSwitches(options: SourceSwitches): Readonly<Record<'disabled' | 'enabled', readonly string[]>> {
  const named = (value: boolean): readonly string[] =>
    SWITCHES.filter((name) => options[name] === value).flatMap((name) => sourceSwitches[name] ?? []);
  const isAllOff = SWITCHES.every((name) => options[name] === false);
  return { disabled: isAllOff ? [...named(false), ...unswitchedSources] : named(false), enabled: named(true) };
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
