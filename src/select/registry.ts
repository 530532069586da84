import { readBody as readFile } from '../catalog/read-body.ts';
import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import { openIndexBuilder } from './index-builder.ts';
import { listAt } from './lists.ts';
import { explainRelevance, rankByRelevance, type Relevance } from './relevance.ts';
import { readRequest } from './request.ts';
import { openScoreTable, type ScoreTable } from './score-table.ts';
import { EMPTY_INDEX, type SearchIndex } from './search-index.ts';
import { likeness } from './sorted-set.ts';

export interface SearchFilters {
  /** All of these tags, ignoring case. */
  readonly tags?: readonly string[] | undefined;
  readonly domain?: string | undefined;
  readonly source?: string | undefined;
}

export interface SkillSearchResult {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** At least 0.5 from the table of fixed scores, below that from relevance; 0 if there was no query. */
  readonly score: number;
  /** The skill shares words with the request, but probably does not serve it. */
  readonly weak?: true;
  /** The rule, or the words and where they occur, that gave the score. */
  readonly reasons: readonly string[];
}

export interface RegistryOptions {
  /** Reads the instructions of a skill; called once per skill, at the first search. Default: from its file. */
  readonly readBody?: (skill: Skill) => string;
}

/**
 * A result is weak if its score is lower once the words count that no skill has. Measured on real requests
 * (docs/adr/004-search.md): a higher floor calls too many right answers weak, a lower one too few wrong ones.
 */
export const WEAK_BELOW = 0.32;

/** The results that may count as answers, and the weak ones. */
export function splitResults<T extends Pick<SkillSearchResult, 'weak'>>(
  results: readonly T[],
): { readonly strong: readonly T[]; readonly weak: readonly T[] } {
  return { strong: results.filter(({ weak }) => weak !== true), weak: results.filter(({ weak }) => weak === true) };
}

const DEFAULT_LIMIT = 10;
/** Relevance stays below the table's lowest score. */
const RELEVANCE_SHARE = 0.5;

/** Finds skills by a name, a tag, or a request in plain words. */
export class SkillRegistry {
  readonly #searched: Searched;
  /** Does this registry have the skill at this place? Undefined if it has all. */
  readonly #isWanted: ((at: number) => boolean) | undefined;

  private constructor(searched: Searched, isWanted?: (at: number) => boolean) {
    this.#searched = searched;
    this.#isWanted = isWanted;
  }

  /** A registry over these skills. It reads their instructions at the first search. */
  static over(skills: readonly Skill[], { readBody = readFile }: RegistryOptions = {}): SkillRegistry {
    return new SkillRegistry(openSearched(skills, () => indexAll(skills, readBody)));
  }

  /** A registry over an existing index, whose documents are the skills in the same order. */
  static withIndex(skills: readonly Skill[], index: SearchIndex): SkillRegistry {
    return new SkillRegistry(openSearched(skills, () => index));
  }

  /** A registry over fewer skills, with the same index. The others have no effect on which skills it finds. */
  only(view: (skill: Skill) => boolean): SkillRegistry {
    const { skills } = this.#searched;
    const wanted = Uint8Array.from(skills, (skill, at) => Number(this.#has(at) && view(skill)));
    return wanted.includes(0) ? new SkillRegistry(this.#searched, (at) => wanted[at] === 1) : this;
  }

  /** The best skills for a query, by score, then name, then id. An empty query lists all that pass the filters. */
  search(query: string, filters: SearchFilters = {}, limit: number = DEFAULT_LIMIT): readonly SkillSearchResult[] {
    const found = query.trim() === '' ? this.#listAll(filters) : this.#findMatches(query, filters, limit);
    const best = found.sort(byScore).slice(0, Math.max(0, limit));
    return best.map(({ skill: { id, name, title, description, tags }, score, isWeak, explain }) => {
      return { id, name, title, description, tags, score, ...(isWeak ? { weak: true } : {}), reasons: explain() };
    });
  }

  /** Relevance of each skill to a request in plain words. Omits skills that share no word with it. */
  relevanceTo(request: string): ReadonlyMap<Skill, number> {
    const index = this.#searched.index();
    const ranked = rankByRelevance(index, readRequest(index, request, this.#isWanted), this.#isWanted);
    return new Map(
      ranked.flatMap(({ document, score }) => {
        const skill = this.#searched.skills[document];
        return skill === undefined ? [] : [[skill, RELEVANCE_SHARE * score] as const];
      }),
    );
  }

  #listAll(filters: SearchFilters): Found[] {
    const passing = this.#searched.skills.filter((skill, at) => this.#has(at) && isPassing(skill, filters));
    return passing.map((skill) => ({ skill, score: 0, isWeak: false, explain: () => ['passes the filters'] }));
  }

  #findMatches(query: string, filters: SearchFilters, limit: number): Found[] {
    const { skills, index: openIndex, table } = this.#searched;
    const index = openIndex();
    const found = new Map<Skill, Found>();
    const passes = (at: number): boolean => {
      const skill = skills[at];
      return skill !== undefined && this.#has(at) && isPassing(skill, filters);
    };
    const request = readRequest(index, query, this.#isWanted);
    const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
    const ranked = rankByRelevance(index, request, isFiltered ? passes : this.#isWanted);
    for (const { document, score, strength, places, twins } of foldTwins(ranked, index, limit)) {
      const skill = skills[document];
      const explain = (): readonly string[] => [...explainRelevance(request, places), ...this.#nameTwins(twins)];
      const isWeak = RELEVANCE_SHARE * strength < WEAK_BELOW;
      if (skill !== undefined) found.set(skill, { skill, score: RELEVANCE_SHARE * score, isWeak, explain });
    }
    for (const [at, match] of table().find(query)) {
      const skill = skills[at];
      if (skill !== undefined && passes(at))
        found.set(skill, { skill, score: match.score, isWeak: false, explain: () => [match.rule] });
    }
    return [...found.values()];
  }

  #nameTwins(twins: readonly number[]): readonly string[] {
    const names = twins.flatMap((twin) => this.#searched.skills[twin]?.name ?? []);
    return names.length === 0 ? [] : [`nearly the same: ${names.join(', ')}`];
  }

  #has(at: number): boolean {
    return this.#isWanted?.(at) ?? true;
  }
}

/** The skills with their index and table, which all registries over them share. Both are opened when needed. */
interface Searched {
  readonly skills: readonly Skill[];
  readonly index: () => SearchIndex;
  readonly table: () => ScoreTable;
}

function openSearched(skills: readonly Skill[], openIndex: () => SearchIndex): Searched {
  let index: SearchIndex | undefined;
  let table: ScoreTable | undefined;
  return {
    skills,
    index: () => (index ??= openIndex()),
    table: () => (table ??= openScoreTable(skills)),
  };
}

function indexAll(skills: readonly Skill[], readBody: (skill: Skill) => string): SearchIndex {
  const builder = openIndexBuilder(EMPTY_INDEX, skills);
  for (const skill of builder.missing) builder.add(skill, readBody(skill));
  return builder.build();
}

/** A match; the reasons are computed only if it is shown. */
interface Found {
  readonly skill: Skill;
  readonly score: number;
  readonly isWeak: boolean;
  readonly explain: () => readonly string[];
}

/** Skills at least this similar count as copies. */
const NEARLY_THE_SAME = 0.85;

/** Keeps the best of several copies of one skill, so that they do not fill the list. */
function foldTwins(
  ranked: readonly Relevance[],
  { close }: SearchIndex,
  limit: number,
): readonly (Relevance & { readonly twins: number[] })[] {
  const kept: (Relevance & { readonly twins: number[] })[] = [];
  for (const relevance of ranked) {
    const words = listAt(close, relevance.document);
    const twin = kept.find(({ document }) => likeness(words, listAt(close, document)) >= NEARLY_THE_SAME);
    if (twin !== undefined) twin.twins.push(relevance.document);
    else if (kept.length < limit) kept.push({ ...relevance, twins: [] });
    else break;
  }
  return kept;
}

function isPassing(skill: Skill, { tags = NO_TAGS, domain, source }: SearchFilters): boolean {
  return (
    tags.every((tag) => skill.tags.some((own) => own.toLowerCase() === tag.toLowerCase())) &&
    (domain === undefined || skill.domain === domain) &&
    (source === undefined || skill.source === source)
  );
}

const NO_TAGS: readonly string[] = [];

function byScore(a: Found, b: Found): number {
  return b.score - a.score || compareText(a.skill.name, b.skill.name) || compareText(a.skill.id, b.skill.id);
}
