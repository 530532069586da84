import { visibleSkills } from '../agent/visible-skills.ts';
import type { Skills } from '../engine/open-skills.ts';

/** In tokens: small, since clients put it before every conversation. */
export const DEFAULT_BUDGET = 1_000;

const GUIDE =
  'Skills are instructions for certain tasks. Before you begin a task that a skill is for, load it with load_skill and ' +
  'follow it; search_skills finds skills by what they are needed for, list_skills lists them all. ' +
  'Files that a skill names are read with read_skill_resource.';
const NONE = 'There are no skills yet. list_skills lists them when there are.';

/** What a client tells its model of this server: how to use it, and the skills there are, as far as the budget has room. */
export async function writeInstructions(skills: Skills, budget: number = DEFAULT_BUDGET): Promise<string> {
  if (visibleSkills(skills).length === 0) return NONE;
  const left = Math.max(0, budget - Math.ceil(GUIDE.length / 4) - 1);
  const { text } = await skills.disclosure.prompt({ format: 'index', budget: left });
  return text === '' ? GUIDE : `${GUIDE}\n\n${text}`;
}
