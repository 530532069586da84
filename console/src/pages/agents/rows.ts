import { toCell, type Cell, type CellKind } from '../../lib/agent-cell.ts';
import type { AgentsView, SkillRow } from '../../lib/answers.ts';
import { KEEP_ONE, problemOf, type Remedy } from '../../lib/skill-problem.ts';
import { counted, joinNames, sentence, shortPath } from '../../lib/words.ts';

/** A copy of a skill in the matrix. */
export interface MatrixRow {
  readonly name: string;
  readonly file: string;
  readonly brief: string;
  /** The folder, where the name does not tell which copy it is. */
  readonly path: string | undefined;
  /** Has another copy its name? */
  readonly isCopy: boolean;
  readonly cells: readonly Cell[];
  /** Why it is among the problems. */
  readonly problem: string | undefined;
  readonly remedy: Remedy | undefined;
}

/** The rows in the order of their names; a copy follows the one that has the name. */
export function makeRows(
  { agents, rows }: AgentsView,
  skills: readonly SkillRow[],
  home: string,
): readonly MatrixRow[] {
  const known = new Map(skills.map((skill) => [skill.file, skill]));
  const byName = Map.groupBy(skills, ({ name }) => name);
  const copies = Map.groupBy(rows, ({ name }) => name);
  return rows
    .map(({ name, file, cells: seen }): MatrixRow => {
      const skill = known.get(file);
      const cells = seen.map((cell) => toCell(cell, skill));
      const count = copies.get(name)?.length ?? 1;
      const folder = skill?.source === 'bundled' ? 'bundled' : shortPath(file.replace(/\/[^/]*$/, ''), home);
      const path = count > 1 ? folder : undefined;
      const isCopy = skill?.shadowedBy !== undefined;
      const row = { name, file, brief: skill?.brief ?? '', path, isCopy, cells, problem: undefined, remedy: undefined };
      if (isCopy) {
        const users = agents.flatMap(({ title }, at) => (HAVING.has(cells[at]?.kind ?? 'fixed') ? [title] : []));
        if (users.length === 0) return { ...row, brief: 'Another copy of this name is in use.' };
        const own = `Only ${joinNames(users)} ${users.length === 1 ? 'uses' : 'use'} this copy.`;
        return { ...row, brief: own, problem: own, remedy: KEEP_ONE };
      }
      if (skill === undefined) return row;
      const marks = cells.map(({ kind, because }, at) => ({
        agent: { title: agents[at]?.title ?? '' },
        kind: kind === 'still' ? ('still' as const) : kind === 'lost' ? ('missed' as const) : ('none' as const),
        because,
      }));
      const problem = problemOf(skill, marks, { copiesOf: (wanted) => byName.get(wanted) ?? [], home });
      if (problem === undefined) return row;
      // Each copy has a row of its own, with its folder.
      if (problem.remedy === KEEP_ONE)
        return { ...row, problem: `${problem.word}; this one is in use.`, remedy: KEEP_ONE };
      return { ...row, problem: sentence(problem.reason), remedy: problem.remedy };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Keeps the rows of a filter that hold every word of a search. */
export function filterMatrix(rows: readonly MatrixRow[], filter: string, query: string): readonly MatrixRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = `${row.name} ${row.brief}`.toLowerCase();
    return isIn(row, filter) && words.every((word) => text.includes(word));
  });
}

const HAVING: ReadonlySet<CellKind> = new Set(['listed', 'named', 'stuck', 'still']);

export function isIn({ cells, problem }: MatrixRow, filter: string): boolean {
  const having = cells.filter(({ kind }) => HAVING.has(kind)).length;
  if (filter === 'problems') return problem !== undefined;
  if (filter === 'some') return having > 0 && having < cells.length;
  return filter === 'none' ? having === 0 : true;
}

/** How many skills the rows are about; copies of a name are one. */
export function countNames(rows: readonly MatrixRow[]): number {
  return new Set(rows.map(({ name }) => name)).size;
}

/** `give pdf to Codex`, for each mark; of many only the first ones. */
export function describeMarks(
  marks: readonly { readonly name: string; readonly agent: string; readonly to: string }[],
  titleOf: (agent: string) => string,
): string {
  const texts = marks.map(({ name, agent, to }) =>
    to === 'give' ? `give ${name} to ${titleOf(agent)}` : `remove ${name} from ${titleOf(agent)}`,
  );
  const rest = texts.length - MOST_TEXTS;
  return rest > 0
    ? `${texts.slice(0, MOST_TEXTS).join(' · ')} · and ${counted(rest, 'more', 'more')}`
    : texts.join(' · ');
}

const MOST_TEXTS = 4;
