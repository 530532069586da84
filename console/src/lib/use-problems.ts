import { effect } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { useAgentMarks, type MarksOf } from './agent-marks.ts';
import type { AgentColumn, SkillRow } from './answers.ts';
import { otherProblems } from './attention.ts';
import { asking } from './connection.ts';
import { useSession } from './session.ts';
import { problemOf, type SkillProblem } from './skill-problem.ts';
import { useRead } from './use-read.ts';

export type ProblemsBySkill = ReadonlyMap<SkillRow, SkillProblem>;

/** Everything that does not work as it should. */
export interface Problems {
  readonly skills: ProblemsBySkill;
  /** Agents whose list of skills is too long for their model. */
  readonly fullLists: readonly AgentColumn[];
  /** Undefined until the agents were looked at, so that it does not change meanwhile. */
  readonly count: number | undefined;
}

/** False until the page has its first answers. Looking at all agents takes long, and a page must not wait for a number in the menu. */
export function useCalm(): boolean {
  const [isCalm, setCalm] = useState(false);
  useEffect(() => effect(() => void (asking.value === 0 && setCalm(true))), []);
  return isCalm;
}

const NONE: readonly SkillRow[] = [];

/** The problems that the menu, the first steps, Skills and Health show: whoever counts them counts here. */
export function useProblems(isWanted: boolean = true): Problems {
  const rows = useRead('skills', {}).value?.skills;
  const isAsked = isWanted && rows !== undefined;
  const view = useRead('agents', isAsked ? {} : undefined).value;
  const marksOf = useAgentMarks(isAsked);
  const { home } = useSession();
  const skills = useMemo(() => findProblems(rows ?? NONE, marksOf, home), [rows, marksOf, home]);
  const fullLists = (view?.agents ?? []).filter(({ room }) => room !== undefined && room.needed > room.limit);
  return {
    skills,
    fullLists,
    count: view === undefined ? undefined : skills.size + fullLists.length + otherProblems.value,
  };
}

function findProblems(rows: readonly SkillRow[], marksOf: MarksOf, home: string): ProblemsBySkill {
  const byName = Map.groupBy(rows, ({ name }) => name);
  return new Map(
    rows.flatMap((row) => {
      const problem = problemOf(row, marksOf(row), { copiesOf: (name) => byName.get(name) ?? [], home });
      return problem === undefined ? [] : [[row, problem]];
    }),
  );
}
