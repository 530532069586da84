import { join } from 'node:path';

import { displayWidth } from '../../model/display-width.ts';
import type { NextStep } from '../../model/next-step.ts';
import type { HostPlace } from '../host.ts';
import type {
  CatalogRequest,
  CatalogRoom,
  HostCatalog,
  HostCatalogEntry,
  HostSkill,
  ListedSkill,
  ShownDescription,
} from '../seeing/host-skill.ts';
import { objectOf, readJsonSettings, type SettingsFile, type SettingsObject } from '../seeing/settings-file.ts';
import { fieldText } from '../seeing/skill-text.ts';
import { firstValue, readClaudeSettings } from './claude-code-settings.ts';

/** Read in the source of 2.1.325, and confirmed by its transcripts. */
const DEFAULT_FRACTION = 0.01;
const DEFAULT_DESCRIPTION_LENGTH = 1_536;
const DEFAULT_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;
/** Models whose tokens count as four characters, and whose window is the small one unless they say `[1m]`. */
const OLDER_MODELS = /claude-3|(?:opus-4-[0156]|sonnet-4-[056]|haiku-4-5|(?:opus|sonnet)-4-20\d{6})(?!\d)/;
const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 7;
const LEAST_DECAY = 0.1;

/**
 * If the list is too long, the program's own skills and those that are listed by name stay as they are. The others keep
 * their descriptions in the order of their score, as long as each fits what is left; no name is dropped.
 */
export function layOutClaude(skills: readonly ListedSkill[], place: HostPlace, request: CatalogRequest): HostCatalog {
  const settings = readClaudeSettings(place);
  const longest = firstValue(settings, 'skillListingMaxDescChars', isNumber) ?? DEFAULT_DESCRIPTION_LENGTH;
  const builtIn = measureBuiltIn(
    skills.map(({ skill }) => skill),
    settings,
    { variables: place.variables, longest },
  );
  const titles = indexTitles(skills);
  const lines = skills.map((listed) => layOutLine(listed, { longest, titles }));
  const breaks = Math.max(0, lines.length + builtIn.count - 1);
  const needed = builtIn.whole + breaks + sum(lines.map(({ full }) => full));
  const room = { ...findRoom(settings, place, request), needed };
  if (needed <= room.limit) return { entries: lines.map(({ entry }) => entry), room };
  const start = builtIn.least + breaks + sum(lines.map(({ isNamed, full, short }) => (isNamed ? full : short)));
  const usage = objectOf(readJsonSettings(stateFile(place)).values['skillUsage']);
  const scores = new Map(lines.map((line) => [line, scoreOf(line.entry.skill, usage, request.now)]));
  const byScore = lines.filter(({ isNamed }) => !isNamed).sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
  const kept = keepWhatFits(byScore, room.limit - start);
  return { entries: lines.map((line) => (line.isNamed || kept.has(line) ? line.entry : cutLine(line, room))), room };
}

interface Line {
  readonly entry: HostCatalogEntry;
  readonly isNamed: boolean;
  /** Widths of the whole line and of the line without a description. */
  readonly full: number;
  readonly short: number;
}

interface LineOptions {
  readonly longest: number;
  readonly titles: ReadonlyMap<string, string>;
}

function layOutLine({ skill, isNamed }: ListedSkill, { longest, titles }: LineOptions): Line {
  if (isNamed) {
    const width = lineWidth(`- ${skill.name}`);
    return { entry: { skill, text: '', isListed: true }, isNamed, full: width, short: width };
  }
  const name = shownName(skill, titles);
  const shown = describeForClaude(skill, longest);
  const entry = { skill, label: name, isListed: true, ...shown };
  return { entry, isNamed, full: lineWidth(`- ${name}: ${shown.text}`), short: lineWidth(`- ${name}`) };
}

/** The description and `when_to_use`, up to a limit. */
export function describeForClaude(
  { description, fields }: Pick<HostSkill, 'description' | 'fields'>,
  longest: number = DEFAULT_DESCRIPTION_LENGTH,
): ShownDescription {
  const when = fieldText(fields, 'when_to_use') ?? fieldText(fields, 'when-to-use');
  const whole = when === undefined ? description : `${description} - ${when}`;
  if (whole.length <= longest) return { text: whole };
  const because = `its description has ${whole.length} characters, and only ${longest} are shown`;
  const cut = { because, next: { advice: 'Say what it is for in the first sentences.' } };
  return { text: `${whole.slice(0, longest - 1)}…`, cut };
}

/** The name, and the name in the file if that means no other skill. */
function shownName({ name, title }: HostSkill, titles: ReadonlyMap<string, string>): string {
  if (title === undefined || name.endsWith(`:${title}`) || titles.get(title) !== name) return name;
  return `${name} (${title})`;
}

/** The skill for a title: the one with that name, or else the first with that title. */
function indexTitles(skills: readonly ListedSkill[]): ReadonlyMap<string, string> {
  const names = skills.map(({ skill }) => [skill.name, skill.name] as const);
  const titles = skills.toReversed().map(({ skill }) => [skill.title ?? skill.name, skill.name] as const);
  return new Map([...titles, ...names]);
}

/** Greedy, and continues after a miss: a shorter one may fit. */
function keepWhatFits(lines: readonly Line[], room: number): ReadonlySet<Line> {
  const kept = new Set<Line>();
  let left = room;
  for (const line of lines) {
    if (line.full - line.short > left) continue;
    left -= line.full - line.short;
    kept.add(line);
  }
  return kept;
}

function cutLine({ entry }: Line, { needed, limit }: CatalogRoom): HostCatalogEntry {
  const because = `the list needs ${needed} characters and has ${limit}; what is used least loses its description first`;
  const next: NextStep = {
    advice:
      'Turn off skills that you do not use, shorten descriptions, or raise skillListingBudgetFraction in settings.json.',
  };
  return { ...entry, text: '', cut: { because, next } };
}

function findRoom(
  settings: readonly SettingsFile[],
  { variables }: HostPlace,
  { window, model }: CatalogRequest,
): Omit<CatalogRoom, 'needed'> {
  const given = Number(variables['SLASH_COMMAND_TOOL_CHAR_BUDGET']);
  if (given > 0)
    return { unit: 'characters', limit: Math.floor(given), because: 'set by SLASH_COMMAND_TOOL_CHAR_BUDGET' };
  const chosen = model ?? firstValue(settings, 'model', isText) ?? variables['ANTHROPIC_MODEL'];
  const isOlder = chosen !== undefined && OLDER_MODELS.test(chosen);
  const tokens = window ?? (isOlder && !chosen.includes('[1m]') ? DEFAULT_WINDOW : LARGE_WINDOW);
  const perToken = isOlder ? 4 : 3;
  const fraction = firstValue(settings, 'skillListingBudgetFraction', isNumber) ?? DEFAULT_FRACTION;
  const because = `${fraction * 100} % of a window of ${tokens} tokens, at ${perToken} characters each (${chosen ?? 'default model'})`;
  return { unit: 'characters', limit: Math.max(1, Math.floor(tokens * perToken * fraction)), because };
}

/** Uses, halved for each week since the last one, but never below a tenth. */
function scoreOf({ name }: HostSkill, usage: SettingsObject, now: number): number {
  const { usageCount, lastUsedAt } = objectOf(usage[name]);
  if (!isNumber(usageCount) || !isNumber(lastUsedAt)) return 0;
  const days = (now - lastUsedAt) / DAY_MS;
  return usageCount * Math.max(0.5 ** (days / HALF_LIFE_DAYS), LEAST_DECAY);
}

/** Line breaks and other control characters take no room in the program's count. */
function lineWidth(line: string): number {
  return displayWidth(line.replaceAll(/\p{Cc}/gu, ''));
}

/** The program's own state: read here, never written. */
function stateFile({ home, variables }: HostPlace): string {
  return join(variables['CLAUDE_CONFIG_DIR'] || home, '.claude.json');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * A built-in skill. `width` is its whole line; a fixed one is never truncated, and one that stays cannot be disabled
 * with the others.
 */
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
interface BuiltInSizes {
  readonly count: number;
  readonly whole: number;
  readonly least: number;
}

/** A skill of the user with the same name takes the place of the program's own. */
function measureBuiltIn(
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
