import type { SkillUses } from './usage-store.ts';

/** A skill that is to be ranked. */
export interface Rankable {
  readonly name: string;
  /** When its SKILL.md changed last, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** The names: what was used last comes first, then what was used most; then what was never used, the newest first. */
export function rankByUse(skills: readonly Rankable[], uses: readonly SkillUses[]): readonly string[] {
  const known = new Map(uses.map((use) => [use.skill, use]));
  return skills
    .map(({ name, changedAt }) => ({ name, changedAt, use: known.get(name) }))
    .sort((a, b) => compareUse(a.use, b.use) || compareAge(a, b) || compareNames(a.name, b.name))
    .map(({ name }) => name);
}

function compareUse(a: SkillUses | undefined, b: SkillUses | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return b.lastUsed - a.lastUsed || b.uses - a.uses;
}

type Ranked = Rankable & { readonly use: SkillUses | undefined };

/** Only where both were never used. */
function compareAge(a: Ranked, b: Ranked): number {
  return a.use === undefined && b.use === undefined ? b.changedAt - a.changedAt : 0;
}

/** By code points, as everywhere: that is the order of the bytes in UTF-8. */
export function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
