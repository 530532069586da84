import { join } from 'node:path';

import type { Skills } from '../engine/open-skills.ts';
import type { Outcome } from '../model/outcome.ts';
import type { EvalCaseChange, SkillEvalCase } from './write-eval-case.ts';

/** Says what `saveEvalCase` would write, and writes nothing. */
export function planEvalCase(skills: Skills, wanted: SkillEvalCase): Promise<Outcome<EvalCaseChange>> {
  return write(skills, wanted, 'plan');
}

/**
 * Keeps a request as an eval case: with one's own skill in its `evals` folder, for any other skill in the user's own
 * `evals/requests.jsonl`, because its folder belongs to others.
 */
export function saveEvalCase(skills: Skills, wanted: SkillEvalCase): Promise<Outcome<EvalCaseChange>> {
  return write(skills, wanted, 'add');
}

/** Takes a case out again that `saveEvalCase` put in. A file without any other case is removed. */
export function removeEvalCase(skills: Skills, wanted: SkillEvalCase): Promise<Outcome<EvalCaseChange>> {
  return write(skills, wanted, 'take');
}

/** The user's requests for skills that are not theirs. */
export function ownEvalFile(agentHome: string): string {
  return join(agentHome, 'evals', 'requests.jsonl');
}

async function write(
  skills: Skills,
  wanted: SkillEvalCase,
  what: 'plan' | 'add' | 'take',
): Promise<Outcome<EvalCaseChange>> {
  // Lazy: readers should not pay for the writer.
  const { writeEvalCase } = await import('./write-eval-case.ts');
  return writeEvalCase(skills, wanted, what);
}
