import { useCallback, useMemo } from 'preact/hooks';

import { toCell, type CellKind } from './agent-cell.ts';
import type { AgentsView, ConsoleSession, SkillRow } from './answers.ts';
import { useSession } from './session.ts';
import { useRead } from './use-read.ts';

/** How an agent treats a skill, as far as a mark can say it. */
export interface AgentMark {
  readonly agent: ConsoleSession['hosts'][number];
  readonly kind: MarkKind;
  readonly because: string | undefined;
}

export type MarkKind = 'listed' | 'named' | 'still' | 'missed' | 'none';

export type MarksOf = (row: Pick<SkillRow, 'file'>) => readonly AgentMark[] | undefined;

const KINDS: Readonly<Record<CellKind, MarkKind>> = {
  listed: 'listed',
  named: 'named',
  stuck: 'listed',
  still: 'still',
  lost: 'missed',
  empty: 'none',
  fixed: 'none',
};

/** The marks of skills; without any until the agents were looked at, which takes longer than listing the skills. */
export function useAgentMarks(isWanted: boolean): MarksOf {
  const view = useRead('agents', isWanted ? {} : undefined).value;
  const listed = useRead('skills', isWanted ? {} : undefined).value;
  const { hosts } = useSession();
  const byFile = useMemo(() => indexMarks(view, listed?.skills ?? [], hosts), [view, listed, hosts]);
  return useCallback(({ file }) => byFile.get(file), [byFile]);
}

function indexMarks(
  view: AgentsView | undefined,
  skills: readonly SkillRow[],
  known: ConsoleSession['hosts'],
): ReadonlyMap<string, readonly AgentMark[]> {
  if (view === undefined) return new Map();
  const skillOf = new Map(skills.map((skill) => [skill.file, skill]));
  const columns = known.map((agent) => ({ agent, at: view.agents.findIndex(({ id }) => id === agent.id) }));
  return new Map(
    view.rows.map(({ file, cells }) => [
      file,
      columns.map(({ agent, at }): AgentMark => {
        const { kind, word, because } = toCell(cells[at], skillOf.get(file));
        return { agent, kind: kind === 'stuck' && word !== 'listed' ? 'named' : KINDS[kind], because };
      }),
    ]),
  );
}
