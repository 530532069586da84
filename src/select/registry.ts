import { compareText } from '../catalog/order.ts';
import type { Skill } from '../model/skill.ts';
import { toDocument, type SearchDocument } from './document.ts';
import { explainRelevance, rankByRelevance, type Relevance } from './relevance.ts';
import { scoreByTable } from './score-table.ts';
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
  readonly #options: RegistryOptions;
  #index: TextIndex | undefined;

  constructor(options: RegistryOptions) {
    this.#skills = options.skills;
    this.#options = options;
  }

  /** The best skills for a query, by score, then name, then id. Without a query: what passes the filters. */
  search(query: string, filters: SearchFilters = {}, limit: number = DEFAULT_LIMIT): readonly SearchResult[] {
    const passes = this.#skills.map((skill) => isPassing(skill, filters));
    const found = query.trim() === '' ? this.#listAll(passes) : this.#findMatches(query, passes);
    return found.sort(byScore).slice(0, Math.max(0, limit));
  }

  #listAll(passes: readonly boolean[]): SearchResult[] {
    return this.#skills.filter((_, at) => passes[at]).map((skill) => toResult(skill, 0, ['passes the filters']));
  }

  #findMatches(query: string, passes: readonly boolean[]): SearchResult[] {
    const index = this.#openIndex();
    const results = new Map<number, SearchResult>();
    const ranked = rankByRelevance(index, query, (at) => passes[at] === true);
    for (const { document, score, twins } of foldTwins(ranked, index)) {
      const skill = this.#skills[document];
      const alike = twins.flatMap((twin) => this.#skills[twin]?.name ?? []);
      const reasons = [
        ...explainRelevance(index, document, query),
        ...(alike.length === 0 ? [] : [`nearly the same, left out: ${alike.join(', ')}`]),
      ];
      if (skill !== undefined) results.set(document, toResult(skill, RELEVANCE_SHARE * score, reasons));
    }
    for (const [at, skill] of this.#skills.entries()) {
      const match = passes[at] === true ? scoreByTable(skill, query) : undefined;
      if (match !== undefined) results.set(at, toResult(skill, match.score, [match.rule]));
    }
    return [...results.values()];
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

/** From here on two skills say the same of themselves. */
const NEARLY_THE_SAME = 0.85;

/** Copies of one skill do not fill the list: the best stands for all. */
function foldTwins(
  ranked: readonly Relevance[],
  { documents }: TextIndex,
): readonly (Relevance & { readonly twins: number[] })[] {
  const kept: (Relevance & { readonly twins: number[] })[] = [];
  for (const relevance of ranked) {
    const words = documents[relevance.document]?.close ?? new Uint32Array();
    const twin = kept.find(({ document }) => likeness(words, documents[document]?.close ?? words) >= NEARLY_THE_SAME);
    if (twin === undefined) kept.push({ ...relevance, twins: [] });
    else twin.twins.push(relevance.document);
  }
  return kept;
}

function isPassing(skill: Skill, { tags = [], domain, source }: SearchFilters): boolean {
  const own = new Set(skill.tags.map((tag) => tag.toLowerCase()));
  return (
    tags.every((tag) => own.has(tag.toLowerCase())) &&
    (domain === undefined || skill.domain === domain) &&
    (source === undefined || skill.source === source)
  );
}

function toResult(skill: Skill, score: number, reasons: readonly string[]): SearchResult {
  const { id, name, title, description, tags } = skill;
  return { id, name, title, description, tags, score, reasons };
}

function byScore(a: SearchResult, b: SearchResult): number {
  return b.score - a.score || compareText(a.name, b.name) || compareText(a.id, b.id);
}
