import type { Diagnostic } from '../model/diagnostic.ts';
import type { SourceRoot } from '../model/source.ts';
import type { ReadingThreads } from './read-on-threads.ts';
import { realDirOf, scanRoot, type FoundSkill, type RefusedLink } from './scan.ts';
import { openSkillCache, type SkillCache } from './skill-cache.ts';
import { expandTree } from './tree.ts';

export interface SourcesScan {
  /** In the order of the roots, then by directory name. */
  readonly found: readonly FoundSkill[];
  /** The directories that were scanned. A tree is replaced by the folders found in it. */
  readonly roots: readonly SourceRoot[];
  /** Folders where a new skill or root could appear. */
  readonly folders: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Scans all sources, as often as needed. Unchanged files are not read again. */
export interface SourceScanner {
  scan(roots: readonly SourceRoot[]): Promise<SourcesScan>;
  /** Saves the cache for the next process. */
  save(): void;
}

export interface ScannerOptions {
  readonly agentHome: string;
  readonly userId: number | undefined;
  readonly threads?: ReadingThreads;
}

export function openScanner({ agentHome, userId, threads }: ScannerOptions): SourceScanner {
  const caches = new Map<string, SkillCache>();
  const cacheOf = (path: string): SkillCache => {
    const cache = caches.get(path) ?? openSkillCache(agentHome, path);
    caches.set(path, cache);
    return cache;
  };
  return {
    async scan(sources) {
      const trees = sources.map((root) =>
        root.layout === 'tree' ? expandTree(root) : { roots: [root], folders: [root.path], diagnostics: [] },
      );
      const roots = trees.flatMap((tree) => tree.roots);
      const scans = [];
      for (const root of roots) scans.push(await scanRoot(root, { cache: cacheOf(root.path), userId, threads }));
      const found = scans.flatMap((scan) => scan.found);
      const links = reportLinks(
        scans.flatMap((scan) => scan.refusedLinks),
        found,
      );
      const diagnostics = [...trees, ...scans].flatMap((part) => part.diagnostics);
      const folders = [...trees.flatMap((tree) => tree.folders), ...roots.map((root) => root.path)];
      return { found, roots, folders, diagnostics: [...diagnostics, ...links] };
    },
    save() {
      for (const cache of caches.values()) cache.save();
    },
  };
}

/** A refused link needs no report if its target was found in its own place. */
function reportLinks(links: readonly RefusedLink[], found: readonly FoundSkill[]): readonly Diagnostic[] {
  if (links.length === 0) return [];
  const places = new Set(found.map(realDirOf));
  return links
    .filter(({ target }) => target === undefined || !places.has(target))
    .map(({ path, target }) => ({
      code: 'LINK_REFUSED',
      severity: 'warning',
      path,
      message:
        target === undefined
          ? 'the link leads nowhere'
          : `the link leads out of its folder, to ${target}; it is not followed`,
    }));
}
