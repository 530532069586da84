import type { Skill } from '../model/skill.ts';

/** A rule of the table that fits, with its score. */
export interface TableMatch {
  readonly score: number;
  readonly rule: string;
}

/**
 * The fixed scores for a query that is found as it stands: in a name (the title, and the name where the file sets
 * one), a tag, the id or the description. Case does not count; the highest rule does.
 */
export function scoreByTable(skill: Skill, query: string): TableMatch | undefined {
  const wanted = fold(query);
  if (wanted === '') return undefined;
  const names = (skill.isNamed ? [skill.title, skill.name] : [skill.title]).map(fold);
  const tags = skill.tags.map(fold);
  const id = fold(skill.id);
  const rules: readonly (readonly [number, string, boolean])[] = [
    [1, 'exact name', names.includes(wanted)],
    [0.9, 'part of the name', names.some((name) => name.includes(wanted))],
    [0.8, 'exact tag', tags.includes(wanted)],
    [0.7, 'exact id', id === wanted],
    [0.7, 'part of a tag', tags.some((tag) => tag.includes(wanted))],
    [0.6, 'part of the id', id.includes(wanted)],
    [0.5, 'in the description', fold(skill.description).includes(wanted)],
  ];
  const match = rules.find(([, , fits]) => fits);
  return match === undefined ? undefined : { score: match[0], rule: match[1] };
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
