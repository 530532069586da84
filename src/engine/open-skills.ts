import { listCopies, type Catalog } from '../catalog/catalog.ts';
import type { CatalogChange } from '../catalog/difference.ts';
import { findSkill } from '../catalog/find.ts';
import { SkillStore, type StoreWatch, type WatchOptions } from '../catalog/store.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import type { SearchDocument } from '../select/document.ts';
import { SkillRegistry, type SearchFilters, type SearchResult } from '../select/registry.ts';
import { fromFile } from '../sources/from-file.ts';

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
  /** Looks again, and says what is different. */
  refresh(): Promise<CatalogChange>;
  /** Calls `listener` when skills are added, changed or removed on disk, until closed. */
  watch(listener: (change: CatalogChange) => void, options?: WatchOptions): Promise<StoreWatch>;
}

/** One registry per look at the skills; what is known of a skill's words outlives it. */
function rememberRegistry(): (catalog: Catalog) => SkillRegistry {
  const registries = new WeakMap<Catalog, SkillRegistry>();
  const documents = new WeakMap<Skill, SearchDocument>();
  return (catalog) => {
    const known = registries.get(catalog);
    if (known !== undefined) return known;
    const skills = catalog.skills.filter((skill) => skill.status === 'enabled');
    const registry = new SkillRegistry({ skills, readBody, documents });
    registries.set(catalog, registry);
    return registry;
  };
}

function readBody({ file }: Skill): string {
  const read = fromFile(file);
  return read.ok ? read.body : '';
}

/** Opens everything together: finds and reads every skill of this machine and project. */
export async function openSkills(options: EnvironmentOptions = {}): Promise<Skills> {
  const environment = readEnvironment(options);
  const store = new SkillStore({ environment });
  const first = await store.loadAll();
  const catalog = (): Catalog => store.catalog ?? first;
  const openRegistry = rememberRegistry();
  return {
    environment,
    catalog,
    copies: () => listCopies(catalog()),
    find: (name) => findSkill(catalog().skills, name),
    search: (query, filters, limit) => openRegistry(catalog()).search(query, filters, limit),
    refresh: () => store.refresh(),
    watch: (listener, watchOptions) => store.watch(listener, watchOptions),
    async [Symbol.asyncDispose]() {
      store.save();
    },
  };
}
