import type { Skill } from '../model/skill.ts';

/** The difference between two scans. */
export interface CatalogChange {
  readonly added: readonly Skill[];
  /** Skills with another text or state, or whose name another copy now holds. */
  readonly changed: readonly Skill[];
  readonly removed: readonly Skill[];
}

export function compareSkills(before: readonly Skill[], after: readonly Skill[]): CatalogChange {
  const known = new Map(before.map((skill) => [skill.name, skill]));
  const added: Skill[] = [];
  const changed: Skill[] = [];
  for (const skill of after) {
    const previous = known.get(skill.name);
    known.delete(skill.name);
    if (previous === undefined) added.push(skill);
    else if (previous !== skill && !isSame(previous, skill)) changed.push(skill);
  }
  return { added, changed, removed: [...known.values()] };
}

export function isEmptyChange({ added, changed, removed }: CatalogChange): boolean {
  return added.length === 0 && changed.length === 0 && removed.length === 0;
}

/** Ignores the stamp: a file that was touched but not edited is the same skill. */
function isSame({ stamp: _a, ...a }: Skill, { stamp: _b, ...b }: Skill): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
