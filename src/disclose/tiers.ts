/** How much of the skills a model is shown, from nothing to the files of a skill. */
export const TIERS = ['none', 'breadcrumb', 'catalog', 'instructions', 'resource'] as const;

export type Tier = (typeof TIERS)[number];

/** The tier as a number: 0 for `none`. */
export function tierNumber(tier: Tier): number {
  return TIERS.indexOf(tier);
}

/** Tells a model that there are skills, and nothing else. The text is fixed: one skill is "1 skills". */
export function renderBreadcrumb(count: number): string {
  return count === 0 ? '' : `[${count} skills available]`;
}

/** Counts the skills that a catalog for a message leaves out. */
export function renderRest(count: number): string {
  return `[${count} more ${count === 1 ? 'skill' : 'skills'} available]`;
}
