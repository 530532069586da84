import { readBody as readFile } from '../catalog/read-body.ts';
import {
  checkCall,
  aNumber,
  aBoolean,
  aFunction,
  anObject,
  optionsOf,
  skillList,
  aString,
  strings,
  type OptionKinds,
} from '../model/check-arguments.ts';
import { once } from '../model/once.ts';
import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import type { Memory } from '../usage/usage-store.ts';
import type { Glossary } from './index/glossary.ts';
import { buildIndex, EMPTY_INDEX, type SearchIndex } from './index/search-index.ts';
import { explainChosen, preferChosen } from './ranking/chosen-before.ts';
import { confidencesOf, keepHigher } from './ranking/confidence.ts';
import { foldNearDuplicates, type Folded } from './ranking/near-duplicates.ts';
import { explainPlaces } from './ranking/parts.ts';
import { listParts, rankByRelevance, type Relevance, type ScorePart } from './ranking/relevance.ts';
import { readRequest, type Request } from './ranking/request.ts';
import { openScoreTable, type ScoreTable } from './score-table.ts';

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
  /**
   * How likely it is that this skill serves the request: of results with 0.9, nine of ten do. For a query that is
   * literally in the skill it is the score, if that is higher. Without a query it is 0.
   */
  readonly confidence: number;
  /** The skill shares words with the request, but probably does not serve it: its confidence is low. */
  readonly weak?: true;
  /** The rule, or the words and where they occur, that gave the score. */
  readonly reasons: readonly string[];
  /** Near duplicates that this result represents. */
  readonly nearDuplicates?: readonly string[];
  /** The parts of the relevance, if they were asked for. */
  readonly parts?: readonly ScorePart[];
}

/** How well a skill serves a request in plain words. */
export interface SkillRelevance {
  /** Below 0.5. */
  readonly score: number;
  readonly confidence: number;
}

export interface RegistryOptions {
  /** Reads the instructions of a skill; called once per skill, at the first search. Default: from its file. */
  readonly readBody?: (skill: Skill) => string;
  /** Translates Chinese words. Default: they are found by themselves alone. */
  readonly glossary?: Glossary;
}

const REGISTRY_OPTIONS = optionsOf<RegistryOptions>({ readBody: aFunction, glossary: anObject });

export interface SearchOptions extends SearchFilters {
  /** Give the parts of each relevance. */
  readonly withParts?: boolean | undefined;
  /** The skills that were used after similar requests: they come earlier, and nothing is left out for them. */
  readonly memory?: Memory | undefined;
  /** Chooses the representative of two near duplicates: below 0 for the first. Default: the more relevant. */
  readonly compareNearDuplicates?: ((a: Skill, b: Skill) => number) | undefined;
}

/** Of a query, whoever searches. */
export const SEARCH_KINDS: OptionKinds<Omit<SearchOptions, 'memory' | 'compareNearDuplicates'>> = {
  tags: strings,
  domain: aString,
  source: aString,
  withParts: aBoolean,
};

const SEARCH_OPTIONS = optionsOf<SearchOptions>({
  ...SEARCH_KINDS,
  memory: anObject,
  compareNearDuplicates: aFunction,
});

/**
 * A result is weak if its confidence is lower. Measured on real requests (docs/adr/004-search.md): a higher floor calls
 * too many right answers weak, a lower one too few wrong ones.
 */
export const WEAK_BELOW = 0.2;

/** The results that may count as answers, and the weak ones. */
export function splitResults<T extends Pick<SkillSearchResult, 'weak'>>(
  results: readonly T[],
): { readonly strong: readonly T[]; readonly weak: readonly T[] } {
  return { strong: results.filter(({ weak }) => weak !== true), weak: results.filter(({ weak }) => weak === true) };
}

const DEFAULT_LIMIT = 10;
/** The confidence in a result depends on the next best one, also if only one is wanted. */
const LEAST_FOLDED = 2;
/** Relevance stays below the table's lowest score. */
export const RELEVANCE_SHARE = 0.5;

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
  static over(skills: readonly Skill[], options: RegistryOptions = {}): SkillRegistry {
    const given = { skills: [skills, skillList], options: [options, REGISTRY_OPTIONS] } as const;
    checkCall('SkillRegistry.over(skills, options?)', given);
    const { readBody = readFile, glossary } = options;
    return new SkillRegistry(openSearched(skills, () => buildIndex(EMPTY_INDEX, skills, { readBody, glossary })));
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
  search(query: string, options: SearchOptions = {}, limit: number = DEFAULT_LIMIT): readonly SkillSearchResult[] {
    const given = { query: [query, aString], options: [options, SEARCH_OPTIONS], limit: [limit, aNumber] } as const;
    checkCall('search(query, options?, limit?)', given);
    const { skills } = this.#searched;
    const found = query.trim() === '' ? this.#listAll(options) : this.#findMatches(query, options, limit);
    const best = found.sort(byScore).slice(0, Math.max(0, limit));
    return best.map(({ skill: { id, name, title, description, tags }, score, confidence, explain, relevance }) => {
      const nearDuplicates = (relevance?.nearDuplicates ?? []).flatMap((document) => skills[document]?.name ?? []);
      return {
        id,
        name,
        title,
        description,
        tags,
        score,
        confidence,
        ...(query.trim() !== '' && confidence < WEAK_BELOW ? { weak: true } : {}),
        reasons: [
          ...explain(),
          ...(nearDuplicates.length === 0 ? [] : [`near duplicates: ${nearDuplicates.join(', ')}`]),
        ],
        ...(nearDuplicates.length === 0 ? {} : { nearDuplicates }),
        ...(options.withParts === true ? { parts: relevance === undefined ? [] : listParts(relevance) } : {}),
      };
    });
  }

  /** Relevance of each skill to a request in plain words. Omits skills that share no word with it. */
  relevanceTo(request: string, memory?: Memory): ReadonlyMap<Skill, SkillRelevance> {
    const index = this.#searched.index();
    const read = readRequest(index, request, this.#isWanted);
    const ranked = rankByRelevance(index, read, this.#isWanted);
    const preferred = this.#preferChosen(ranked, read, request, memory);
    const confidences = keepHigher(preferred, ranked, (some) => confidencesOf(some, read, index));
    return new Map(
      preferred.flatMap(({ document, score }) => {
        const skill = this.#searched.skills[document];
        const relevance = { score: RELEVANCE_SHARE * score, confidence: confidences.get(document) ?? 0 };
        return skill === undefined ? [] : [[skill, relevance] as const];
      }),
    );
  }

  #listAll(filters: SearchFilters): Found[] {
    const passing = this.#searched.skills.filter((skill, at) => this.#has(at) && isPassing(skill, filters));
    return passing.map((skill) => ({ skill, score: 0, confidence: 0, explain: () => ['passes the filters'] }));
  }

  #preferChosen(
    ranked: readonly Relevance[],
    request: Request,
    text: string,
    memory: Memory | undefined,
  ): readonly Relevance[] {
    const { skills, index } = this.#searched;
    if (memory === undefined || memory.size === 0) return ranked;
    const namesOf = (document: number): readonly string[] => {
      const skill = skills[document];
      return skill === undefined ? [] : [skill.name, skill.id];
    };
    return preferChosen(ranked, { index: index(), request, text, memory, namesOf });
  }

  #findMatches(query: string, options: SearchOptions, limit: number): Found[] {
    const { skills } = this.#searched;
    const index = this.#searched.index();
    const passes = (at: number): boolean => {
      const skill = skills[at];
      return skill !== undefined && this.#has(at) && isPassing(skill, options);
    };
    const request = readRequest(index, query, this.#isWanted);
    const ranked = rankByRelevance(index, request, passes);
    const preferred = this.#preferChosen(ranked, request, query, options.memory);
    const compare = (a: number, b: number): number => {
      const [one, other] = [skills[a], skills[b]];
      return one === undefined || other === undefined ? 0 : (options.compareNearDuplicates?.(one, other) ?? 0);
    };
    const fold = (some: readonly Relevance[]): readonly Folded[] =>
      foldNearDuplicates(some, index, { limit: Math.max(limit, LEAST_FOLDED), compare });
    const folded = fold(preferred);
    const without = preferred === ranked ? folded : fold(ranked);
    const confidences = keepHigher(folded, without, (some) => confidencesOf(some, request, index));
    const found = new Map<Skill, Found>();
    for (const relevance of folded) {
      const skill = skills[relevance.document];
      if (skill === undefined) continue;
      const [score, confidence] = [RELEVANCE_SHARE * relevance.score, confidences.get(relevance.document) ?? 0];
      found.set(skill, {
        skill,
        score,
        confidence,
        relevance,
        explain: () => [
          ...(relevance.chosen === undefined ? [] : [explainChosen(relevance.chosen.times)]),
          ...explainPlaces(request, relevance.places),
        ],
      });
    }
    for (const [at, { score, rule }] of this.#searched.table().find(query)) {
      const skill = skills[at];
      if (skill === undefined || !passes(at)) continue;
      const known = found.get(skill);
      const confidence = Math.max(score, known?.confidence ?? 0);
      found.set(skill, { ...known, skill, score, confidence, explain: () => [rule] });
    }
    return [...found.values()];
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
  return { skills, index: once(openIndex), table: once(() => openScoreTable(skills)) };
}

/** A match; the reasons are computed only if it is shown. */
interface Found {
  readonly skill: Skill;
  readonly score: number;
  readonly confidence: number;
  readonly explain: () => readonly string[];
  readonly relevance?: Folded;
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
