import { planEvalCase, removeEvalCase, saveEvalCase } from '../../index.ts';
import type { ChangeAnswer, ReadAnswer } from '../console-context.ts';

/** Says which file a request would be kept in as an eval case. */
export const previewCase: ReadAnswer<'lab/case'> = ({ skills }, { request, skill, not }) =>
  planEvalCase(skills, { request, skill, shouldTrigger: not === undefined });

export const saveCase: ChangeAnswer<'lab/case'> = async ({ skills, announce }, wanted) => {
  const saved = await saveEvalCase(skills, wanted);
  if (saved.ok) await announce();
  return saved;
};

export const takeBackCase: ChangeAnswer<'lab/uncase'> = async ({ skills, announce }, wanted) => {
  const removed = await removeEvalCase(skills, wanted);
  if (removed.ok) await announce();
  return removed;
};
