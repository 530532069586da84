import { plural } from '../model/plural.ts';

/** How much of the skills a model is shown, from nothing to the files of a skill. */
export const TIERS = ['none', 'breadcrumb', 'catalog', 'instructions', 'resource'] as const;

export type Tier = (typeof TIERS)[number];

/** Tells a model that there are skills, and nothing else. The text is fixed: one skill is "1 skills". */
export function renderBreadcrumb(count: number): string {
  return count === 0 ? '' : `[${count} skills available]`;
}

/** The same with the next step, where no exact text is expected. */
export function renderPointer(count: number): string {
  if (count === 0) return '';
  return `${plural(count, 'skill')}: call search_skills with the task before you act.`;
}

/** Counts the skills that a catalog for a message leaves out. */
export function renderRest(count: number): string {
  return `[${plural(count, 'more skill')} available]`;
}
