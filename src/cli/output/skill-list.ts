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

export interface ListContext extends Pick<Invocation, 'out' | 'renderHint'> {
  /** Also print where each skill comes from. */
  readonly isVerbose: boolean;
  /** Says of each installed skill whether it is trusted. */
  readonly trusted: ReadonlyMap<Skill, boolean>;
  /** Says of each skill whether models are given its text, as far as that is known. */
  readonly served: ReadonlyMap<Skill, Outcome>;
}

/** Prints skills by source, a line each, with more lines only for what keeps one from being used. */
export function printSkillList(skills: readonly Skill[], context: ListContext): void {
  for (const [title, members] of groupSkills(skills)) {
    context.out.line({ text: `[${title}]`, style: 'bold' });
    const width = Math.min(WIDEST_NAME, Math.max(...members.map(({ name }) => displayWidth(name))));
    for (const skill of members) printSkill(skill, width, context);
    context.out.line();
  }
}

function groupSkills(skills: readonly Skill[]): readonly (readonly [string, readonly Skill[]])[] {
  const titleOf = ({ group, level }: Skill): string =>
    level === 'project' && group !== 'Project' ? `${group} Skills of this project` : `${group} Skills`;
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

function printSkill(skill: Skill, width: number, context: ListContext): void {
  const { out } = context;
  const symbol = chooseSymbol(skill, context);
  const name = fitToWidth(skill.name, width);
  const gap = ' '.repeat(Math.max(0, width - displayWidth(name)) + 2);
  const mark = describeMark(skill);
  const room = out.columns - INDENT.length - width - displayWidth(mark);
  const description = fitToWidth(describe(skill), Math.max(10, room));
  out.line('  ', symbol, ' ', { text: name, style: 'bold' }, description === '' ? '' : `${gap}${description}`, {
    text: mark,
    style: 'dim',
  });
  for (const note of listNotes(skill, context)) out.line(INDENT, note);
}

function chooseSymbol(skill: Skill, { served }: ListContext): Piece {
  if (skill.shadowedBy !== undefined && skill.status !== 'broken') return { text: '·', style: 'dim' };
  const isWithheld = skill.status === 'enabled' && served.get(skill)?.ok === false;
  return isWithheld ? { text: '!', style: 'red' } : SYMBOLS[skill.status];
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
    shadows.length > 0 && `hides ${[...new Set(shadows.map(({ source }) => source))].join(', ')}`,
  ].filter((mark) => mark !== false);
  return marks.length === 0 ? '' : `  (${marks.join('; ')})`;
}

function listNotes(skill: Skill, { isVerbose, trusted, served, renderHint }: ListContext): readonly Piece[] {
  const { status, shadowedBy, origin, file } = skill;
  const notes: Piece[] = [];
  if (isVerbose && origin !== undefined) {
    const version = skill.defaults?.includes('version') === true ? undefined : skill.version;
    const from = [showAddress(origin), nameChoice(origin), version].filter(Boolean);
    notes.push({ text: [...from, trusted.get(skill) === true ? 'trusted' : 'not trusted'].join('  '), style: 'dim' });
  }
  const reasons = renderReasons(skill, renderHint);
  if (status !== 'enabled' && status !== 'shadowed')
    notes.push({ text: `${status}: ${reasons.join('; ')}`, style: 'yellow' });
  const answer = served.get(skill);
  if (answer?.ok === false) notes.push({ text: answer.message, style: 'yellow' });
  if (shadowedBy === undefined) return notes;
  const text = status === 'broken' ? `until then, ${shadowedBy} is used` : `${file} is shadowed by ${shadowedBy}`;
  return [...notes, { text, style: 'dim' }];
}

/** The reasons of a broken skill say how to fix it, as a hint does. */
export function renderReasons({ status, reasons }: Skill, renderHint: Invocation['renderHint']): readonly string[] {
  return status === 'broken' ? reasons.map(renderHint) : reasons;
}
