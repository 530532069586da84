import { useCallback, useMemo } from 'preact/hooks';

import type { AgentFact, AgentsView, ConsoleSession, SkillRow } from './answers.ts';
import { useSession } from './session.ts';
import { useRead } from './use-read.ts';

/** How an agent treats a skill, as far as a mark can say it. */
export interface AgentMark {
  readonly agent: ConsoleSession['hosts'][number];
  readonly kind: MarkKind;
  readonly because: string | undefined;
}

export type MarkKind = 'listed' | 'named' | 'missed' | 'none';

export type MarksOf = (row: Pick<SkillRow, 'file'>) => readonly AgentMark[] | undefined;

const KINDS: Readonly<Record<AgentFact['standing'], MarkKind>> = {
  described: 'listed',
  named: 'named',
  lost: 'missed',
  hidden: 'none',
  unseen: 'none',
};

/** The marks of skills; without any until the agents were looked at, which takes longer than listing the skills. */
export function useAgentMarks(isWanted: boolean): MarksOf {
  const view = useRead('agents', isWanted ? {} : undefined).value;
  const { hosts } = useSession();
  const byFile = useMemo(() => indexMarks(view, hosts), [view, hosts]);
  return useCallback(({ file }) => byFile.get(file), [byFile]);
}

function indexMarks(
  view: AgentsView | undefined,
  known: ConsoleSession['hosts'],
): ReadonlyMap<string, readonly AgentMark[]> {
  if (view === undefined) return new Map();
  const columns = known.map((agent) => ({ agent, at: view.agents.findIndex(({ id }) => id === agent.id) }));
  return new Map(
    view.rows.map(({ file, cells }) => [
      file,
      columns.map(({ agent, at }): AgentMark => {
        const { standing = 'unseen', because } = cells[at] ?? {};
        return { agent, kind: KINDS[standing], because };
      }),
    ]),
  );
}
