import { listCopies, type Catalog } from '../catalog/catalog.ts';
import type { CatalogChange } from '../catalog/difference.ts';
import { findSkill } from '../catalog/find.ts';
import { SkillStore, type StoreWatch, type WatchOptions } from '../catalog/store.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import type { SearchFilters, SearchResult, SkillRegistry } from '../select/registry.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import type { Usage } from '../usage/usage.ts';
import { openSkillMatch, type SkillMatches, type SkillMatchOptions } from './skill-match.ts';
import { openSkillSearch } from './skill-search.ts';
import { openSkillUsage, reportSkillUsage, type UsageQuery } from './skill-usage.ts';

/** All of Skillplane over one person's and project's skills. */
export interface Skills extends AsyncDisposable {
  readonly environment: Environment;
  /** The merged view as of the last look. */
  catalog(): Catalog;
  /** Every copy there is, the shadowed ones too, sorted by name, then source. */
  copies(): readonly Skill[];
  /** A skill by name, id, or a unique spelling that differs in case. */
  find(name: string): Outcome<{ readonly skill: Skill }>;
  /** The usable skills that serve a query best, each with its reasons. */
  search(query: string, filters?: SearchFilters, limit?: number): readonly SearchResult[];
  /** What finds the usable skills as of the last look; what it is asked is not remembered as usage. */
  registry(): SkillRegistry;
  /** The skills that a message activates by their triggers, or by files that it touches, each with its reasons. */
  match(message: string, options?: SkillMatchOptions): Promise<SkillMatches>;
  /**
   * Reads the instructions of all skills for searching. Without it a first search over thousands of new skills knows
   * their names and descriptions alone, so that nobody waits. `onRead` hears how many are left.
   */
  completeSearch(onRead?: (left: number) => void): Promise<void>;
  /** What was used, when and by whom. */
  readonly usage: Usage;
  /** What everybody used in a period, and what nobody did; undefined where no history is kept. */
  usageReport(query?: UsageQuery): Promise<Outcome<{ readonly report: UsageReport | undefined }>>;
  /** Looks again, and says what is different. */
  refresh(): Promise<CatalogChange>;
  /** Calls `listener` when skills are added, changed or removed on disk, until closed. */
  watch(listener: (change: CatalogChange) => void, options?: WatchOptions): Promise<StoreWatch>;
}

/** Opens everything together: finds and reads every skill of this machine and project. */
export async function openSkills(options: EnvironmentOptions = {}): Promise<Skills> {
  const environment = readEnvironment(options);
  const store = new SkillStore({ environment });
  const first = await store.loadAll();
  const catalog = (): Catalog => store.catalog ?? first;
  const search = openSkillSearch(environment.agentHome);
  const usage = openSkillUsage(environment);
  const match = openSkillMatch({ search, usage });
  return {
    environment,
    catalog,
    copies: () => listCopies(catalog()),
    find: (name) => findSkill(catalog().skills, name),
    search(query, filters, limit) {
      const results = search.registryOf(catalog()).search(query, filters, limit);
      if (query.trim() !== '') void usage.record(results.map(({ name }) => ({ skill: name, kind: 'searched' })));
      return results;
    },
    registry: () => search.registryOf(catalog()),
    match: (message, matchOptions) => match(catalog(), message, matchOptions),
    completeSearch: (onRead) => search.complete(catalog(), onRead),
    usage,
    usageReport: (query = {}) => reportSkillUsage(usage, catalog(), query),
    refresh: () => store.refresh(),
    watch: (listener, watchOptions) => store.watch(listener, watchOptions),
    async [Symbol.asyncDispose]() {
      store.save();
      search.save();
      await usage.close();
    },
  };
}
