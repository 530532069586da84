import { compareText } from '../model/order.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { spelledWordsOf, wordsOf } from '../select/index/words.ts';

/** A request that did not find the skills that serve it. */
export interface MissedRequest {
  readonly query: string;
  readonly gold: readonly string[];
  /** The skill that came first instead. */
  readonly stolenBy: string | undefined;
}

/** Words that people use for a skill but the skill does not; the most telling first. */
export interface MissingWords {
  readonly skill: string;
  readonly words: readonly { readonly word: string; readonly count: number }[];
}

/** Looks up a searchable skill by any of its names, or explains why it cannot be found. */
export type FindSkill = (name: string) => Outcome<{ readonly skill: Skill }>;

const SHOWN_WORDS = 8;

/**
 * The words of missed requests that a skill's name, description, tags and triggers lack, by how many of its missed
 * requests have them. Among equals, words of the skill that was found instead come first.
 */
export function findMissingWords(missed: readonly MissedRequest[], find: FindSkill): readonly MissingWords[] {
  const readOwn = rememberOwnWords(find);
  const pairs = missed.flatMap(({ query, gold, stolenBy }) => gold.map((skill) => ({ skill, query, stolenBy })));
  return [...Map.groupBy(pairs, ({ skill }) => skill)]
    .sort(([a, x], [b, y]) => y.length - x.length || compareText(a, b))
    .flatMap(([skill, requests]) => {
      const own = readOwn(skill);
      if (own === undefined) return [];
      const words = rankWords(requests.map(({ query, stolenBy }) => ({ query, own, rival: readOwn(stolenBy) })));
      return words.length === 0 ? [] : [{ skill, words }];
    });
}

type WordSet = ReadonlySet<string>;

function rememberOwnWords(find: FindSkill): (name: string | undefined) => WordSet | undefined {
  const known = new Map<string, WordSet | undefined>();
  return (name) => {
    if (name === undefined) return undefined;
    if (!known.has(name)) {
      const found = find(name);
      known.set(name, found.ok ? ownWords(found.skill) : undefined);
    }
    return known.get(name);
  };
}

/** The words of a skill's metadata. */
export function ownWords({ name, id, description, tags, triggers }: Skill): ReadonlySet<string> {
  const parts = [name, id, description, ...tags, ...triggers.keywords, ...triggers.verbs, ...triggers.patterns];
  return new Set(wordsOf(parts.join('\n')));
}

interface Comparison {
  readonly query: string;
  readonly own: WordSet;
  readonly rival: WordSet | undefined;
}

/** Counts for a word that the skill lacks. */
interface Tally {
  count: number;
  inRival: number;
  readonly spellings: Map<string, number>;
}

function rankWords(comparisons: readonly Comparison[]): MissingWords['words'] {
  const tallies = new Map<string, Tally>();
  for (const { query, own, rival } of comparisons) {
    const words = new Map(spelledWordsOf(query).map(({ word, spelling }) => [word, spelling]));
    for (const [word, spelling] of words) {
      if (own.has(word) || /^\d+$/.test(word)) continue;
      const tally = tallies.get(word) ?? { count: 0, inRival: 0, spellings: new Map<string, number>() };
      tally.count += 1;
      if (rival?.has(word) === true) tally.inRival += 1;
      tally.spellings.set(spelling, (tally.spellings.get(spelling) ?? 0) + 1);
      tallies.set(word, tally);
    }
  }
  return [...tallies]
    .sort(([a, x], [b, y]) => y.count - x.count || y.inRival - x.inRival || compareText(a, b))
    .slice(0, SHOWN_WORDS)
    .map(([, { count, spellings }]) => ({ word: commonest(spellings), count }));
}

function commonest(spellings: ReadonlyMap<string, number>): string {
  const ordered = [...spellings].sort(([a, x], [b, y]) => y - x || compareText(a, b));
  return ordered[0]?.[0] ?? '';
}
