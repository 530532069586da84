import type { HostPlace } from '../host.ts';
import type { HostSkill } from '../seeing/host-skill.ts';
import { objectOf, type SettingsFile } from '../seeing/settings-file.ts';

/** A skill of the program itself. `width` is that of its whole line; a fixed one is never cut, and one that stays cannot be switched off with the others. */
interface BuiltIn {
  readonly name: string;
  readonly width: number;
  readonly isFixed: boolean;
  readonly stays?: boolean;
}

/** Seen in 2.1.325 without a login; an account's server flags may add to them. */
const BUILT_IN: readonly BuiltIn[] = [
  { name: 'dataviz', width: 1_447, isFixed: true },
  { name: 'update-config', width: 707, isFixed: true },
  { name: 'keybindings-help', width: 248, isFixed: true },
  { name: 'code-review', width: 840, isFixed: true },
  { name: 'simplify', width: 188, isFixed: true },
  { name: 'fewer-permission-prompts', width: 191, isFixed: true },
  { name: 'loop', width: 344, isFixed: true },
  { name: 'claude-api', width: 1_169, isFixed: true },
  { name: 'workflow-authoring', width: 252, isFixed: true },
  { name: 'run', width: 368, isFixed: true },
  { name: 'plugin-authoring', width: 275, isFixed: true, stays: true },
  { name: 'init', width: 67, isFixed: false },
  { name: 'security-review', width: 90, isFixed: false },
];

export const CLAUDE_BUILT_IN: readonly string[] = BUILT_IN.map(({ name }) => name);

/** Room that the program's own skills take in its list: with whole lines, and at least. */
export interface BuiltInSizes {
  readonly count: number;
  readonly whole: number;
  readonly least: number;
}

/** A skill of the user with the same name takes the place of the program's own. */
export function measureBuiltIn(
  skills: readonly HostSkill[],
  settings: readonly SettingsFile[],
  { variables, longest }: Pick<HostPlace, 'variables'> & { readonly longest: number },
): BuiltInSizes {
  const isOff =
    Boolean(variables['CLAUDE_CODE_DISABLE_BUNDLED_SKILLS']) ||
    settings.some(({ values }) => values['disableBundledSkills'] === true);
  const names = new Set(skills.map(({ name }) => name));
  const left = BUILT_IN.filter(({ name, stays = false }) => !names.has(name) && (stays || !isOff))
    .map((skill) => ({ ...skill, width: Math.min(skill.width, '- : '.length + skill.name.length + longest) }))
    .map((skill) => applyOverride(skill, settings));
  const sizes = left.filter((size) => size !== undefined);
  const sum = (key: 'whole' | 'least'): number => sizes.reduce((total, size) => total + size[key], 0);
  return { count: sizes.length, whole: sum('whole'), least: sum('least') };
}

function applyOverride(
  { name, width, isFixed }: BuiltIn,
  settings: readonly SettingsFile[],
): { readonly whole: number; readonly least: number } | undefined {
  const override = settings
    .map(({ values }) => objectOf(values['skillOverrides'])[name])
    .find((value) => value !== undefined);
  const short = name.length + 2;
  if (override === 'off' || override === 'user-invocable-only') return undefined;
  if (override === 'name-only') return { whole: short, least: short };
  return { whole: width, least: isFixed ? width : short };
}
