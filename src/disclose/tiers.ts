/**
 * How much of the skills a model is shown, from nothing to a skill's own files. One ladder for two originals: the tiers
 * 0 to 3 of one begin at `none`, the tiers 1 to 3 of the other at `catalog`.
 */
export const TIERS = ['none', 'breadcrumb', 'catalog', 'instructions', 'resource'] as const;

export type Tier = (typeof TIERS)[number];

/** The tier as a number: 0 for `none`. */
export function tierNumber(tier: Tier): number {
  return TIERS.indexOf(tier);
}

/** All that a model hears of skills which a message does not need. One skill is "1 skills": the text is fixed. */
export function renderBreadcrumb(count: number): string {
  return count === 0 ? '' : `[${count} skills available]`;
}
