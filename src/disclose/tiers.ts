import { plural } from '../model/plural.ts';

/** How much a model sees, from nothing to a skill's files. */
export const TIERS = ['none', 'breadcrumb', 'catalog', 'instructions', 'resource'] as const;

export type Tier = (typeof TIERS)[number];

/** Tells a model only that skills exist. The text is fixed: one skill is "1 skills". */
export function renderBreadcrumb(count: number): string {
  return count === 0 ? '' : `[${count} skills available]`;
}

/** The same with the next step, where the exact text is free. */
export function renderPointer(count: number): string {
  if (count === 0) return '';
  return `${plural(count, 'skill')}: call search_skills with the task before you act.`;
}

/** Counts the skills that a catalog for a message leaves out. */
export function renderRest(count: number): string {
  return `[${plural(count, 'more skill')} available]`;
}
