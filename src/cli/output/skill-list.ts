import { displayWidth, fitToWidth } from '../../model/display-width.ts';
import { nameChoice, showAddress } from '../../model/origin.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Skill, SkillStatus } from '../../model/skill.ts';
import type { Invocation } from '../command.ts';
import type { Piece } from './output.ts';

const SYMBOLS: Readonly<Record<SkillStatus, Piece>> = {
  enabled: { text: '✓', style: 'green' },
  disabled: { text: '○', style: 'dim' },
  unavailable: { text: '✗', style: 'red' },
  broken: { text: '✗', style: 'red' },
  shadowed: { text: '·', style: 'dim' },
};

/** The order of the well-known groups. Others follow by name, then those of the project. */
const GROUP_ORDER = ['Bundled', 'Plugin', 'User', 'Agents', 'Claude', 'Claude Plugin', 'Codex'];
const INDENT = '      ';
const WIDEST_NAME = 32;

export interface ListContext extends Pick<Invocation, 'out' | 'sayNext'> {
  /** Also print where each skill comes from. */
  readonly isVerbose: boolean;
  /** Says of each installed skill whether it is trusted. */
  readonly trusted: ReadonlyMap<Skill, boolean>;
  /** Says of each skill whether models are given its text, as far as that is known. */
  readonly served: ReadonlyMap<Skill, Outcome>;
  /** The titles of the agents that have each skill; undefined to leave the column out. */
  readonly agents?: ReadonlyMap<Skill, readonly string[]> | undefined;
  /** Skills that cannot be used, which is no problem. */
  readonly isSpare: (skill: Skill) => boolean;
  /** The heading of skills that cannot be used. */
  readonly problems: string;
}

/** Prints skills, a line each: first those with a problem, then the others by source. */
export function printSkillList(skills: readonly Skill[], context: ListContext): void {
  const isProblem = (skill: Skill): boolean =>
    (!['enabled', 'shadowed'].includes(skill.status) && !context.isSpare(skill)) ||
    context.served.get(skill)?.ok === false;
  const problems = skills.filter(isProblem);
  const others = groupSkills(skills.filter((skill) => !isProblem(skill)));
  const agents = Math.max(0, ...skills.map((skill) => displayWidth(describeAgents(skill, context))));
  for (const [title, members] of [
    ...(problems.length === 0 ? [] : [[context.problems, problems] as const]),
    ...others,
  ]) {
    context.out.line({ text: `[${title}]`, style: 'bold' });
    const name = Math.min(WIDEST_NAME, Math.max(...members.map((skill) => displayWidth(skill.name))));
    for (const skill of members) printSkill(skill, { name, agents }, context);
    context.out.line();
  }
}

/** "Claude Code, Codex", with at most two names; empty without the column. */
function describeAgents(skill: Skill, { agents }: ListContext): string {
  if (agents === undefined) return '';
  const titles = agents.get(skill);
  if (titles === undefined) return '';
  if (titles.length === 0) return 'no agent';
  return titles.length <= MOST_AGENTS
    ? titles.join(', ')
    : `${titles.slice(0, MOST_AGENTS).join(', ')} +${titles.length - MOST_AGENTS}`;
}

const MOST_AGENTS = 2;

/** The word for people: code calls an installed skill a plugin. */
function label(group: string): string {
  return group === 'Plugin' ? 'Installed' : group;
}

function groupSkills(skills: readonly Skill[]): readonly (readonly [string, readonly Skill[]])[] {
  const titleOf = ({ group, level }: Skill): string =>
    level === 'project' && group !== 'Project' ? `${label(group)} Skills (this project)` : `${label(group)} Skills`;
  const rank = ({ group, level }: Skill): number => {
    const index = GROUP_ORDER.indexOf(group);
    return (level === 'project' ? 100 : 0) + (index === -1 ? GROUP_ORDER.length : index);
  };
  const groups = [...Map.groupBy(skills, titleOf)].map(([title, members]) => ({
    title,
    members,
    rank: Math.min(...members.map(rank)),
  }));
  return groups
    .sort((a, b) => a.rank - b.rank || (a.title < b.title ? -1 : 1))
    .map(({ title, members }) => [title, members] as const);
}

interface Widths {
  readonly name: number;
  /** 0 without the column. */
  readonly agents: number;
}

function printSkill(skill: Skill, widths: Widths, context: ListContext): void {
  const { out } = context;
  const symbol = chooseSymbol(skill, context);
  const name = fitToWidth(skill.name, widths.name);
  const gap = ' '.repeat(Math.max(0, widths.name - displayWidth(name)) + 2);
  const agents = describeAgents(skill, context);
  const column = widths.agents === 0 ? '' : `${agents}${' '.repeat(widths.agents - displayWidth(agents) + 2)}`;
  const mark = describeMark(skill);
  const room = Math.max(10, out.columns - INDENT.length - widths.name - displayWidth(column) - displayWidth(mark));
  const notes = listNotes(skill, context);
  const [first] = notes;
  // A problem replaces the description if it fits.
  const isTold = first?.isProblem === true && displayWidth(first.text) <= room;
  const description = isTold ? first.text : fitToWidth(describe(skill), room);
  out.line(
    '  ',
    symbol,
    ' ',
    { text: name, style: 'bold' },
    ...(`${column}${description}${mark}`.trim() === '' ? [] : [gap]),
    { text: `${description}${mark}` === '' ? column.trimEnd() : column, style: agents === 'no agent' ? 'dim' : 'cyan' },
    isTold ? { text: description, style: 'yellow' } : description,
    { text: mark, style: 'dim' },
  );
  for (const { text, isProblem } of isTold ? notes.slice(1) : notes)
    out.line(INDENT, { text, style: isProblem ? 'yellow' : 'dim' });
}

function chooseSymbol(skill: Skill, { served, isSpare }: ListContext): Piece {
  if (skill.shadowedBy !== undefined && skill.status !== 'broken') return { text: '·', style: 'dim' };
  if (isSpare(skill)) return SYMBOLS.disabled;
  if (skill.status !== 'enabled') return SYMBOLS[skill.status];
  const answer = served.get(skill);
  if (answer === undefined) return { text: '?', style: 'yellow' };
  if (!answer.ok) return { text: '!', style: 'red' };
  return skill.reasons.length > 0 ? { text: '!', style: 'yellow' } : SYMBOLS.enabled;
}

/** The skill's own brief line if it gives one, else as much of the description as fits. */
function describe({ description, brief }: Skill): string {
  const isDerived = description.startsWith(brief.replace(/…$/, ''));
  return (isDerived ? description : brief).split('\n', 1)[0] ?? '';
}

function describeMark({ creator, shadows, preferredBy }: Skill): string {
  const marks = [
    creator === 'agent' && 'written by an agent',
    preferredBy !== undefined && 'preferred',
    shadows.length > 0 && `also in ${[...new Set(shadows.map(({ source }) => source))].join(', ')}`,
  ].filter((mark) => mark !== false);
  return marks.length === 0 ? '' : `  (${marks.join('; ')})`;
}

interface Note {
  readonly text: string;
  /** Does it keep the skill from being used? */
  readonly isProblem: boolean;
}

/** Problems come first. */
function listNotes(skill: Skill, { isVerbose, trusted, served, isSpare, sayNext }: ListContext): readonly Note[] {
  const { status, reasons, shadowedBy, origin } = skill;
  const notes: Note[] = [];
  if (status === 'enabled' ? reasons.length > 0 : status !== 'shadowed')
    notes.push({
      text: `${status === 'broken' ? 'broken: ' : ''}${describeState(skill, sayNext)}`,
      isProblem: !isSpare(skill),
    });
  const answer = served.get(skill);
  if (answer?.ok === false) notes.push({ text: answer.message, isProblem: true });
  if (isVerbose && origin !== undefined) {
    const version = skill.defaults?.includes('version') === true ? undefined : skill.version;
    const from = [showAddress(origin), nameChoice(origin), version].filter(Boolean);
    notes.push({ text: [...from, ...(trusted.get(skill) === true ? ['trusted'] : [])].join('  '), isProblem: false });
  }
  if (shadowedBy === undefined) return notes;
  const text = status === 'broken' ? `until then, ${shadowedBy} is used` : `not used: ${shadowedBy} has the same name`;
  return [...notes, { text, isProblem: false }];
}

/** Why a skill is not enabled, and how to fix a broken one. */
export function describeState(
  { reasons, next }: Pick<Skill, 'reasons' | 'next'>,
  sayNext: Invocation['sayNext'],
): string {
  const why = reasons.join('; ');
  return next === undefined ? why : `${why}. ${sayNext(next)}`;
}
