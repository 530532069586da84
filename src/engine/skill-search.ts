import { dirname } from 'node:path';

import type { Catalog } from '../catalog/catalog.ts';
import { readBody } from '../catalog/read-body.ts';
import { isModelVisible, isUsable } from '../catalog/view.ts';
import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { breathe } from '../platform/clock.ts';
import { cacheFile, removeOldCaches } from '../platform/files/cache-file.ts';
import { readOwnBytes, writeWhole } from '../platform/files/files.ts';
import { openOwnFile, type OpenFile } from '../platform/files/open-file.ts';
import { packageFile } from '../platform/package-file.ts';
import { openGlossary } from '../select/index/glossary.ts';
import { openIndexBuilder, type IndexBuilder } from '../select/index/index-builder.ts';
import { encodeIndex, openIndex } from '../select/index/index-file.ts';
import { EMPTY_INDEX, type SearchIndex } from '../select/index/search-index.ts';
import { SkillRegistry, type SearchOptions, type SkillRelevance, type SkillSearchResult } from '../select/registry.ts';
import type { SkillScope } from './skill-scope.ts';

export interface SkillQuery extends SearchOptions {
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
  /** Called with the number of skills left to read when a first search has many new skills to index. */
  readonly onReading?: ((left: number) => void) | undefined;
}

/** Searches skills and keeps one index of all of them up to date, in memory and in the cache folder. */
export interface SkillSearch {
  /** Results with their reasons, best first. Reads any skill that is not indexed yet. */
  search(scope: SkillScope, query: SkillQuery): Promise<readonly SkillSearchResult[]>;
  /** A registry with every skill of the scope indexed. Searching it is not recorded in the usage history. */
  complete(scope: SkillScope, query?: Pick<SkillQuery, 'view' | 'onReading'>): Promise<SkillRegistry>;
  /**
   * Relevance of the skills of the scope that a model may see, without waiting. If there are thousands of new skills,
   * only their names and descriptions count at first.
   */
  relevanceTo(scope: SkillScope, request: string): ReadonlyMap<Skill, SkillRelevance>;
  /** Saves the index for the next process. A failure to write costs only time. */
  close(): void;
}

const DEFAULT_LIMIT = 10;

export function openSkillSearch(agentHome: string): SkillSearch {
  const index = openIndexKeeper(agentHome);
  const narrow = rememberNarrowed();
  const toOwn = openOwnRecords();
  const complete: SkillSearch['complete'] = async (scope, { view = 'usable', onReading } = {}) =>
    narrow(await index.complete(scope.whole(), onReading), scope, view);
  return {
    complete,
    relevanceTo: (scope, request) =>
      toOwn(scope, narrow(index.registryOf(scope.whole()), scope, 'model').relevanceTo(request)),
    async search(
      scope,
      { query, limit = DEFAULT_LIMIT, order = 'name', view, onReading, isTrial = false, ...options },
    ) {
      const registry = await complete(scope, { view, onReading });
      // Another order may put other skills first, so the limit applies afterwards.
      const found = registry.search(query, options, order === 'name' ? limit : Number.POSITIVE_INFINITY);
      const results = order === 'name' ? found : [...found].sort(byTitle).slice(0, limit);
      if (query.trim() !== '' && !isTrial)
        await scope.usage.record(results.map(({ name }) => ({ skill: name, kind: 'searched' })));
      return results;
    },
    close: () => index.close(),
  };
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

interface IndexKeeper {
  registryOf(catalog: Catalog): SkillRegistry;
  complete(catalog: Catalog, onReading?: (left: number) => void): Promise<SkillRegistry>;
  close(): void;
}

/** Up to this many new skills are indexed without yielding; it takes a few tenths of a second. */
const AT_ONCE = 1_000;
/** Yields to other work after this many skills. */
const SLICE = 64;

interface OpenedIndex {
  readonly registry: SkillRegistry;
  /** Skills that still have to be read. */
  readonly pending: Pending | undefined;
}

interface Pending {
  readonly builder: IndexBuilder;
  readonly skills: readonly Skill[];
}

function openIndexKeeper(agentHome: string): IndexKeeper {
  const glossary = openGlossary(() => readOwnBytes(packageFile('data/chinese-english.txt'))?.toString() ?? '');
  const opened = new WeakMap<Catalog, OpenedIndex>();
  let file: OpenFile | undefined;
  let saved: SearchIndex | undefined;
  let index: SearchIndex | undefined;
  let subject = '';

  const open = (catalog: Catalog): OpenedIndex => {
    const known = opened.get(catalog);
    if (known !== undefined) return known;
    const skills = catalog.skills.filter(isUsable);
    subject = subjectOf(skills);
    if (index === undefined) {
      file = openOwnFile(cacheFile(agentHome, 'search', subject));
      index = saved = (file && openIndex(file, ownerOf(subject))) ?? EMPTY_INDEX;
    }
    const builder = openIndexBuilder(index, skills, glossary);
    const isSmall = builder.missing.length <= AT_ONCE;
    if (isSmall) for (const skill of builder.missing) builder.add(skill, readBody(skill));
    index = builder.build();
    const registry = SkillRegistry.withIndex(skills, index);
    const entry = { registry, pending: isSmall ? undefined : { builder, skills } };
    opened.set(catalog, entry);
    return entry;
  };

  return {
    registryOf: (catalog) => open(catalog).registry,
    async complete(catalog, onReading) {
      const { pending, registry } = open(catalog);
      if (pending === undefined) return registry;
      await readPending(pending.builder, onReading);
      index = pending.builder.build();
      const completed = SkillRegistry.withIndex(pending.skills, index);
      opened.set(catalog, { registry: completed, pending: undefined });
      return completed;
    },
    close() {
      if (index !== undefined && index !== saved) {
        writeWhole(cacheFile(agentHome, 'search', subject), encodeIndex(index, ownerOf(subject)));
        removeOldCaches(agentHome, 'search');
        saved = index;
      }
      file?.[Symbol.dispose]();
    },
  };
}

async function readPending(builder: IndexBuilder, onReading?: (left: number) => void): Promise<void> {
  for (const [at, skill] of builder.missing.entries()) {
    builder.add(skill, readBody(skill));
    if (at % SLICE !== 0) continue;
    onReading?.(builder.missing.length - at);
    await breathe();
  }
}

/** Projects with the same skill directories share an index. */
function subjectOf(skills: readonly Skill[]): string {
  return [...new Set(skills.map(({ dir }) => dirname(dir)))].sort().join('\0');
}

/** Raise the second part when the content of the index changes without a release. */
function ownerOf(subject: string): string {
  return `${VERSION}-3 ${subject}`;
}
