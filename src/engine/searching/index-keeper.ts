import { dirname } from 'node:path';

import type { Catalog } from '../../catalog/catalog.ts';
import { readBody } from '../../catalog/read-body.ts';
import { isUsable } from '../../catalog/view.ts';
import type { Skill } from '../../model/skill.ts';
import { VERSION } from '../../model/version.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';
import { cacheFile, removeOldCaches } from '../../platform/files/cache-file.ts';
import { readOwnBytes } from '../../platform/files/files.ts';
import { replaceFile } from '../../platform/files/replace-file.ts';
import { decodeIndex, encodeIndex } from '../../select/index/index-file.ts';
import { EMPTY_INDEX, openIndexBuilder, type SearchIndex } from '../../select/index/search-index.ts';
import { SkillRegistry } from '../../select/registry.ts';
import { openPackageGlossary } from './package-glossary.ts';

/** Called with the number of skills that are left to read. */
type ReadingListener = (left: number) => void;

/** From this many new skills on, callers get progress, and the index is saved immediately. */
const MANY = 500;
/** Reading yields to other work after this many skills. */
const SLICE = 16;

/** The registry of a scan, as soon as every skill of it is indexed. */
interface Build {
  readonly registry: Promise<SkillRegistry>;
  readonly listeners: Set<ReadingListener>;
}

/** Keeps one search index up to date, in memory and in the cache folder. */
export class IndexKeeper {
  readonly #agentHome: string;
  readonly #glossary = openPackageGlossary();
  readonly #builds = new WeakMap<Catalog, Build>();
  /** Indexes are built one after the other, each upon the last. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #index: SearchIndex | undefined;
  #saved: SearchIndex | undefined;
  #subject = '';

  constructor(agentHome: string) {
    this.#agentHome = agentHome;
  }

  /**
   * A registry of all usable skills of a scan. New skills are indexed first, without blocking other work of this
   * process.
   */
  async registryOf(catalog: Catalog, onReading: ReadingListener = () => undefined): Promise<SkillRegistry> {
    const build = this.#builds.get(catalog) ?? this.#begin(catalog);
    build.listeners.add(onReading);
    try {
      return await build.registry;
    } finally {
      build.listeners.delete(onReading);
    }
  }

  /** Ends the reading of many skills, and saves the index for the next process. A failure to write costs only time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    this.#save();
  }

  #begin(catalog: Catalog): Build {
    const listeners = new Set<ReadingListener>();
    const onReading = (left: number): void => {
      for (const listener of listeners) listener(left);
    };
    const registry = this.#last.then(() => this.#build(catalog, onReading));
    this.#last = registry.catch(() => undefined);
    const build = { registry, listeners };
    this.#builds.set(catalog, build);
    return build;
  }

  async #build(catalog: Catalog, onReading: ReadingListener): Promise<SkillRegistry> {
    const skills = catalog.skills.filter(isUsable);
    this.#subject = subjectOf(skills);
    this.#index ??= this.#saved = this.#read();
    const builder = openIndexBuilder(this.#index, skills, this.#glossary);
    const { missing } = builder;
    const isLong = missing.length > MANY;
    for (const [at, skill] of missing.entries()) {
      if (at % SLICE === 0) {
        if (isLong) onReading(missing.length - at);
        if (at > 0) await yieldToEventLoop();
        if (isLong && this.#isClosed) throw new Error('the skills were closed before all of them were indexed');
      }
      builder.add(skill, readBody(skill, catalog));
    }
    this.#index = builder.build();
    if (isLong) {
      onReading(0);
      this.#save();
    }
    return SkillRegistry.withIndex(skills, this.#index);
  }

  #read(): SearchIndex {
    const bytes = readOwnBytes(this.#file());
    return (bytes && decodeIndex(bytes, ownerOf(this.#subject))) ?? EMPTY_INDEX;
  }

  #save(): void {
    if (this.#index === undefined || this.#index === this.#saved) return;
    replaceFile(this.#file(), encodeIndex(this.#index, ownerOf(this.#subject)), { isPrivate: true });
    removeOldCaches(this.#agentHome, 'search');
    this.#saved = this.#index;
  }

  #file(): string {
    return cacheFile(this.#agentHome, 'search', this.#subject);
  }
}

/** Projects with the same skill directories share an index. */
function subjectOf(skills: readonly Skill[]): string {
  return [...new Set(skills.map(({ dir }) => dirname(dir)))].sort().join('\0');
}

/** Raise the second part when the content of the index changes without a release. */
function ownerOf(subject: string): string {
  return `${VERSION}-6 ${subject}`;
}
