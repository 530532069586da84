import type { AgentMark } from './agent-marks.ts';
import type { SkillRow } from './answers.ts';
import { counted, shortPath } from './words.ts';

/** The reason why a skill does not work as it should, and the way out. */
export interface SkillProblem {
  readonly state: 'broken' | 'blocked' | 'unavailable' | 'missed' | 'flawed' | 'copied';
  readonly kind: 'bad' | 'warn';
  readonly sign: string;
  readonly word: string;
  readonly reason: string;
  readonly remedy: 'disable' | 'review' | 'look' | 'choose';
}

/** The worst problem of a skill; undefined if it has none, or if its user switched it off. */
export function problemOf(
  row: SkillRow,
  marks: readonly AgentMark[] | undefined,
  { copiesOf, home }: { readonly copiesOf: (name: string) => readonly SkillRow[]; readonly home: string },
): SkillProblem | undefined {
  const { name, state, reasons = [], shadowedBy, flaw, blockedBecause } = row;
  const because = reasons.join('; ');
  if (state === 'broken')
    return { state: 'broken', kind: 'bad', sign: '!', word: 'broken', reason: flaw ?? because, remedy: 'look' };
  if (shadowedBy !== undefined || state === 'disabled') return undefined;
  if (blockedBecause !== undefined)
    return { state: 'blocked', kind: 'bad', sign: '✕', word: 'blocked', reason: blockedBecause, remedy: 'review' };
  if (state === 'unavailable')
    return { state: 'unavailable', kind: 'warn', sign: '!', word: 'unavailable', reason: because, remedy: 'disable' };
  const missed = (marks ?? []).filter(({ kind }) => kind === 'missed');
  if (missed.length > 0) {
    const reason = `${missed.map(({ agent }) => agent.title).join(' and ')}: ${missed[0]?.because ?? ''}`;
    return { state: 'missed', kind: 'bad', sign: '!', word: 'not visible', reason, remedy: 'look' };
  }
  if (flaw !== undefined)
    return { state: 'flawed', kind: 'warn', sign: '!', word: 'flawed', reason: flaw, remedy: 'look' };
  if (row.shadows === undefined) return undefined;
  const others = copiesOf(name).filter(({ file }) => file !== row.file);
  return {
    state: 'copied',
    kind: 'warn',
    sign: '!',
    word: counted(others.length + 1, 'copy', 'copies'),
    reason: `in use: ${shortPath(folderOf(row), home)}; also in ${others.map((one) => shortPath(folderOf(one), home)).join(', ')}`,
    remedy: 'choose',
  };
}

/** The folder that the folder of a skill is in. */
export function folderOf({ file }: Pick<SkillRow, 'file'>): string {
  return file.split('/').slice(0, -2).join('/');
}
