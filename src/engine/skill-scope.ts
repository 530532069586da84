import { addWritten, type Catalog } from '../catalog/catalog.ts';
import { isModelVisible, narrowCatalog, pinInCatalog, type SkillView } from '../catalog/view.ts';
import { once } from '../model/once.ts';
import type { SourceRoot } from '../model/source.ts';
import { openTriggers, type TriggerMatcher } from '../select/triggers.ts';
import type { Usage } from '../usage/usage.ts';

/** One scan as a scope sees it, and what is computed of it once. */
export interface Scan {
  /** The skills of the scope. */
  readonly catalog: Catalog;
  /** All skills, for the one search index that every scope shares. */
  readonly whole: Catalog;
  /** The triggers of the skills that a model may see. */
  readonly triggers: () => TriggerMatcher;
}

/** The skills that there are for a caller, all or those of a view, and the caller's history. Every part of the engine is built from one. */
export interface SkillScope {
  /** The last scan; the same object until the next one. */
  readonly scan: () => Scan;
  readonly catalog: () => Catalog;
  readonly usage: Usage;
}

export function wholeScope({ catalog, usage }: WholeSkills): SkillScope {
  const scan = perScan(catalog, (whole) => toScan(whole, whole));
  return toScope(scan, usage);
}

/** An opened engine is one. */
interface WholeSkills {
  readonly catalog: () => Catalog;
  readonly usage: Usage;
}

/** A scope over fewer skills. The view is asked once for each skill and scan. */
export function narrowScope({ scan, usage }: SkillScope, view: SkillView): SkillScope {
  const narrowed = perScan(scan, (before) => toScan(narrowCatalog(before.catalog, view), before.whole));
  const names = (): ReadonlySet<string> => new Set(narrowed().catalog.skills.map(({ name }) => name));
  return toScope(narrowed, usage.only(names));
}

/** A scope in which these skills are pinned. */
export function pinInScope(scope: SkillScope, names: readonly string[]): SkillScope {
  if (names.length === 0) return scope;
  const pinned = perScan(scope.scan, (before) => toScan(pinInCatalog(before.catalog, names), before.whole));
  return toScope(pinned, scope.usage);
}

/** A scope that includes the skills in its agent's own folder. */
export function addFolderToScope(scope: SkillScope, root: SourceRoot, written: () => Catalog): SkillScope {
  const { scan } = scope;
  // If the folder is empty, the shared search index is used.
  const add = perScan(scan, (before) =>
    perScan(written, (own) => {
      const catalog = addWritten(before.catalog, own, root);
      return toScan(catalog, own.skills.length === 0 ? before.whole : addWritten(before.whole, own, root));
    }),
  );
  const added = (): Scan => add()();
  const names = (): ReadonlySet<string> => new Set(added().catalog.skills.map(({ name }) => name));
  return toScope(added, scope.usage.only(names));
}

function toScope(scan: () => Scan, usage: Usage): SkillScope {
  return { scan, catalog: () => scan().catalog, usage };
}

function toScan(catalog: Catalog, whole: Catalog): Scan {
  return { catalog, whole, triggers: once(() => openTriggers(catalog.skills.filter(isModelVisible))) };
}

/** Computes anew with each scan. */
export function perScan<Before, After>(last: () => Before, compute: (before: Before) => After): () => After {
  let known: { readonly before: Before; readonly after: After } | undefined;
  return () => {
    const before = last();
    if (known === undefined || known.before !== before) known = { before, after: compute(before) };
    return known.after;
  };
}
