import type { Skill } from '../model/skill.ts';

/** A matching rule of the table, and its score. */
export interface TableMatch {
  readonly score: number;
  readonly rule: string;
}

/**
 * The fixed scores for queries that are found as they stand: in a name (the title, and the name where the file sets
 * one), a tag, the id or the description. Case does not count; the highest rule does.
 */
export interface ScoreTable {
  /** The skills that a rule fits, by their place in the list that the table was opened with. */
  find(query: string): ReadonlyMap<number, TableMatch>;
}

export function openScoreTable(skills: readonly Skill[]): ScoreTable {
  const texts = skills.map((skill) => {
    const { names, tags, id, description } = toEntry(skill);
    return [...names, ...tags, id, description].join('\0');
  });
  // One text of all skills: searching it is several times faster than searching thousands of short ones.
  const all = texts.join('\0');
  const ends: number[] = [];
  for (const text of texts) ends.push((ends.at(-1) ?? -1) + text.length + 1);
  return {
    find(query) {
      const wanted = fold(query);
      const matches = new Map<number, TableMatch>();
      if (wanted === '') return matches;
      let at = 0;
      for (let found = all.indexOf(wanted); found !== -1; found = all.indexOf(wanted, ends[at])) {
        while ((ends[at] ?? all.length) <= found) at += 1;
        const skill = skills[at];
        const match = skill === undefined ? undefined : findRule(toEntry(skill), wanted);
        if (match !== undefined) matches.set(at, match);
      }
      return matches;
    },
  };
}

function findRule(entry: TableEntry, wanted: string): TableMatch | undefined {
  const match = RULES.find(({ fits }) => fits(entry, wanted));
  return match === undefined ? undefined : { score: match.score, rule: match.rule };
}

/** The fields that the table matches, case-folded. */
interface TableEntry {
  readonly names: readonly string[];
  readonly tags: readonly string[];
  readonly id: string;
  readonly description: string;
}

function toEntry({ isNamed, title, name, tags, id, description }: Skill): TableEntry {
  const names = isNamed ? [title, name] : [title];
  return { names: names.map(fold), tags: tags.map(fold), id: fold(id), description: fold(description) };
}

const RULES: readonly (TableMatch & { readonly fits: (entry: TableEntry, wanted: string) => boolean })[] = [
  { score: 1, rule: 'exact name', fits: ({ names }, wanted) => names.includes(wanted) },
  { score: 0.9, rule: 'part of the name', fits: ({ names }, wanted) => names.some((name) => name.includes(wanted)) },
  { score: 0.8, rule: 'exact tag', fits: ({ tags }, wanted) => tags.includes(wanted) },
  { score: 0.7, rule: 'exact id', fits: ({ id }, wanted) => id === wanted },
  { score: 0.7, rule: 'part of a tag', fits: ({ tags }, wanted) => tags.some((tag) => tag.includes(wanted)) },
  { score: 0.6, rule: 'part of the id', fits: ({ id }, wanted) => id.includes(wanted) },
  { score: 0.5, rule: 'in the description', fits: ({ description }, wanted) => description.includes(wanted) },
];

function fold(text: string): string {
  return text.trim().toLowerCase();
}
