import { compareText } from '../catalog/order.ts';
import type { Skill } from '../model/skill.ts';
import { toDocument, type SearchDocument } from './document.ts';
import { openExplanation, rankByRelevance, type Relevance } from './relevance.ts';
import { openScoreTable, type ScoreTable } from './score-table.ts';
import { likeness } from './sorted-set.ts';
import { buildTextIndex, type TextIndex } from './text-index.ts';

export interface SearchFilters {
  /** Every one of them must be there; case does not count. */
  readonly tags?: readonly string[] | undefined;
  readonly domain?: string | undefined;
  readonly source?: string | undefined;
}

export interface SearchResult {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** 0.5 and more by the table of fixed scores, below that by relevance; 0 where only a filter was asked for. */
  readonly score: number;
  /** Which rule, or which words in which parts, made the score. */
  readonly reasons: readonly string[];
}

export interface RegistryOptions {
  readonly skills: readonly Skill[];
  /** The instructions of a skill; empty where they cannot be read. */
  readonly readBody: (skill: Skill) => string;
  /** Words of skills that were read before; a skill whose record is the same is not read again. */
  readonly documents?: WeakMap<Skill, SearchDocument>;
}

const DEFAULT_LIMIT = 10;
/** Relevance stays below the table's lowest score. */
const RELEVANCE_SHARE = 0.5;

/** Finds skills by what somebody asks for: a name, a tag, or a request in plain words. */
export class SkillRegistry {
  readonly #skills: readonly Skill[];
  readonly #table: ScoreTable;
  readonly #options: RegistryOptions;
  #index: TextIndex | undefined;

  constructor(options: RegistryOptions) {
    this.#skills = options.skills;
    this.#table = openScoreTable(options.skills);
    this.#options = options;
  }

  /** The best skills for a query, by score, then name, then id. Without a query: what passes the filters. */
  search(query: string, filters: SearchFilters = {}, limit: number = DEFAULT_LIMIT): readonly SearchResult[] {
    const found = query.trim() === '' ? this.#listAll(filters) : this.#findMatches(query, filters, limit);
    const best = found.sort(byScore).slice(0, Math.max(0, limit));
    return best.map(({ skill: { id, name, title, description, tags }, score, explain }) => {
      return { id, name, title, description, tags, score, reasons: explain() };
    });
  }

  #listAll(filters: SearchFilters): Found[] {
    const passing = this.#skills.filter((skill) => isPassing(skill, filters));
    return passing.map((skill) => ({ skill, score: 0, explain: () => ['passes the filters'] }));
  }

  #findMatches(query: string, filters: SearchFilters, limit: number): Found[] {
    const index = this.#openIndex();
    const found = new Map<Skill, Found>();
    const passes = (skill: Skill | undefined): skill is Skill => skill !== undefined && isPassing(skill, filters);
    const explainWords = openExplanation(index, query);
    const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
    const ranked = rankByRelevance(index, query, isFiltered ? (at) => passes(this.#skills[at]) : undefined);
    for (const { document, score, twins } of foldTwins(ranked, index, limit)) {
      const skill = this.#skills[document];
      const explain = (): readonly string[] => [...explainWords(document), ...this.#nameTwins(twins)];
      if (skill !== undefined) found.set(skill, { skill, score: RELEVANCE_SHARE * score, explain });
    }
    for (const [at, match] of this.#table.find(query)) {
      const skill = this.#skills[at];
      if (passes(skill)) found.set(skill, { skill, score: match.score, explain: () => [match.rule] });
    }
    return [...found.values()];
  }

  #nameTwins(twins: readonly number[]): readonly string[] {
    const names = twins.flatMap((twin) => this.#skills[twin]?.name ?? []);
    return names.length === 0 ? [] : [`nearly the same: ${names.join(', ')}`];
  }

  #openIndex(): TextIndex {
    const { readBody, documents = new WeakMap<Skill, SearchDocument>() } = this.#options;
    this.#index ??= buildTextIndex(
      this.#skills.map((skill) => {
        const document = documents.get(skill) ?? toDocument(skill, readBody(skill));
        documents.set(skill, document);
        return document;
      }),
    );
    return this.#index;
  }
}

/** A skill that fits, with its reasons for when it is among those that are shown. */
interface Found {
  readonly skill: Skill;
  readonly score: number;
  readonly explain: () => readonly string[];
}

/** From here on two skills say the same of themselves. */
const NEARLY_THE_SAME = 0.85;

/** Copies of one skill do not fill the list: the best stands for all. */
function foldTwins(
  ranked: readonly Relevance[],
  { documents }: TextIndex,
  limit: number,
): readonly (Relevance & { readonly twins: number[] })[] {
  const kept: (Relevance & { readonly twins: number[] })[] = [];
  for (const relevance of ranked) {
    const words = documents[relevance.document]?.close ?? new Uint32Array();
    const twin = kept.find(({ document }) => likeness(words, documents[document]?.close ?? words) >= NEARLY_THE_SAME);
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
