import { compareMaintained } from '../catalog/maintained.ts';
import { isModelVisible } from '../catalog/view.ts';
import { checkCall, aNumber, aBoolean, aFunction, aWordOf, optionsOf, aString } from '../model/check-arguments.ts';
import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import {
  SEARCH_KINDS,
  type SearchOptions,
  type SkillRegistry,
  type SkillRelevance,
  type SkillSearchResult,
} from '../select/registry.ts';
import type { Memory } from '../usage/usage-store.ts';
import { IndexKeeper } from './searching/index-keeper.ts';
import type { SearchGap, SecondOpinions } from './searching/second-opinions.ts';
import type { Scan, SkillScope } from './skill-scope.ts';

export interface SkillQuery extends Omit<SearchOptions, 'memory' | 'compareNearDuplicates'> {
  /** A name, a tag, or a request in plain words. Empty lists every skill that passes the filters. */
  readonly query: string;
  /** Maximum number of results. Default: 10. */
  readonly limit?: number | undefined;
  /** Search every usable skill, or only those that a model may see. Default: `usable`. */
  readonly view?: 'usable' | 'model' | undefined;
  /** Breaks ties between equal scores. Default: `name`. */
  readonly order?: 'name' | 'title' | undefined;
  /** Whether the history records what was found. Default: true. */
  readonly recordUse?: boolean | undefined;
  /** Called with the number of skills left to read, again and again while hundreds of new skills are indexed. */
  readonly onReading?: ((left: number) => void) | undefined;
}

const QUERY = optionsOf<SkillQuery>(
  {
    ...SEARCH_KINDS,
    query: aString,
    limit: aNumber,
    view: aWordOf(['usable', 'model']),
    order: aWordOf(['name', 'title']),
    recordUse: aBoolean,
    onReading: aFunction,
  },
  ['query'],
);

/** Results, best first. */
export interface SkillSearchResults extends ReadonlyArray<SkillSearchResult> {
  /** Opinions missing from the ranking, with the reason; absent if complete. */
  readonly partial?: readonly SearchGap[];
  /** The skill with exactly the name that was asked for, if it cannot be used; absent if the view is that of a model. */
  readonly unusable?: UnusableSkill;
}

export type UnusableSkill = Pick<Skill, 'name' | 'status' | 'reasons' | 'next'>;

/** Searches skills and keeps one index of all of them up to date, in memory and in the cache folder. */
export interface SkillSearch {
  /** Results with their reasons, best first. Reads any skill that is not indexed yet. */
  search(scope: SkillScope, query: string | SkillQuery): Promise<SkillSearchResults>;
  /** A registry with every skill of the scope indexed. Searching it is not recorded in the usage history. */
  complete(scope: SkillScope, query?: Pick<SkillQuery, 'view'>): Promise<SkillRegistry>;
  /** Relevance of the skills of a scan that a model may see. */
  relevanceTo(scan: Scan, request: string, memory?: Memory): Promise<ReadonlyMap<Skill, SkillRelevance>>;
  /** Saves the index for the next process. A failure to write costs only time. */
  close(): Promise<void>;
}

const DEFAULT_LIMIT = 10;

/** Without opinions of models, words alone decide. */
export function openSkillSearch(agentHome: string, opinions?: SecondOpinions): SkillSearch {
  const index = new IndexKeeper(agentHome);
  const openRegistry = async (
    scan: Scan,
    { view = 'usable', onReading }: Pick<SkillQuery, 'view' | 'onReading'>,
  ): Promise<SkillRegistry> => narrowRegistry(await index.registryOf(scan.whole, onReading), scan, view);
  return {
    complete: (scope, query = {}) => openRegistry(scope.scan(), query),
    async relevanceTo(scan, request, memory) {
      const registry = await openRegistry(scan, { view: 'model' });
      return toOwn(scan, registry.relevanceTo(request, memory));
    },
    async search(scope, given) {
      const asked = typeof given === 'string' ? { query: given } : given;
      checkCall('search(query)', { query: [asked, QUERY] });
      const { query, limit = DEFAULT_LIMIT, order = 'name', recordUse = true } = asked;
      const { tags, domain, source, withParts } = asked;
      const scan = scope.scan();
      const registry = await openRegistry(scan, asked);
      const isRequest = query.trim() !== '';
      const embeddings = opinions === undefined ? undefined : scan.whole.reading.config.ranking.embeddings;
      const depth = isRequest ? Math.max(limit, opinions?.depth(embeddings) ?? 0) : limit;
      const memory = await scope.usage.preferredFor(query);
      const lastUsed = await scope.usage.lastUsed(
        scan.catalog.skills.map(({ name }) => name),
        { skipImport: true },
      );
      const found = registry.search(
        query,
        { tags, domain, source, withParts, memory, compareNearDuplicates: compareMaintained(lastUsed) },
        // Another order may put other skills first, so the limit applies afterwards.
        order === 'name' ? depth : Number.POSITIVE_INFINITY,
      );
      const best = order === 'name' ? found : [...found].sort(byTitle).slice(0, depth);
      const opinion = isRequest ? await opinions?.order(query, best, embeddings) : undefined;
      const results = (opinion?.results ?? best).slice(0, limit);
      if (isRequest && recordUse) {
        await scope.usage.record(results.map(({ name }) => ({ skill: name, kind: 'searched' })));
        await scope.usage.noteRequest(query);
      }
      const partial = opinion?.gaps ?? [];
      const unusable = asked.view === 'model' ? undefined : findUnusable(scan.catalog.skills, query);
      return Object.assign(results, partial.length > 0 && { partial }, unusable && { unusable });
    },
    async close() {
      opinions?.close();
      await index.close();
    },
  };
}

/** Undefined if another copy of this name can be used. */
function findUnusable(skills: readonly Skill[], query: string): UnusableSkill | undefined {
  const asked = query.trim().toLowerCase();
  const namesakes = skills.filter(({ name, id }) => name.toLowerCase() === asked || id.toLowerCase() === asked);
  const [skill] = namesakes;
  if (skill === undefined || namesakes.some(({ status }) => status === 'enabled')) return undefined;
  const { name, status, reasons, next } = skill;
  return { name, status, reasons, ...(next !== undefined && { next }) };
}

type ViewName = NonNullable<SkillQuery['view']>;

function narrowRegistry(registry: SkillRegistry, { catalog, whole }: Scan, view: ViewName): SkillRegistry {
  const visible = view === 'model' ? registry.only(isModelVisible) : registry;
  if (catalog === whole) return visible;
  const seen = new Set(catalog.skills.map(({ file }) => file));
  return visible.only(({ file }) => seen.has(file));
}

/** Replaces the skills of the index by those of the scope, which may differ in what is pinned. */
function toOwn<T>({ catalog, whole }: Scan, found: ReadonlyMap<Skill, T>): ReadonlyMap<Skill, T> {
  if (catalog === whole) return found;
  const byFile = new Map(catalog.skills.map((skill) => [skill.file, skill]));
  return new Map([...found].map(([skill, relevance]) => [byFile.get(skill.file) ?? skill, relevance]));
}

function byTitle(a: SkillSearchResult, b: SkillSearchResult): number {
  return b.score - a.score || compareText(a.title, b.title) || compareText(a.id, b.id);
}
