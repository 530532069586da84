import type { Catalog } from '../catalog/catalog.ts';
import { narrowCatalog, pinInCatalog, type SkillView } from '../catalog/view.ts';
import type { Usage } from '../usage/usage.ts';

/** The scope of a part of the engine: all skills or those of a view, and the history of the agent that asks. */
export interface SkillScope {
  /** The skills of the scope as of the last scan; the same object until the next one. */
  readonly catalog: () => Catalog;
  /** All skills, for the one search index that every scope shares. */
  readonly whole: () => Catalog;
  readonly usage: Usage;
}

export function wholeScope(catalog: () => Catalog, usage: Usage): SkillScope {
  return { catalog, whole: catalog, usage };
}

/** A scope over fewer skills. The view is asked once for each skill and scan. */
export function narrowScope(scope: SkillScope, view: SkillView): SkillScope {
  return changeCatalog(scope, (catalog) => narrowCatalog(catalog, view));
}

/** A scope in which these skills are pinned. */
export function pinInScope(scope: SkillScope, names: readonly string[]): SkillScope {
  return names.length === 0 ? scope : changeCatalog(scope, (catalog) => pinInCatalog(catalog, names));
}

/** Computes the changed catalog once for each scan. */
function changeCatalog(scope: SkillScope, change: (catalog: Catalog) => Catalog): SkillScope {
  const changed = new WeakMap<Catalog, Catalog>();
  return {
    ...scope,
    catalog() {
      const catalog = scope.catalog();
      const known = changed.get(catalog) ?? change(catalog);
      changed.set(catalog, known);
      return known;
    },
  };
}
