import { join, relative } from 'node:path';

import {
  AUDIT_LIMITS,
  SANDBOX_POLICIES,
  type CustomDirectory,
  type SkillsConfig,
  type SkillsSection,
  readsHosts,
  tellsHubs,
  type UsageSetting,
} from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Environment } from '../platform/environment.ts';
import { settingsTable, userOnlySettings, type SettingName, type SettingValue } from './settings.ts';

/** The section of one file, with expanded paths. */
export interface ConfigLayer {
  readonly section: SkillsSection;
  readonly file: string;
}

interface MergeContext {
  readonly environment: Environment;
  readonly diagnostics: Diagnostic[];
}

/** The user's section with the project's laid over it; `settingsTable` says by which rule each setting merges. */
export function mergeSections(
  user: ConfigLayer,
  project: ConfigLayer,
  { environment, diagnostics }: MergeContext,
): SkillsConfig {
  const over = project.section;
  for (const field of userOnlySettings()) {
    if (over[field] === undefined || isEmptyList(over[field])) continue;
    const message = `skills.${field} counts only in your own configuration; a project's is ignored`;
    diagnostics.push({ code: 'CONFIG_IGNORED', severity: 'warning', path: project.file, field, message });
  }
  const own = ownSettings(user.section);
  reportLooser(own, project, diagnostics);
  const united = (key: NameList): readonly string[] => [...new Set([...own(key), ...(over[key] ?? [])])];
  const ownPath = (key: 'pluginsDir' | 'userDir' | 'agentSkillsDir'): string =>
    user.section[key] ?? join(environment.agentHome, relative('~/.agent', settingsTable[key].default));
  return {
    enabled: own('enabled') && over.enabled !== false,
    disabled: united('disabled'),
    enabledSkills: own('enabledSkills'),
    pinned: united('pinned'),
    preferred: own('preferred'),
    projectPreferred: over.preferred,
    ignoredSkills: united('ignoredSkills'),
    includeSkills: own('includeSkills'),
    projectAllows: findAllows(over),
    customDirectories: [...atLevel(own('customDirectories'), 'user'), ...atLevel(over.customDirectories, 'project')],
    disabledSources: united('disabledSources'),
    enabledSources: own('enabledSources'),
    npmPackages: own('npmPackages'),
    disabledBundled: united('disabledBundled'),
    enabledBundled: own('enabledBundled'),
    enableSkillCommands: own('enableSkillCommands') && over.enableSkillCommands !== false,
    enableCommandFiles: own('enableCommandFiles') && over.enableCommandFiles !== false,
    maxSkills: Math.min(own('maxSkills'), over.maxSkills ?? Infinity),
    sandbox: stricter(SANDBOX_POLICIES, own('sandbox'), over.sandbox ?? 'off'),
    auditFailOn: own('auditFailOn'),
    scriptTimeout: Math.min(own('scriptTimeout'), over.scriptTimeout ?? Infinity),
    usage: tighterUsage(own('usage'), over.usage),
    learn: own('learn') && over.learn !== false,
    hosts: own('hosts'),
    projectHosts: over.hosts,
    autoSync: own('autoSync'),
    userDir: ownPath('userDir'),
    agentSkillsDir: ownPath('agentSkillsDir'),
    ranking: own('ranking'),
    pluginsDir: ownPath('pluginsDir'),
    plugins: own('plugins'),
  };
}

type OwnSettings = <Name extends SettingName>(name: Name) => SettingValue<Name>;

/** The user's settings, or the defaults. */
function ownSettings(section: SkillsSection): OwnSettings {
  return (name) => section[name] ?? settingsTable[name].default;
}

/** A project can only tighten these; the user's value holds. */
function reportLooser(own: OwnSettings, { section: over, file: path }: ConfigLayer, diagnostics: Diagnostic[]): void {
  const looser = {
    sandbox: over.sandbox !== undefined && stricter(SANDBOX_POLICIES, own('sandbox'), over.sandbox) !== over.sandbox,
    scriptTimeout: (over.scriptTimeout ?? 0) > own('scriptTimeout'),
    maxSkills: (over.maxSkills ?? 0) > own('maxSkills'),
    usage: tellsHubs(over.usage ?? true) && !tellsHubs(own('usage')),
    learn: over.learn === true && !own('learn'),
  };
  for (const [field, isLooser] of Object.entries(looser)) {
    if (!isLooser) continue;
    const message = `skills.${field} of a project can only be stricter than yours; it is ignored`;
    diagnostics.push({ code: 'CONFIG_IGNORED', severity: 'warning', path, field, message });
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function findAllows({ includeSkills = [], enabledBundled = [] }: SkillsSection): SkillsConfig['projectAllows'] {
  return includeSkills.length + enabledBundled.length === 0 ? undefined : { includeSkills, enabledBundled };
}

/**
 * The settings of a program, laid over those of the files. What the files switch off stays off, the stricter sandbox
 * and audit hold, lists of names are united, and every other setting of the program replaces that of the files.
 */
export function laySettings(config: SkillsConfig, settings: SkillsSection): SkillsConfig {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const united = (key: NameList): readonly string[] => [...new Set([...config[key], ...(settings[key] ?? [])])];
  return {
    ...config,
    ...given,
    enabled: config.enabled && settings.enabled !== false,
    usage: tighterUsage(config.usage, settings.usage),
    enableCommandFiles: config.enableCommandFiles && settings.enableCommandFiles !== false,
    sandbox: stricter(SANDBOX_POLICIES, config.sandbox, settings.sandbox ?? 'off'),
    auditFailOn: stricter(AUDIT_LIMITS, config.auditFailOn, settings.auditFailOn ?? 'never'),
    disabled: united('disabled'),
    enabledSkills: united('enabledSkills'),
    ignoredSkills: united('ignoredSkills'),
    disabledSources: united('disabledSources'),
    enabledSources: united('enabledSources'),
    npmPackages: united('npmPackages'),
    disabledBundled: united('disabledBundled'),
    preferred: { ...config.preferred, ...settings.preferred },
    customDirectories: [...atLevel(settings.customDirectories, 'user'), ...config.customDirectories],
  };
}

type NameList =
  | 'disabled'
  | 'enabledSkills'
  | 'pinned'
  | 'ignoredSkills'
  | 'disabledSources'
  | 'enabledSources'
  | 'npmPackages'
  | 'disabledBundled';

/** Of two policies, the one that comes later in the list. */
function stricter<Policy>(all: readonly Policy[], a: Policy, b: Policy): Policy {
  return all.indexOf(a) < all.indexOf(b) ? b : a;
}

function tighterUsage(a: UsageSetting, b: UsageSetting = true): UsageSetting {
  if (a === false || b === false) return false;
  const hosts = readsHosts(a) && readsHosts(b);
  // Silence about hubs in the stricter file is no objection; only the user's own file can switch them on.
  const hub = tellsHubs(a) && (typeof b !== 'object' || b.hub !== false);
  if (hub) return { hosts, hub };
  return hosts ? true : { hosts };
}

function atLevel(paths: readonly string[] | undefined, level: CustomDirectory['level']): readonly CustomDirectory[] {
  return (paths ?? []).map((path) => ({ path, level }));
}
