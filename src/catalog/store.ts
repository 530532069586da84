import { basename, dirname, join } from 'node:path';

import { readConfig, type ConfigReading } from '../config/read-config.ts';
import { ENVIRONMENT_KINDS } from '../config/settings.ts';
import { checkCall, either, optionsOf, skillList, strings } from '../model/check-arguments.ts';
import type { Outcome } from '../model/outcome.ts';
import { toGivenSource, type GivenSource, type SkillSource } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { findCommand, readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { listDirectory } from '../platform/files/files.ts';
import { finishPendingChanges, hasPendingChanges } from '../platform/files/pending-changes.ts';
import { fingerprintPaths } from '../platform/files/stamp.ts';
import { watchDirectories, type WatchTarget } from '../platform/files/watch.ts';
import { directoryRoots, resolveSources } from '../sources/resolve.ts';
import { openSource, type OpenSource } from '../sources/scan-source.ts';
import { openScanner, type SourceScanner } from '../sources/scan.ts';
import { buildCatalog, catalogOfList, listCopies, type Catalog } from './catalog.ts';
import { compareSkills, isEmptyChange, type CatalogChange } from './difference.ts';
import { applyLocks } from './installed.ts';
import { findInCatalog } from './off-sources.ts';

export interface StoreOptions {
  readonly environment: Environment;
  /** Scan only these directories instead of the configured ones. */
  readonly roots?: readonly SourceRoot[];
  /** Scan these, too; the directories come first. Without `roots`, they replace the configured ones. */
  readonly sources?: readonly (SkillSource | GivenSource)[] | undefined;
  /** Hold these skills as they are instead of scanning. */
  readonly skills?: readonly Skill[];
}

export interface WatchOptions {
  /** Wait until nothing has changed for this long. */
  readonly debounceMs?: number;
}

export interface StoreWatch {
  close(): void;
}

const DEBOUNCE_MS = 250;

export interface OpenStoreOptions extends EnvironmentOptions {
  /**
   * Only the skills in these folders, `<dir>/<skill>/SKILL.md`; the first of each name is used. All skills of a
   * `trusted` folder may run their scripts and toolsets: for skills that a program ships.
   */
  readonly dirs?: readonly (string | SkillDirectory)[] | undefined;
  /**
   * Skills from elsewhere: memory, a database, a server. With or without `dirs`, only these are used; directories come first, and of
   * two skills with one name, the first counts. Those of a source that is `trusted` may run what they bring.
   */
  readonly sources?: readonly (SkillSource | GivenSource)[] | undefined;
}

export interface SkillDirectory {
  readonly path: string;
  readonly trusted?: boolean | undefined;
}

/** Opens a store over every skill of this machine and project, and scans them. */
export async function openStore({ dirs, sources, ...options }: OpenStoreOptions = {}): Promise<SkillStore> {
  const environment = readEnvironment(options);
  // Finishes an installation that was killed halfway.
  if (hasPendingChanges(environment.agentHome)) await finishPendingChanges(environment.agentHome);
  const paths = dirs?.map((dir) => (typeof dir === 'string' ? dir : dir.path)) ?? (sources && []);
  const roots = paths && directoryRoots(paths, environment);
  const store = new SkillStore({ environment, ...(roots && { roots }), sources });
  await store.loadAll();
  return store;
}

/**
 * Finds and reads every skill. An unchanged file is read once, by this process or an earlier one. The configuration is
 * read at every scan, so changes apply at once.
 */
export class SkillStore implements AsyncDisposable {
  readonly #environment: Environment;
  readonly #roots: readonly SourceRoot[] | undefined;
  readonly #isFixed: boolean;
  readonly #scanner: SourceScanner;
  readonly #sources: readonly OpenSource[];
  #catalog: Catalog | undefined;
  /** The fingerprint is that of the configuration's files; undefined if one of them changed just before. */
  #lastConfig: { readonly reading: ConfigReading; readonly fingerprint: string | undefined } | undefined;
  /** Paths whose change triggers a rescan. */
  #configFiles: readonly string[] = [];
  #folders: readonly string[] = [];
  /** Of these paths as scanned; undefined if one of them changed just before. */
  #lastFingerprint: string | undefined;

  constructor({ environment, roots, sources = [], skills }: StoreOptions) {
    this.#environment = environment;
    this.#roots = roots;
    this.#isFixed = skills !== undefined;
    this.#scanner = openScanner({ agentHome: environment.agentHome, userId: environment.userId });
    this.#sources = openSources(sources, roots?.length ?? 0);
    if (skills !== undefined) this.#catalog = catalogOfList(skills, this.config());
  }

  /**
   * A store over these directories only, `<dir>/<skill>/SKILL.md`, or over a list of skills, which stays as it is. If two skills
   * have one name, the first wins.
   */
  static over(given: readonly string[] | readonly Skill[], options: EnvironmentOptions = {}): SkillStore {
    checkCall('SkillStore.over(dirs, options?)', { dirs: [given, DIRS_OR_SKILLS], options: [options, OPTIONS] });
    const environment = readEnvironment(options);
    if (isSkillList(given)) return new SkillStore({ environment, skills: given });
    return new SkillStore({ environment, roots: directoryRoots(given, environment) });
  }

  get environment(): Environment {
    return this.#environment;
  }

  /** False before the first scan. */
  get isLoaded(): boolean {
    return this.#catalog !== undefined;
  }

  /** The merged view as of the last scan, of which there must be one. */
  catalog(): Catalog {
    if (this.#catalog === undefined) throw new Error('the store has not scanned yet; call loadAll first');
    return this.#catalog;
  }

  /**
   * The configuration as it is now, which may be newer than the catalog. Its files are read again only if one of them has
   * changed, by this process or another one.
   */
  config(): ConfigReading {
    const last = this.#lastConfig;
    if (last?.fingerprint !== undefined && last.fingerprint === fingerprintPaths(last.reading.files.candidates))
      return last.reading;
    const reading = readConfig(this.#environment);
    this.#lastConfig = { reading, fingerprint: fingerprintPaths(reading.files.candidates) };
    return reading;
  }

  /** Every copy, including shadowed ones, sorted by name, then source. */
  copies(): readonly Skill[] {
    return listCopies(this.catalog());
  }

  /** A skill by name, id, or a unique spelling that differs in case. */
  find(name: string): Outcome<{ readonly skill: Skill }> {
    return findInCatalog(this.catalog(), name);
  }

  /** Scans every source and returns the merged view. */
  async loadAll(): Promise<Catalog> {
    if (this.#isFixed) return this.catalog();
    const reading = this.config();
    const sources =
      this.#roots === undefined
        ? resolveSources(reading.config, this.#environment)
        : { roots: this.#roots, off: [], diagnostics: [] };
    const [scan, ...others] = await Promise.all([
      this.#scanner.scan(sources.roots),
      ...this.#sources.map((source) => source.scan()),
    ]);
    const installed = await applyLocks(scan.found, scan.roots, this.#environment);
    this.#configFiles = [...reading.files.candidates, ...installed.lockFiles];
    this.#folders = scan.folders;
    this.#lastFingerprint = this.#fingerprint();
    this.#catalog = buildCatalog({
      found: [...installed.found, ...others.flatMap(({ found }) => found)],
      roots: [...scan.roots, ...this.#sources.map(({ root }) => root)],
      off: sources.off,
      diagnostics: [reading, sources, scan, installed, ...others].flatMap((part) => part.diagnostics),
      reading,
      hasCommand: rememberLookups((name) => findCommand(name, this.#environment) !== undefined),
    });
    return this.#catalog;
  }

  /** Scans again and returns the difference to the last scan. */
  async refresh(): Promise<CatalogChange> {
    const before = this.#catalog?.skills ?? [];
    const catalog = await this.loadAll();
    return compareSkills(before, catalog.skills);
  }

  /**
   * Scans again if a skill was added or removed, or the configuration changed; otherwise costs no more than a look at the
   * folders, and at the stamps of sources that have one. It misses changes inside the folder of a skill.
   */
  async refreshIfChanged(): Promise<void> {
    const isSame = this.#lastFingerprint !== undefined && this.#lastFingerprint === this.#fingerprint();
    const changed = isSame ? await Promise.all(this.#sources.map((source) => source.hasChanged())) : [true];
    if (changed.includes(true)) await this.refresh();
  }

  /** Calls `listener` with added, changed and removed skills, once no more changes arrive. */
  async watch(
    listener: (change: CatalogChange) => void,
    { debounceMs = DEBOUNCE_MS }: WatchOptions = {},
  ): Promise<StoreWatch> {
    const isFresh = !this.isLoaded;
    if (isFresh) await this.loadAll();
    let timer: NodeJS.Timeout | undefined;
    let isClosed = false;
    let rescanning = Promise.resolve();
    // The state last reported: another caller may have scanned since, and its changes are still to be reported.
    let reported = this.catalog().skills;
    const rescan = async (): Promise<void> => {
      if (isClosed) return;
      // Watch first, then read: nothing written in between is lost.
      directories.update(this.#watchTargets());
      await this.refresh();
      if (isClosed) return;
      if (directories.update(this.#watchTargets())) rescanSoon();
      const { skills } = this.catalog();
      const change = compareSkills(reported, skills);
      reported = skills;
      if (!isEmptyChange(change)) listener(change);
    };
    const rescanSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        rescanning = rescanning.then(rescan);
      }, debounceMs);
    };
    const directories = watchDirectories(rescanSoon);
    const watched = this.#sources.map((source) => source.watch(rescanSoon));
    directories.update(this.#watchTargets());
    // Changes since the last scan have not been seen yet.
    if (!isFresh) rescanSoon();
    return {
      close() {
        isClosed = true;
        clearTimeout(timer);
        directories.close();
        for (const stop of watched) stop();
      },
    };
  }

  /** Saves the cache for the next process. Skipping it only costs time. */
  save(): void {
    this.#scanner.save();
  }

  /** Saves the cache; `await using` does the same. */
  async close(): Promise<void> {
    this.save();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #fingerprint(): string | undefined {
    return fingerprintPaths([...this.#folders, ...this.#configFiles]);
  }

  #watchTargets(): readonly WatchTarget[] {
    return [
      ...this.#folders.flatMap((folder) => [folder, ...listSkillDirectories(folder)]).map((dir) => ({ dir })),
      ...this.#configFiles.map((file) => ({ dir: dirname(file), names: new Set([basename(file)]) })),
    ];
  }
}

const OPTIONS = optionsOf<EnvironmentOptions>(ENVIRONMENT_KINDS);
const DIRS_OR_SKILLS = either('a list of directories or of skills', strings, skillList);

/** Throws a TypeError if two sources have one id. */
function openSources(given: readonly (SkillSource | GivenSource)[], ordinal: number): readonly OpenSource[] {
  const sources = given.map(toGivenSource);
  const ids = sources.map(({ source }) => source.id);
  const twin = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twin !== undefined) throw new TypeError(`two sources have the id "${twin}"`);
  return sources.map((source, at) => openSource(source, ordinal + at));
}

function isSkillList(given: readonly string[] | readonly Skill[]): given is readonly Skill[] {
  return given.some((one) => typeof one !== 'string');
}

function listSkillDirectories(root: string): readonly string[] {
  const listing = listDirectory(root);
  const entries = listing.state === 'listed' ? listing.entries : [];
  return entries.filter(({ kind }) => kind === 'directory' || kind === 'link').map(({ name }) => join(root, name));
}

function rememberLookups(lookup: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const result = known.get(name) ?? lookup(name);
    known.set(name, result);
    return result;
  };
}
