import { visibleSkills } from '../agent/visible-skills.ts';
import { contextSection } from '../engine/context-section.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { McpOptions } from './server-options.ts';

/** In tokens; small, because clients add it to every conversation. */
export const DEFAULT_BUDGET = 1_000;

const GUIDE =
  'Skills are instructions for particular tasks. Before you start a task that a skill covers, load the skill with ' +
  'load_skill and follow it. search_skills finds skills for a task, and list_skills lists all of them. ' +
  'Use read_skill_resource to read the files that a skill mentions.';
const NONE = 'There are no skills yet. Call list_skills later to see whether any were added.';

/**
 * The text that clients give their model about this server: how to use it, and as many skills as fit the budget. The
 * AGENTS.md files come after it if they are wanted.
 */
export async function writeInstructions(
  skills: Skills,
  { budget = DEFAULT_BUDGET, contextFiles = false }: Pick<McpOptions, 'budget' | 'contextFiles'> = {},
): Promise<string> {
  const context = contextFiles ? contextSection(skills).text : '';
  return [await writeGuide(skills, budget), context].filter((part) => part !== '').join('\n\n');
}

async function writeGuide(skills: Skills, budget: number): Promise<string> {
  if (visibleSkills(skills).length === 0) return NONE;
  const left = Math.max(0, budget - Math.ceil(GUIDE.length / 4) - 1);
  const { text } = await skills.disclosure.prompt({ format: 'index', budget: left });
  return text === '' ? GUIDE : `${GUIDE}\n\n${text}`;
}
