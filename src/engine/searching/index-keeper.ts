import { dirname } from 'node:path';

import type { Catalog } from '../../catalog/catalog.ts';
import { readBody } from '../../catalog/read-body.ts';
import { isUsable } from '../../catalog/view.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import type { SourceRoot } from '../../model/source.ts';
import { VERSION } from '../../model/version.ts';
import { cacheFile, removeOldCaches } from '../../platform/files/cache-file.ts';
import { withLock } from '../../platform/files/lock.ts';
import { openOwnFile, type OpenFile } from '../../platform/files/open-file.ts';
import { writeWhole } from '../../platform/files/write-file.ts';
import { openIndexBuilder, type IndexBuilder } from '../../select/building/index-builder.ts';
import { encodeIndexInPieces, openIndex } from '../../select/index/index-file.ts';
import { EMPTY_INDEX, type SearchIndex } from '../../select/index/search-index.ts';
import { SkillRegistry } from '../../select/registry.ts';
import { openPackageGlossary } from './package-glossary.ts';

export interface IndexQuestion {
  readonly wait?: boolean | undefined;
  readonly onReading?: ((left: number) => void) | undefined;
}

export interface IndexAnswer {
  readonly registry: SkillRegistry;
  /** Present if the instructions of new skills do not count yet: why. */
  readonly gap?: string;
}

/** Up to this many new skills are indexed without yielding; it takes a few tenths of a second. */
const AT_ONCE = 1_000;
/** Longer than any other process takes to read skills. */
const PATIENCE_MS = 600_000;

/** The index of one scan. */
interface Entry {
  readonly skills: readonly Skill[];
  /** Until the instructions are read, it knows names and descriptions. */
  registry: SkillRegistry | undefined;
  /** Knows which skills still have to be read; undefined if none. */
  builder: IndexBuilder | undefined;
  reading: Reading | undefined;
}

/** The instructions of many skills are being read. */
interface Reading {
  /** `held`: another process reads them. */
  readonly ending: Promise<'read' | 'held'>;
  readonly listeners: Set<(left: number) => void>;
}

/** An index and the file that it reads from; without a file, it is empty. */
interface SavedIndex {
  readonly index: SearchIndex;
  readonly file: OpenFile | undefined;
}

/** Keeps one search index up to date, in memory and in the cache folder. */
export class IndexKeeper {
  readonly #agentHome: string;
  readonly #glossary = openPackageGlossary();
  readonly #entries = new WeakMap<Catalog, Entry>();
  readonly #readings = new Set<Reading>();
  readonly #closing = new AbortController();
  /** Closes the files that registries may still read from. */
  readonly #closers = new Set<() => void>();
  /** Nothing tells when a scan and its registry are no longer used, except that nothing can reach their file. */
  readonly #unreachable = new FinalizationRegistry<() => void>((close) => this.#close(close));
  #saved: SearchIndex | undefined;
  #index: SearchIndex | undefined;
  #subject = '';

  constructor(agentHome: string) {
    this.#agentHome = agentHome;
  }

  /** Without waiting. If there are thousands of new skills, only their names and descriptions count at first. */
  registryOf(catalog: Catalog): SkillRegistry {
    return registryOf(this.#open(catalog));
  }

  /** The whole index, or what is known by now; see `SkillQuery.wait`. */
  async answer(catalog: Catalog, { wait, onReading = () => undefined }: IndexQuestion = {}): Promise<IndexAnswer> {
    const entry = this.#open(catalog);
    while (entry.builder !== undefined && !this.#closing.signal.aborted) {
      const isFirst = entry.reading === undefined && this.#readings.size === 0;
      const reading = entry.reading ?? this.#begin(entry, wait === true ? PATIENCE_MS : 0);
      if (wait === false || (wait === undefined && !isFirst)) return partialAnswer(registryOf(entry), entry);
      reading.listeners.add(onReading);
      const ending = await reading.ending;
      if (ending === 'held' && wait !== true) return partialAnswer(registryOf(entry), entry, 'another process');
    }
    return { registry: registryOf(entry) };
  }

  /** Ends reading in the background, and saves the index for the next process. A failure to write costs only time. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#readings].map(({ ending }) => ending));
    this.#save();
    for (const close of this.#closers) this.#close(close);
  }

  #open(catalog: Catalog): Entry {
    const known = this.#entries.get(catalog);
    if (known !== undefined) return known;
    const skills = (catalog.quick ?? catalog.skills).filter(isUsable);
    this.#subject = subjectOf(skills, catalog.roots);
    this.#index ??= this.#saved = this.#keep(this.#openFile());
    const builder = openIndexBuilder(this.#index, skills, this.#glossary);
    const entry: Entry = { skills, registry: undefined, builder, reading: undefined };
    this.#entries.set(catalog, entry);
    if (builder.missing.length > AT_ONCE) return entry;
    for (const skill of builder.missing) builder.add(skill, readBody(skill));
    this.#index = builder.build();
    complete(entry, this.#index);
    return entry;
  }

  #begin(entry: Entry, patienceMs: number): Reading {
    const listeners: Reading['listeners'] = new Set();
    const read = (): Promise<void> =>
      this.#read(entry, (left) => {
        for (const listener of listeners) listener(left);
      });
    const ending = this.#readUnderLock(read, patienceMs).finally(() => {
      entry.reading = undefined;
      this.#readings.delete(reading);
    });
    const reading: Reading = { ending, listeners };
    entry.reading = reading;
    this.#readings.add(reading);
    return reading;
  }

  /** Two processes do not read the same skills: the lock tells them. */
  async #readUnderLock(read: () => Promise<void>, patienceMs: number): Promise<'read' | 'held'> {
    let isHeld = false;
    const onWait = (): void => {
      isHeld = true;
    };
    const work = async (): Promise<Outcome> => {
      await read();
      return { ok: true };
    };
    const locked = await withLock(this.#file(), work, { patienceMs, onWait });
    if (locked.ok) return 'read';
    if (isHeld) return 'held';
    // Without a lock nothing can be saved either, as in a folder that cannot be written.
    await read();
    return 'read';
  }

  async #read(entry: Entry, onLeft: (left: number) => void): Promise<void> {
    // Another process may have read them in the meantime.
    const found = this.#openFile();
    const whole = await this.#build(found.index, entry.skills, onLeft);
    if (whole === found.index) this.#index = this.#saved = this.#keep(found);
    else found.file?.[Symbol.dispose]();
    if (whole === undefined) return;
    if (whole !== found.index) this.#replace(whole);
    complete(entry, this.#index ?? whole);
  }

  /** Saves the index, and reads it from the file as it is needed, so that it does not stay in memory. */
  #replace(whole: SearchIndex): void {
    this.#index = whole;
    this.#save();
    const written = this.#openFile();
    if (written.index.versions.count === whole.versions.count) this.#index = this.#saved = this.#keep(written);
    else written.file?.[Symbol.dispose]();
  }

  /** Undefined if the keeper is closed meanwhile. */
  async #build(
    before: SearchIndex,
    skills: readonly Skill[],
    onLeft: (left: number) => void,
  ): Promise<SearchIndex | undefined> {
    // Lazy: most searches read no new skills.
    const { packOnThreads } = await import('./pack-on-threads.ts');
    const { signal } = this.#closing;
    const builder = openIndexBuilder(before, skills, this.#glossary);
    await packOnThreads(builder.missing, (part) => builder.addPacked(part), { onLeft, signal });
    return signal.aborted ? undefined : builder.build();
  }

  #file(): string {
    return cacheFile(this.#agentHome, 'search', this.#subject);
  }

  #openFile(): SavedIndex {
    const file = openOwnFile(this.#file());
    const index = file && openIndex(file, ownerOf(this.#subject));
    if (index !== undefined) return { index, file };
    file?.[Symbol.dispose]();
    return { index: EMPTY_INDEX, file: undefined };
  }

  /** The index for registries, whose file stays open as long as one of them can read from it. */
  #keep({ index, file }: SavedIndex): SearchIndex {
    if (file === undefined) return index;
    const close = file[Symbol.dispose];
    this.#closers.add(close);
    this.#unreachable.register(file, close);
    return index;
  }

  #close(close: () => void): void {
    close();
    this.#closers.delete(close);
  }

  #save(): void {
    if (this.#index === undefined || this.#index === this.#saved) return;
    writeWhole(this.#file(), encodeIndexInPieces(this.#index, ownerOf(this.#subject)));
    removeOldCaches(this.#agentHome, 'search');
    this.#saved = this.#index;
  }
}

function complete(entry: Entry, whole: SearchIndex): void {
  entry.registry = SkillRegistry.withIndex(entry.skills, whole);
  entry.builder = undefined;
}

function registryOf(entry: Entry): SkillRegistry {
  return (entry.registry ??= SkillRegistry.withIndex(entry.skills, entry.builder?.build() ?? EMPTY_INDEX));
}

function partialAnswer(registry: SkillRegistry, { builder }: Entry, reader?: string): IndexAnswer {
  const count = builder?.missing.length ?? 0;
  const reading = reader === undefined ? 'are still being read' : `are being read by ${reader}`;
  const gap = `the instructions of ${count} new skills ${reading}; until then, names and descriptions count`;
  return { registry, gap };
}

/** Projects with the same skill directories share an index. */
function subjectOf(skills: readonly Skill[], roots: readonly SourceRoot[]): string {
  const places = Map.groupBy(roots, ({ id }) => id);
  const parents = new Set<string>();
  let last: string | undefined;
  for (const skill of skills) {
    // Most skills are of the same source as the one before, and most sources have one directory.
    if (skill.source === last) continue;
    parents.add(dirname(skill.dir));
    last = places.get(skill.source)?.length === 1 ? skill.source : undefined;
  }
  return [...parents].sort().join('\0');
}

/** Raise the second part when the content of the index changes without a release. */
function ownerOf(subject: string): string {
  return `${VERSION}-5 ${subject}`;
}
