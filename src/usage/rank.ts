import { compareText } from '../model/order.ts';
import type { SkillUses } from './usage-store.ts';

export interface Rankable {
  readonly name: string;
  /** When its SKILL.md changed last, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** Ranks names: last used first, then most used; skills never used follow, newest first. */
export function rankByUse(skills: readonly Rankable[], uses: readonly SkillUses[]): readonly string[] {
  const known = new Map(uses.map((use) => [use.skill, use]));
  return skills
    .map(({ name, changedAt }) => ({ name, changedAt, use: known.get(name) }))
    .sort((a, b) => compareUse(a.use, b.use) || compareAge(a, b) || compareText(a.name, b.name))
    .map(({ name }) => name);
}

function compareUse(a: SkillUses | undefined, b: SkillUses | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return b.lastUsed - a.lastUsed || b.uses - a.uses;
}

type Ranked = Rankable & { readonly use: SkillUses | undefined };

/** Compares age only if neither was ever used. */
function compareAge(a: Ranked, b: Ranked): number {
  return a.use === undefined && b.use === undefined ? b.changedAt - a.changedAt : 0;
}
