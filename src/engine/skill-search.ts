import type { Catalog } from '../catalog/catalog.ts';
import { compareMaintained } from '../catalog/maintained.ts';
import { isModelVisible } from '../catalog/view.ts';
import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import type { SearchOptions, SkillRegistry, SkillRelevance, SkillSearchResult } from '../select/registry.ts';
import { toPlainSkill } from '../sources/cached-skill.ts';
import type { Memory } from '../usage/usage-store.ts';
import { IndexKeeper } from './searching/index-keeper.ts';
import type { SearchGap, SecondOpinions } from './searching/second-opinions.ts';
import type { SkillScope } from './skill-scope.ts';

export interface SkillQuery extends Omit<SearchOptions, 'memory' | 'compareTwins'> {
  /** A name, a tag, or a request in plain words. Empty lists every skill that passes the filters. */
  readonly query: string;
  /** Maximum number of results. Default: 10. */
  readonly limit?: number | undefined;
  /** Search every usable skill, or only those that a model may see. Default: `usable`. */
  readonly view?: 'usable' | 'model' | undefined;
  /** Breaks ties between equal scores. Default: `name`. */
  readonly order?: 'name' | 'title' | undefined;
  /** A look around: what was found is not recorded in the history of use. */
  readonly isTrial?: boolean | undefined;
  /** Called with the number of skills left to read, again and again while thousands of new skills are indexed. */
  readonly onReading?: ((left: number) => void) | undefined;
  /**
   * If thousands of skills are new: wait until their instructions are read (`true`), or answer at once by names and
   * descriptions while they are read in the background (`false`). By default, the search that begins to read them waits, and
   * a search that is asked meanwhile does not, also if another process reads them.
   */
  readonly wait?: boolean | undefined;
}

/** Results, best first. */
export interface SkillSearchResults extends ReadonlyArray<SkillSearchResult> {
  /** Absent if everything that could count for the order did; else what is missing, and why. */
  readonly partial?: readonly SearchGap[];
}

/** Searches skills and keeps one index of all of them up to date, in memory and in the cache folder. */
export interface SkillSearch {
  /** Results with their reasons, best first. Reads any skill that is not indexed yet. */
  search(scope: SkillScope, query: SkillQuery): Promise<SkillSearchResults>;
  /** A registry with every skill of the scope indexed. Searching it is not recorded in the usage history. */
  complete(scope: SkillScope, query?: Pick<SkillQuery, 'view'>): Promise<SkillRegistry>;
  /**
   * Relevance of the skills of the scope that a model may see, without waiting. If there are thousands of new skills,
   * only their names and descriptions count at first.
   */
  relevanceTo(scope: SkillScope, request: string, memory?: Memory): ReadonlyMap<Skill, SkillRelevance>;
  /** Ends reading in the background, and saves the index for the next process. A failure to write costs only time. */
  close(): Promise<void>;
}

const DEFAULT_LIMIT = 10;

/** Without opinions of models, words alone decide. */
export function openSkillSearch(agentHome: string, opinions?: SecondOpinions): SkillSearch {
  const index = new IndexKeeper(agentHome);
  const narrow = rememberNarrowed();
  const toOwn = openOwnRecords();
  return {
    complete: async (scope, { view = 'usable' } = {}) =>
      narrow((await index.answer(scope.whole(), { wait: true })).registry, scope, view),
    relevanceTo: (scope, request, memory) =>
      toOwn(scope, toPlain(narrow(index.registryOf(scope.whole()), scope, 'model').relevanceTo(request, memory))),
    async search(scope, asked) {
      const { query, limit = DEFAULT_LIMIT, order = 'name', view = 'usable', isTrial = false } = asked;
      const { onReading, wait, ...options } = asked;
      const { registry, gap } = await index.answer(scope.whole(), { onReading, wait });
      const searched = narrow(registry, scope, view);
      const isRequest = query.trim() !== '';
      const depth = isRequest ? Math.max(limit, (await opinions?.depth(scope.whole())) ?? 0) : limit;
      const memory = await scope.usage.preferredFor(query);
      // Another order may put other skills first, so the limit applies afterwards.
      const most = order === 'name' ? depth : Number.POSITIVE_INFINITY;
      const searchWith = (more: SearchOptions): readonly SkillSearchResult[] =>
        searched.search(query, { ...pickSearch(options), memory, ...more }, most);
      const first = searchWith({});
      // Lazy: few results have twins, and the history need not be read for the others.
      const names = first.flatMap(({ name, twins }) => (twins === undefined ? [] : [name, ...twins]));
      const lastUsed = names.length === 0 ? undefined : await scope.usage.lastUsed(names, { skipImport: true });
      const found = lastUsed === undefined ? first : searchWith({ compareTwins: compareMaintained(lastUsed) });
      const best = order === 'name' ? found : [...found].sort(byTitle).slice(0, depth);
      const opinion = isRequest ? await opinions?.order(query, best, scope.whole()) : undefined;
      const results = (opinion?.results ?? best).slice(0, limit);
      if (isRequest && !isTrial) {
        await scope.usage.record(results.map(({ name }) => ({ skill: name, kind: 'searched' })));
        await scope.usage.noteRequest(query);
      }
      const unread = gap === undefined ? [] : [{ missing: 'instructions', reason: gap } as const];
      const partial = [...unread, ...(opinion?.gaps ?? [])];
      return partial.length === 0 ? results : Object.assign(results, { partial });
    },
    async close() {
      opinions?.close();
      await index.close();
    },
  };
}

function pickSearch({ tags, domain, source, withParts }: SearchOptions): SearchOptions {
  return { tags, domain, source, withParts };
}

/** Callers compare the skills with those of the catalog. */
function toPlain<T>(found: ReadonlyMap<Skill, T>): ReadonlyMap<Skill, T> {
  return new Map([...found].map(([skill, relevance]) => [toPlainSkill(skill), relevance]));
}

type ViewName = NonNullable<SkillQuery['view']>;

/** Narrows a registry to a scope and a view, once for each scan. */
function rememberNarrowed(): (whole: SkillRegistry, scope: SkillScope, view: ViewName) => SkillRegistry {
  const narrowed = new WeakMap<SkillRegistry, WeakMap<Catalog, Map<ViewName, SkillRegistry>>>();
  return (whole, scope, view) => {
    const catalog = scope.catalog();
    const byCatalog = narrowed.get(whole) ?? new WeakMap<Catalog, Map<ViewName, SkillRegistry>>();
    narrowed.set(whole, byCatalog);
    const byView = byCatalog.get(catalog) ?? new Map<ViewName, SkillRegistry>();
    byCatalog.set(catalog, byView);
    const known = byView.get(view) ?? narrowRegistry(whole, scope, view);
    byView.set(view, known);
    return known;
  };
}

function narrowRegistry(whole: SkillRegistry, scope: SkillScope, view: ViewName): SkillRegistry {
  const catalog = scope.catalog();
  const visible = view === 'model' ? whole.only(isModelVisible) : whole;
  if (catalog === scope.whole()) return visible;
  const seen = new Set(catalog.skills.map(({ file }) => file));
  return visible.only(({ file }) => seen.has(file));
}

/** Replaces the skills of the index by those of a scope, which may differ in what is pinned. */
function openOwnRecords(): <T>(scope: SkillScope, found: ReadonlyMap<Skill, T>) => ReadonlyMap<Skill, T> {
  const records = new WeakMap<Catalog, ReadonlyMap<string, Skill>>();
  return (scope, found) => {
    const catalog = scope.catalog();
    if (catalog === scope.whole()) return found;
    const byFile = records.get(catalog) ?? new Map(catalog.skills.map((skill) => [skill.file, skill]));
    records.set(catalog, byFile);
    return new Map([...found].map(([skill, relevance]) => [byFile.get(skill.file) ?? skill, relevance]));
  };
}

function byTitle(a: SkillSearchResult, b: SkillSearchResult): number {
  return b.score - a.score || compareText(a.title, b.title) || compareText(a.id, b.id);
}
