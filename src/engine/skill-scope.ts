import type { Catalog } from '../catalog/catalog.ts';
import { narrowCatalog, type SkillView } from '../catalog/view.ts';

/** The skills that a part of the engine works on: all of them, or those of a view. */
export interface SkillScope {
  /** The skills of the scope as of the last scan; the same object until the next one. */
  readonly catalog: () => Catalog;
  /** All skills, for the one search index that every scope shares. */
  readonly whole: () => Catalog;
}

export function wholeScope(catalog: () => Catalog): SkillScope {
  return { catalog, whole: catalog };
}

/** A scope over fewer skills. The view is asked once for each skill and scan. */
export function narrowScope(scope: SkillScope, view: SkillView): SkillScope {
  const narrowed = new WeakMap<Catalog, Catalog>();
  return {
    whole: scope.whole,
    catalog() {
      const catalog = scope.catalog();
      const known = narrowed.get(catalog) ?? narrowCatalog(catalog, view);
      narrowed.set(catalog, known);
      return known;
    },
  };
}
