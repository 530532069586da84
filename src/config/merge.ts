import { join, relative } from 'node:path';

import type { CustomDirectory, SkillsConfig, SkillsSection } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Environment } from '../platform/environment.ts';
import { isMapping } from './kinds.ts';
import { path as pathType } from './setting-types.ts';
import {
  settingNames,
  settingsTable,
  type ProgramRule,
  type ProjectRule,
  type Setting,
  type SettingName,
} from './settings.ts';

/** The section of one file, with expanded paths. */
export interface ConfigLayer {
  readonly section: SkillsSection;
  readonly file: string;
}

interface MergeContext {
  readonly environment: Environment;
  readonly diagnostics: Diagnostic[];
}

/** The user's section with the project's laid over it, by the rule that `settingsTable` has for each setting. */
export function mergeSections(
  user: ConfigLayer,
  project: ConfigLayer,
  { environment, diagnostics }: MergeContext,
): SkillsConfig {
  const over = project.section;
  const merged = mergeSettings((name) => {
    const row: Setting = settingsTable[name];
    const own = user.section[name] ?? defaultOf(row, environment);
    const ignored = findIgnored(row, own, over[name]);
    if (ignored !== undefined) {
      const message = `skills.${name} ${ignored}`;
      diagnostics.push({ code: 'CONFIG_IGNORED', severity: 'warning', path: project.file, field: name, message });
    }
    return combine(row.project, row, own, over[name]);
  });
  return {
    ...merged,
    agentSkillsDir: user.section.agentSkillsDir ?? merged.userDir,
    customDirectories: [
      ...atLevel(user.section.customDirectories, 'user'),
      ...atLevel(over.customDirectories, 'project'),
    ],
    project: Object.fromEntries(BESIDE.map((name) => [name, over[name]]).filter(([, value]) => value !== undefined)),
  };
}

/** Settings whose project value is also kept on its own. */
const BESIDE = settingNames.filter(
  (name) => name === 'disabled' || ['narrows', 'arranges'].includes(settingsTable[name].project),
);

export interface LayContext {
  /** Does a file have this setting? */
  readonly isSet: (name: SettingName) => boolean;
  /** Called for each value that does not count, because that of a file is stricter. */
  readonly onIgnored: (name: SettingName) => void;
}

/** The settings of a program, laid over those of the files by the rule that `settingsTable` has for each setting. */
export function laySettings(
  config: SkillsConfig,
  settings: SkillsSection,
  { isSet, onIgnored }: LayContext,
): SkillsConfig {
  const laid = mergeSettings((name) => {
    const row: Setting = settingsTable[name];
    const given: unknown = settings[name];
    const rule = row.program === 'decides' ? (isSet(name) ? 'tightens' : 'replaces') : row.program;
    if (given !== undefined && rule === 'tightens' && row.type.strictness?.isLooser(config[name], given) === true)
      onIgnored(name);
    return combine(rule, row, config[name], given);
  });
  const isTogether = config.agentSkillsDir === config.userDir && settings.agentSkillsDir === undefined;
  return {
    ...config,
    ...laid,
    agentSkillsDir: isTogether ? laid.userDir : laid.agentSkillsDir,
    customDirectories: [...atLevel(settings.customDirectories, 'user'), ...config.customDirectories],
  };
}

function mergeSettings(merge: (name: SettingName) => unknown): Omit<SkillsConfig, 'customDirectories'> {
  // Merging keeps a setting's type, except for folders, whose callers add the level.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(settingNames.map((name) => [name, merge(name)])) as unknown as SkillsConfig;
}

function defaultOf({ type, default: value }: Setting, { agentHome }: Environment): unknown {
  return type === pathType ? join(agentHome, relative('~/.agent', String(value))) : value;
}

/** Why a project's value is ignored; undefined if it applies or is absent. */
function findIgnored({ type, project }: Setting, own: unknown, over: unknown): string | undefined {
  if (over === undefined) return undefined;
  if (project === 'ignored')
    return isEmptyList(over) ? undefined : "applies only in your own config.yaml; ignored in a project's";
  const isLooser = project === 'tightens' && type.strictness?.isLooser(own, over) === true;
  return isLooser ? 'can only be stricter in a project than in your own config.yaml; ignored' : undefined;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function combine(
  rule: ProjectRule | Exclude<ProgramRule, 'decides'>,
  { type: { strictness } }: Setting,
  own: unknown,
  over: unknown,
): unknown {
  if (rule === 'adds') return add(own, over);
  // A value alone is brought into the same form as a merged one.
  if (rule === 'tightens' && strictness !== undefined) return strictness.stricter(own, over ?? own);
  return rule === 'replaces' ? (over ?? own) : own;
}

/** Lists without duplicates; of two entries with one key, the second counts. */
function add(own: unknown, over: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(over)) return [...new Set<unknown>([...own, ...over])];
  return isMapping(own) && isMapping(over) ? { ...own, ...over } : own;
}

function atLevel(paths: readonly string[] | undefined, level: CustomDirectory['level']): readonly CustomDirectory[] {
  return (paths ?? []).map((path) => ({ path, level }));
}
