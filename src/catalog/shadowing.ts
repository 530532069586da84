import type { Diagnostic } from '../model/diagnostic.ts';
import { foldName } from '../parse/name-rules.ts';
import type { FoundSkill } from '../sources/scan.ts';

/** A skill that has its name to itself, with the copies that lost to it. */
export interface Holder {
  readonly winner: FoundSkill;
  readonly losers: readonly FoundSkill[];
}

/**
 * Gives every name to one skill. `found` comes in order of precedence; the first wins and the others are kept as
 * its shadows. Names that differ only by case or Unicode form are one name. One directory found twice is one
 * skill. A skill that claims the name of a neighbouring skill's directory does not get it.
 */
export function resolveShadowing(found: readonly FoundSkill[]): readonly Holder[] {
  const places = new Map<string, FoundSkill>();
  for (const skill of found) if (!places.has(skill.realDir)) places.set(skill.realDir, skill);
  const distinct = [...places.values()];
  const neighbours = new Map(distinct.map((skill) => [neighbourKey(skill.root.path, skill.skill.id), skill]));
  const holders = new Map<string, { winner: FoundSkill; losers: FoundSkill[] }>();
  const claims: { readonly claimant: FoundSkill; readonly owner: FoundSkill }[] = [];
  for (const claimant of distinct) {
    const { name, id } = claimant.skill;
    const owner = name === id ? undefined : neighbours.get(neighbourKey(claimant.root.path, name));
    if (owner !== undefined && owner !== claimant) {
      claims.push({ claimant, owner });
      continue;
    }
    const key = foldName(name);
    const holder = holders.get(key);
    if (holder === undefined) holders.set(key, { winner: claimant, losers: [] });
    else holder.losers.push(claimant);
  }
  for (const { claimant, owner } of claims) holders.get(foldName(owner.skill.name))?.losers.push(claimant);
  return [...holders.values()];
}

export function describeShadow(loser: FoundSkill, winner: FoundSkill): Diagnostic {
  const isIntended = loser.root.priority < winner.root.priority && loser.skill.name === winner.skill.name;
  const spelled = loser.skill.name === winner.skill.name ? '' : ` as "${winner.skill.name}"`;
  return {
    code: 'SHADOWED',
    severity: isIntended ? 'info' : 'warning',
    path: loser.skill.file,
    field: 'name',
    message: `"${loser.skill.name}" in ${loser.skill.file} is shadowed by ${winner.skill.file}${spelled}`,
  };
}

function neighbourKey(root: string, name: string): string {
  return `${root}\0${foldName(name)}`;
}
