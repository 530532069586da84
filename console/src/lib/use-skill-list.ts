import { useEffect, useState } from 'preact/hooks';

import type { SkillList, StateCounts } from '../../../src/http/wire/skills.ts';
import type { Reading } from './use-answer.ts';
import { useRead } from './use-read.ts';

/** More rows than a screen shows. */
const FIRST = { first: 60 } as const;

/** How many skills there are; cheap, for no page needs more of them than a screenful. */
export function useSkillCounts(): StateCounts | undefined {
  return useRead('skills', FIRST).value?.counts;
}

/** The list of skills, or its beginning. */
export interface ListReading extends Reading<SkillList> {
  readonly isWhole: boolean;
}

/** The list of skills: its first rows at once, and all of it after they were drawn, or at once if all are needed. */
export function useSkillList(needsAll: boolean): ListReading {
  const first = useRead('skills', FIRST);
  const [isDrawn, setDrawn] = useState(false);
  const isHere = first.value !== undefined;
  // An effect runs after the browser has drawn.
  useEffect(() => setDrawn(isHere), [isHere]);
  const isAll = first.value !== undefined && countCopies(first.value.counts) === first.value.skills.length;
  const all = useRead('skills', needsAll || (isDrawn && !isAll) ? {} : undefined);
  if (isAll && all.value === undefined) return { ...first, isWhole: true };
  if (needsAll || all.value !== undefined) return { ...all, isWhole: all.value !== undefined };
  return { ...first, failure: first.failure ?? all.failure, isWhole: false };
}

function countCopies({ shadowed, ...others }: StateCounts): number {
  return shadowed + countHolders(others);
}

/** Every copy that has its name. */
export function countHolders(counts: Omit<StateCounts, 'shadowed'>): number {
  return counts.enabled + counts.disabled + counts.unavailable + counts.broken;
}
