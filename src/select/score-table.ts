import type { Skill } from '../model/skill.ts';
import { openGramFilter } from './gram-filter.ts';

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
  let last: { readonly wanted: string; readonly matches: ReadonlyMap<number, TableMatch> } | undefined;
  let prepared: ScoreTable | undefined;
  return {
    find(query) {
      const wanted = fold(query);
      if (wanted === '') return NO_MATCHES;
      // One search may ask twice: that is no reason to prepare for more.
      if (last?.wanted === wanted) return last.matches;
      if (last !== undefined) prepared ??= prepareTable(skills.map(toEntry));
      const matches = prepared?.find(wanted) ?? findOnce(skills, wanted);
      last = { wanted, matches };
      return matches;
    },
  };
}

/** Skills that a table does not have, with their places among those that are searched. */
export interface LooseSkills {
  readonly places: readonly number[];
  readonly skills: readonly Skill[];
}

/**
 * A table that goes on serving after a few changes. `placeOf` is the place that a skill of the table has now, or -1; loose skills
 * are looked through one by one.
 */
export function extendTable(table: ScoreTable, placeOf: (at: number) => number, loose: LooseSkills): ScoreTable {
  return {
    find(query) {
      const wanted = fold(query);
      if (wanted === '') return NO_MATCHES;
      const matches = new Map<number, TableMatch>();
      for (const [at, match] of table.find(query)) if (placeOf(at) >= 0) matches.set(placeOf(at), match);
      for (const [at, match] of findOnce(loose.skills, wanted)) matches.set(loose.places[at] ?? -1, match);
      return matches;
    },
  };
}

const NO_MATCHES: ReadonlyMap<number, TableMatch> = new Map();

/** Checks the skills one by one. Faster than preparing the table for a single query. */
function findOnce(skills: readonly Skill[], wanted: string): ReadonlyMap<number, TableMatch> {
  const mayHold = openQuickLook(wanted);
  const matches = new Map<number, TableMatch>();
  let at = 0;
  for (const skill of skills) {
    const match = mayHold(skill) ? judge(toEntry(skill), wanted) : undefined;
    if (match !== undefined) matches.set(at, match);
    at += 1;
  }
  return matches;
}

/** Tells whether a skill may match, without folding its texts. "No" is certain. */
function openQuickLook(wanted: string): (skill: Skill) => boolean {
  if (!/^[ -~]{1,200}$/.test(wanted)) return () => true;
  // A pattern that ignores case knows all of ASCII, but not the two other characters that fold to it.
  const pattern = new RegExp(`${wanted.replaceAll(/[^\w ]/g, String.raw`\$&`)}|[\u0130\u212a]`, 'i');
  return (skill) => {
    if (pattern.test(skill.description)) return true;
    const { title, name, id, tags } = skill;
    if (pattern.test(title) || (name !== title && pattern.test(name)) || (id !== name && pattern.test(id))) return true;
    return tags.some((tag) => pattern.test(tag));
  };
}

/** One text of all skills is searched much faster than each skill's own. */
function prepareTable(entries: readonly TableEntry[]): ScoreTable {
  const texts = entries.map(({ names, tags, id, description }) => [...names, ...tags, id, description].join('\0'));
  const all = texts.join('\0');
  const starts = [0];
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length + 1);
  const mayHold = openGramFilter(all);
  return {
    find(wanted) {
      const matches = new Map<number, TableMatch>();
      if (!mayHold(wanted)) return matches;
      let skill = 0;
      for (let at = all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, starts[skill])) {
        while ((starts[skill + 1] ?? Number.POSITIVE_INFINITY) <= at) skill += 1;
        const match = judge(entries[skill] ?? EMPTY, wanted);
        if (match !== undefined) matches.set(skill, match);
        skill += 1;
        if (skill >= entries.length) break;
      }
      return matches;
    },
  };
}

function judge(entry: TableEntry, wanted: string): TableMatch | undefined {
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

const EMPTY: TableEntry = { names: [], tags: [], id: '', description: '' };

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
