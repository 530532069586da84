import { pluginName } from '../config/plugin-name.ts';
import type { SkillsConfig } from '../model/config.ts';
import type { Skill } from '../model/skill.ts';
import { findMatch } from '../parse/globs.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';

export type SkillState = Pick<Skill, 'enabled' | 'available' | 'status' | 'reasons' | 'unavailableReason'>;

/** Finds a command without running it. */
export type CommandLookup = (name: string) => boolean;

/** Why a skill cannot be used, with every rule that applies; undefined if its state stays as the scan found it. */
export function findState(found: FoundSkill, config: SkillsConfig, hasCommand: CommandLookup): SkillState | undefined {
  const disabling = findDisablingRules(found, config);
  if (isBroken(found.skill)) return findBrokenState(found.skill, disabling);
  const { requires } = found.skill;
  const missing = requires.length === 0 ? requires : requires.filter((command) => !hasCommand(command));
  if (disabling.length === 0 && missing.length === 0) return undefined;
  const unavailableReason = missing.length === 0 ? undefined : `missing commands: ${missing.join(', ')}`;
  return {
    enabled: disabling.length === 0,
    available: missing.length === 0,
    status: missing.length > 0 ? 'unavailable' : 'disabled',
    reasons: unavailableReason === undefined ? disabling : [unavailableReason, ...disabling],
    unavailableReason,
  };
}

/** Is this one of our own skills, for a program that is not on this machine? No one asked for it, so it is no problem. */
export function isSpare({ source, status }: Pick<Skill, 'source' | 'status'>): boolean {
  return source === 'bundled' && status === 'unavailable';
}

function findBrokenState({ reasons, unavailableReason }: Skill, disabling: readonly string[]): SkillState | undefined {
  if (disabling.length === 0) return undefined;
  return {
    enabled: false,
    available: false,
    status: 'broken',
    reasons: [...reasons, ...disabling],
    unavailableReason,
  };
}

function findDisablingRules({ skill, root }: FoundSkill, config: SkillsConfig): readonly string[] {
  if (skill.defaultEnabled && !hasRules(root.id, config)) return NONE;
  const { name } = skill;
  const reasons: string[] = [];
  if (!config.enabled) reasons.push('all skills are disabled (enabled: false in config.yaml)');
  const ignored = findMatch(name, config.ignoredSkills);
  if (ignored !== undefined) reasons.push(`ignored by "${ignored}" in ignoredSkills`);
  if (!isIncluded(name, config.includeSkills)) reasons.push('not listed in includeSkills');
  if (!isIncluded(name, config.project.includeSkills ?? [])) reasons.push("not listed in the project's includeSkills");
  if (root.id === 'bundled') reasons.push(...findBundledRules(name, config));
  if (!skill.defaultEnabled && !isWanted(name, root.id, config))
    reasons.push('disabled by its author (default_enabled: false)');
  if (config.disabled.includes(name)) reasons.push(disabledBy(name, config));
  if (root.id === 'plugin' && isDisabledPlugin(skill.id, config)) reasons.push(DISABLED_BY_USER);
  return reasons;
}

const NONE: readonly string[] = [];
const DISABLED_BY_USER = 'disabled by you (config.yaml)';

function disabledBy(name: string, { project }: SkillsConfig): string {
  return project.disabled?.includes(name) === true ? 'disabled by this project (.agent/config.yaml)' : DISABLED_BY_USER;
}

/** Can any rule disable a skill of this source that is enabled by default? */
function hasRules(source: string, config: SkillsConfig): boolean {
  const { enabled, ignoredSkills, includeSkills, project, disabled } = config;
  return (
    !enabled ||
    source === 'bundled' ||
    source === 'plugin' ||
    ignoredSkills.length + includeSkills.length + disabled.length > 0 ||
    (project.includeSkills ?? NONE).length > 0
  );
}

function findBundledRules(name: string, config: SkillsConfig): readonly string[] {
  if (config.disabledBundled.includes(name)) return [DISABLED_BY_USER];
  const isListed = (names: readonly string[]): boolean => names.length === 0 || names.includes(name);
  if (!isListed(config.enabledBundled)) return ['not listed in enabledBundled'];
  return isListed(config.project.enabledBundled ?? []) ? [] : ["not listed in the project's enabledBundled"];
}

/** An empty list includes every skill. */
function isIncluded(name: string, globs: readonly string[]): boolean {
  return globs.length === 0 || findMatch(name, globs) !== undefined;
}

/** Naming a skill in the user's configuration enables it, even if it is disabled by default. */
function isWanted(name: string, source: string, config: SkillsConfig): boolean {
  return (
    [...config.includeSkills, ...config.enabledSkills].includes(name) ||
    (source === 'bundled' && config.enabledBundled.includes(name))
  );
}

function isDisabledPlugin(id: string, config: SkillsConfig): boolean {
  return config.plugins.some((plugin) => plugin.enabled === false && pluginName(plugin) === id);
}
