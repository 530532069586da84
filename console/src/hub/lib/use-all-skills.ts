import type { SkillsAnswer } from '../../../../hub/src/http/wire.ts';
import { useAnswer, type Reading } from '../../lib/use-answer.ts';
import type { Answer } from '../../lib/wire.ts';
import { ask, questions } from './api.ts';

/** More are found by searching. */
const MOST_PAGES = 10;

/** All skills that this person may read, up to ten thousand. */
export function useAllSkills(): Reading<SkillsAnswer> {
  return useAnswer('all skills', readAll);
}

async function readAll(signal: AbortSignal): Promise<Answer<SkillsAnswer>> {
  let answer = await ask(questions.skills(undefined), signal);
  for (let pages = 1; answer.ok && answer.value.next !== null && pages < MOST_PAGES; pages += 1) {
    const { skills, next, total } = answer.value;
    const more = await ask(questions.skills(next), signal);
    if (!more.ok) return more;
    answer = { ok: true, value: { total, skills: [...skills, ...more.value.skills], next: more.value.next } };
  }
  return answer;
}
