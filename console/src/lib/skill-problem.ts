import type { AgentMark } from './agent-marks.ts';
import type { SkillRow } from './answers.ts';
import { counted, joinNames, shortPath, shortPaths } from './words.ts';

/** The reason why a skill does not work as it should, and the way out, which its page shows first. */
export interface SkillProblem {
  readonly state: 'broken' | 'still' | 'blocked' | 'unavailable' | 'missed' | 'flawed' | 'copied';
  readonly kind: 'bad' | 'warn';
  readonly sign: string;
  readonly word: string;
  readonly reason: string;
  readonly remedy: Remedy;
}

export interface Remedy {
  readonly label: string;
  /** The tab of the skill's page. */
  readonly tab?: string;
}

const DETAILS: Remedy = { label: 'Details' };
const REVIEW: Remedy = { label: 'Review…', tab: 'trust' };
const MOVE: Remedy = { label: 'Move…' };
export const KEEP_ONE: Remedy = { label: 'Keep one…' };

/** The worst problem of a skill; undefined if it has none, or if its user switched it off and no agent lists it. */
export function problemOf(
  row: SkillRow,
  marks: readonly Mark[] | undefined,
  { copiesOf, home }: { readonly copiesOf: (name: string) => readonly SkillRow[]; readonly home: string },
): SkillProblem | undefined {
  const { name, source, state, reasons = [], shadowedBy, flaw, blockedBecause, missing } = row;
  if (state === 'broken')
    return {
      state: 'broken',
      kind: 'bad',
      sign: '!',
      word: 'broken',
      reason: flaw ?? reasons.join('; '),
      remedy: DETAILS,
    };
  if (shadowedBy !== undefined) return undefined;
  const still = findMarks(marks, 'still', home);
  if (still !== undefined)
    return { state: 'still', kind: 'warn', sign: '!', word: 'still listed', reason: still, remedy: MOVE };
  if (state === 'disabled') return undefined;
  if (blockedBecause !== undefined)
    return { state: 'blocked', kind: 'bad', sign: '✕', word: 'blocked', reason: blockedBecause, remedy: REVIEW };
  // Our own skill for a program that is not here is no problem: no one asked for it.
  if (missing !== undefined && source !== 'bundled') {
    const reason = `needs ${missing.join(', ')}, but ${joinNames(missing)} ${missing.length === 1 ? 'is' : 'are'} not installed`;
    return {
      state: 'unavailable',
      kind: 'warn',
      sign: '!',
      word: 'unavailable',
      reason,
      remedy: { label: `Install ${joinNames(missing)}…` },
    };
  }
  const others = copiesOf(name).filter(({ file, source }) => file !== row.file && source !== 'bundled');
  if (others.length > 0) {
    const reason = `in use: ${shortPath(folderOf(row), home)}; also in ${others.map((one) => shortPath(folderOf(one), home)).join(', ')}`;
    return {
      state: 'copied',
      kind: 'warn',
      sign: '!',
      word: counted(others.length + 1, 'copy', 'copies'),
      reason,
      remedy: KEEP_ONE,
    };
  }
  const missed = findMarks(marks, 'missed', home);
  if (missed !== undefined)
    return { state: 'missed', kind: 'bad', sign: '!', word: 'not visible', reason: missed, remedy: DETAILS };
  return flaw === undefined
    ? undefined
    : { state: 'flawed', kind: 'warn', sign: '!', word: 'flawed', reason: flaw, remedy: DETAILS };
}

type Mark = Pick<AgentMark, 'kind' | 'because'> & { readonly agent: Pick<AgentMark['agent'], 'title'> };

/** `Codex and Cursor: its list is full`, for the agents with this mark. */
function findMarks(marks: readonly Mark[] = [], wanted: Mark['kind'], home: string): string | undefined {
  const some = marks.filter(({ kind }) => kind === wanted);
  if (some.length === 0) return undefined;
  const groups = Map.groupBy(some, ({ because = '' }) => because);
  const texts = [...groups].map(([because, of]) => `${joinNames(of.map(({ agent }) => agent.title))}: ${because}`);
  return shortPaths(texts.join('; '), home);
}

/** The folder that the folder of a skill is in. */
export function folderOf({ file }: Pick<SkillRow, 'file'>): string {
  return file.split('/').slice(0, -2).join('/');
}
