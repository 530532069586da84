import type { AgentFact, AgentsView, SkillRow } from '../../lib/answers.ts';
import { counted, shortPath, shortPaths } from '../../lib/words.ts';

/**
 * The state of a cell. `still`: listed although it is kept from the agent. `lost`: not visible although it was given, or although it lies in a folder of the agent.
 * `empty`: it can be given. `fixed`: nothing to change here.
 */
export type CellKind = 'listed' | 'named' | 'still' | 'lost' | 'empty' | 'fixed';

export interface Cell {
  readonly kind: CellKind;
  /** The state in words. */
  readonly word: string;
  readonly because: string | undefined;
}

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
}

/** The rows in the order of their names; a copy follows the one that has the name. */
export function makeRows(
  { agents, rows }: AgentsView,
  skills: readonly SkillRow[],
  home: string,
): readonly MatrixRow[] {
  const known = new Map(skills.map((skill) => [skill.file, skill]));
  const copies = Map.groupBy(rows, ({ name }) => name);
  return rows
    .map(({ name, file, cells: seen }): MatrixRow => {
      const skill = known.get(file);
      const cells = seen.map((cell) => toCell(cell, skill));
      const count = copies.get(name)?.length ?? 1;
      const path = count > 1 ? shortPath(file.replace(/\/[^/]*$/, ''), home) : undefined;
      const titles = (kind: CellKind): readonly string[] =>
        agents.flatMap(({ title }, at) => (cells[at]?.kind === kind ? [title] : []));
      const isCopy = skill?.shadowedBy !== undefined;
      const row = { name, file, brief: skill?.brief ?? '', path, isCopy, cells };
      if (isCopy) {
        const users = [...titles('listed'), ...titles('named')];
        const own =
          users.length === 0 ? undefined : `Only ${joined(users)} ${users.length === 1 ? 'uses' : 'use'} this copy.`;
        return { ...row, brief: own ?? 'Another copy of this name is in use.', problem: own };
      }
      const problem = findProblem(cells, skill, agents);
      return { ...row, problem: problem === undefined ? undefined : shortPaths(problem, home) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function findProblem(
  cells: readonly Cell[],
  skill: SkillRow | undefined,
  agents: AgentsView['agents'],
): string | undefined {
  const reason = skill?.reasons?.join('; ') ?? '';
  if (skill?.state === 'broken') return sentence(skill.flaw ?? reason);
  if (skill?.state === 'unavailable') return sentence(reason);
  const wrong = agents.flatMap(({ title }, at) => {
    const cell = cells[at];
    if (cell?.kind !== 'lost' && cell?.kind !== 'still') return [];
    return [
      { title: cell.kind === 'still' ? `${title} still lists it` : title, because: cell.because ?? 'not visible' },
    ];
  });
  if (wrong.length === 0) return undefined;
  const groups = Map.groupBy(wrong, ({ because }) => because);
  return [...groups].map(([because, some]) => `${joined(some.map(({ title }) => title))}: ${because}.`).join(' ');
}

export const CELL_SIGNS: Readonly<Record<CellKind, string>> = {
  listed: '✓',
  named: '◐',
  still: '!',
  lost: '!',
  empty: '–',
  fixed: '–',
};

/** As it comes from the server, where a cell leaves out what is false. */
type SeenCell = Pick<AgentFact, 'standing'> & Partial<Pick<AgentFact, 'because' | 'isWished' | 'isKept' | 'canGive'>>;

/** The state of a skill for an agent, and whether a person can change it. */
export function toCell(cell: SeenCell | null, skill: Pick<SkillRow, 'state' | 'shadowedBy'> | undefined): Cell {
  const because = cell?.because;
  const made = (kind: CellKind, word: string): Cell => ({ kind, word, because });
  if (cell === null) return made('fixed', '');
  const { standing, isWished = false, isKept = false, canGive = false } = cell;
  if (standing === 'described' || standing === 'named') {
    if (isKept) return made('still', 'still listed');
    return standing === 'named' ? made('named', 'name only') : made('listed', 'listed');
  }
  if (canGive) return made('empty', '');
  if (skill?.shadowedBy !== undefined) return made('fixed', '');
  if (standing === 'hidden') return made('fixed', 'hidden');
  if (skill?.state === 'unavailable' || skill?.state === 'disabled' || skill?.state === 'broken')
    return made('fixed', skill.state);
  return standing === 'lost' || isWished ? made('lost', 'not visible') : made('fixed', '');
}

/** Keeps the rows of a filter that hold every word of a search. */
export function filterMatrix(rows: readonly MatrixRow[], filter: string, query: string): readonly MatrixRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = `${row.name} ${row.brief}`.toLowerCase();
    return isIn(row, filter) && words.every((word) => text.includes(word));
  });
}

export function isIn({ cells, problem }: MatrixRow, filter: string): boolean {
  const having = cells.filter(({ kind }) => kind === 'listed' || kind === 'named' || kind === 'still').length;
  if (filter === 'problems') return problem !== undefined;
  if (filter === 'some') return having > 0 && having < cells.length;
  return filter === 'none' ? having === 0 : true;
}

export function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function sentence(text: string): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
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
