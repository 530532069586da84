import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { finishPendingChanges, hasPendingChanges } from '../platform/files/pending-changes.ts';
import { listCopies, type Catalog } from './catalog.ts';
import type { CatalogChange } from './difference.ts';
import { findInCatalog } from './off-sources.ts';
import { SkillStore, type StoreWatch, type WatchOptions } from './store.ts';

/** Lists every skill of this machine and project. */
export interface SkillCatalog extends AsyncDisposable {
  readonly environment: Environment;
  /** The merged view as of the last scan. */
  readonly catalog: () => Catalog;
  /** Every copy, including shadowed ones, sorted by name, then source. */
  copies(): readonly Skill[];
  /** A skill by name, id, or a unique spelling that differs in case. */
  find(name: string): Outcome<{ readonly skill: Skill }>;
  /** Scans again and returns the difference. */
  refresh(): Promise<CatalogChange>;
  /**
   * Scans again if a skill was added or removed, or the configuration changed; otherwise costs no more than a look at the
   * folders. Misses changes inside the folder of a skill, which `refresh` sees.
   */
  refreshIfChanged(): Promise<void>;
  /** Calls `listener` when skills are added, changed or removed on disk, until closed. */
  watch(listener: (change: CatalogChange) => void, options?: WatchOptions): Promise<StoreWatch>;
}

export interface PoolOptions extends EnvironmentOptions {
  /** Only the skills of these directories, `<dir>/<skill>/SKILL.md`; of two with one name, the first counts. */
  readonly dirs?: readonly string[] | undefined;
}

/** Finds and reads every skill. Enough for callers that only list. */
export async function openCatalog({ dirs, ...options }: PoolOptions = {}): Promise<SkillCatalog> {
  const environment = readEnvironment(options);
  // Finishes an installation that was killed halfway.
  if (hasPendingChanges(environment.agentHome)) await finishPendingChanges(environment.agentHome);
  const store = dirs === undefined ? new SkillStore({ environment }) : SkillStore.over(dirs, options);
  const first = await store.loadAll();
  const catalog = (): Catalog => store.catalog ?? first;
  return {
    environment,
    catalog,
    copies: () => listCopies(catalog()),
    find: (name) => findInCatalog(catalog(), name),
    refresh: () => store.refresh(),
    refreshIfChanged: () => store.refreshIfChanged(),
    watch: (listener, watchOptions) => store.watch(listener, watchOptions),
    async [Symbol.asyncDispose]() {
      store.save();
    },
  };
}
