import { join, sep } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_SKILLS_PER_ROOT } from '../model/limits.ts';
import type { Skill } from '../model/skill.ts';
import { refusesHardLinks, type SourceRoot } from '../model/source.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { breathe } from '../platform/clock.ts';
import { isBelow, listDirectory, ownerOf, readStamp, realPath, type DirectoryEntry } from '../platform/files/files.ts';
import { brokenSkill } from './broken-skill.ts';
import { openRowColumns, type KeptRow, type ReadSkill } from './cache-rows.ts';
import { placeOf, type FolderPlace, type RootPlace } from './cached-skill.ts';
import { placementOf } from './placement.ts';
import { readInBatches } from './read-batches.ts';
import { keyOf, openFolderReader, type BatchRules, type Folder } from './read-folders.ts';
import type { ReadingThreads } from './read-on-threads.ts';
import { openReadingBudget, type ReadingBudget } from './reading-budget.ts';
import type { RootListing } from './root-listing.ts';
import type { KnownRow, SkillCache } from './skill-cache.ts';

/** A skill and where it was found, before shadowing and configuration are applied. */
export interface FoundSkill {
  readonly skill: Skill;
  readonly root: SourceRoot;
  /** The skill's directory with links resolved, if that is another one. Two finds of one directory are one skill. */
  readonly realDir: string | undefined;
  /**
   * The skill works, its name is plain and that of its directory, and it comes after those of all earlier skills of the
   * root for which this is true. Absent if that is not known.
   */
  readonly isInOrder?: boolean;
}

/** Its mark is no field, so that a copy with another skill does not have it. */
class OrderedSkill implements FoundSkill {
  readonly skill: Skill;
  readonly root: SourceRoot;
  readonly realDir: string | undefined;

  constructor(skill: Skill, root: SourceRoot, realDir: string | undefined) {
    this.skill = skill;
    this.root = root;
    this.realDir = realDir;
  }

  get isInOrder(): boolean {
    return true;
  }
}

/** The skill's directory with links resolved. */
export function realDirOf({ skill, realDir }: FoundSkill): string {
  return realDir ?? skill.dir;
}

/** A linked directory that the link rule refuses. */
export interface RefusedLink {
  readonly path: string;
  readonly target: string | undefined;
}

export interface RootScan {
  readonly found: readonly FoundSkill[];
  readonly refusedLinks: readonly RefusedLink[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ScanOptions {
  readonly cache: SkillCache;
  readonly userId: number | undefined;
  readonly threads?: ReadingThreads | undefined;
}

const NO_FLAWS: readonly Diagnostic[] = [];
const BREATHE_EVERY = 512;
/** For fewer files, starting a thread takes longer than reading them. */
const MANY = 2_048;
const NOT_UTF8 = 'the name of the folder is not valid UTF-8; rename it';
const LOOSE_FILE = 'a folder of skills holds skills in folders of their own; this file is not read';

/**
 * Reads every `<root>/<skill>/SKILL.md`, one level deep. Skips dot-directories and loose files. A skill that cannot
 * be read or parsed is found as a broken one and does not affect the others.
 */
export async function scanRoot(root: SourceRoot, options: ScanOptions): Promise<RootScan> {
  const scan = new Scan(root, options);
  const listing = options.cache.list();
  if (listing.state === 'missing') return scan.result();
  if (listing.state !== 'listed') {
    const reason = listing.state === 'unreadable' ? listing.reason : 'not a directory';
    return scan.fail('SOURCE_UNREADABLE', `the folder cannot be listed: ${reason}`);
  }
  const realRoot = realPath(root.path) ?? root.path;
  const boundary = root.boundary === undefined ? undefined : (realPath(root.boundary) ?? root.boundary);
  if (boundary !== undefined && realRoot !== boundary && !isBelow(realRoot, boundary)) {
    return scan.fail('LINK_REFUSED', `the folder is a link that leaves the project, to ${realRoot}`);
  }
  const isWanted = (name: string): boolean => !name.startsWith('.') && (root.only === undefined || name === root.only);
  const names = listing.names.filter(isWanted);
  if (names.length > MAX_SKILLS_PER_ROOT) {
    scan.report('SCAN_LIMIT', root.path, `only the first ${MAX_SKILLS_PER_ROOT} entries are looked at`);
    names.length = MAX_SKILLS_PER_ROOT;
  }
  await scan.visitAll({ ...listing, names }, realRoot);
  return scan.result();
}

/** A folder that may hold a skill, and what the cache has of it. */
interface Visit extends FolderPlace {
  readonly linkedTo: string | undefined;
  readonly known: KnownRow | undefined;
}

/** Collects the results of scanning one root. */
class Scan {
  readonly #root: SourceRoot;
  readonly #options: ScanOptions;
  readonly #place: RootPlace;
  readonly #found: FoundSkill[] = [];
  readonly #refusedLinks: RefusedLink[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  #lastRow = -1;

  constructor(root: SourceRoot, options: ScanOptions) {
    this.#root = root;
    this.#options = options;
    this.#place = { path: root.path, origin: placementOf(root) };
  }

  result(): RootScan {
    return { found: this.#found, refusedLinks: this.#refusedLinks, diagnostics: this.#diagnostics };
  }

  report(code: Diagnostic['code'], path: string, message: string): void {
    this.#diagnostics.push({ code, severity: 'warning', path, message });
  }

  fail(code: Diagnostic['code'], message: string): RootScan {
    this.report(code, this.#root.path, message);
    return this.result();
  }

  /** Looks at the cache for each entry, reads the others together, and takes all of them in their order. */
  async visitAll({ names, others }: RootListing, realRoot: string): Promise<void> {
    const budget = openReadingBudget(names.length);
    const rules = this.#rules(budget);
    const isReal = realRoot === this.#root.path;
    /** From the first on that has to be read. */
    const visits: Visit[] = [];
    let at = 0;
    for (const name of names) {
      const kind = others.get(name) ?? 'directory';
      const visit =
        kind === 'directory'
          ? this.#find(name, isReal ? undefined : `${realRoot}${sep}${name}`)
          : this.#look({ name, kind }, realRoot);
      if (visit !== undefined) {
        if (visits.length > 0 || visit.known === undefined) visits.push(visit);
        else this.#visit(visit, budget, visit.known);
      }
      at += 1;
      if (at % BREATHE_EVERY === 0) await breathe();
    }
    const unknown = visits.filter(({ known }) => known === undefined);
    const rows = (await this.#readAll(unknown, rules)).values();
    for (const visit of visits) this.#visit(visit, budget, visit.known ?? rows.next().value);
  }

  #visit(visit: Visit, budget: ReadingBudget, row: KnownRow | undefined): void {
    const charged = this.#take(visit, budget, row) ?? this.#takeOtherSpelling(visit, budget);
    if (charged !== undefined) this.#add(visit, charged, this.#isInOrder(row));
  }

  async #readAll(visits: readonly Visit[], rules: BatchRules): Promise<readonly KeptRow[]> {
    const { threads } = this.#options;
    const folders = visits.map((visit) => this.#toFolder(visit));
    if (folders.length < MANY && threads === undefined) return readInBatches(folders, rules);
    // Loaded here alone: most scans read few files.
    const { readOnThreads } = await import('./read-on-threads.ts');
    return readOnThreads(folders, rules, threads);
  }

  #rules(budget: ReadingBudget): BatchRules {
    const { path, level, id } = this.#root;
    return {
      root: path,
      owner: level === 'user' ? this.#options.userId : undefined,
      refuseHardLinks: refusesHardLinks({ level, source: id }),
      readingSteps: budget.readingSteps,
      patternSteps: budget.patternSteps,
    };
  }

  /** Undefined if the entry is no folder that is looked into. */
  #look({ name, kind }: DirectoryEntry, realRoot: string): Visit | undefined {
    const dir = `${this.#root.path}${sep}${name}`;
    if (kind === 'link') {
      const target = this.#follow(dir, realRoot);
      return target === undefined ? undefined : this.#find(name, target === dir ? undefined : target);
    }
    if (name === SKILL_FILE) this.report('MISPLACED_SKILL', dir, LOOSE_FILE);
    return undefined;
  }

  /** Follows a link that stays inside its root and, at user level, one to a directory that the user owns. */
  #follow(dir: string, realRoot: string): string | undefined {
    const target = realPath(dir);
    const owner = target === undefined ? undefined : ownerOf(target);
    if (target !== undefined && owner === undefined) return undefined;
    const { userId } = this.#options;
    const isOwn = this.#root.level === 'user' && (userId === undefined || owner === userId);
    if (target !== undefined && (isOwn || isBelow(target, realRoot))) return target;
    this.#refusedLinks.push({ path: dir, target });
    return undefined;
  }

  #find(id: string, linkedTo: string | undefined, fileName?: string): Visit {
    const folder = linkedTo ?? `${this.#root.path}${sep}${id}`;
    const key = fileName === undefined ? id : keyOf({ id, fileName });
    const known = this.#options.cache.find(key, `${folder}${sep}${fileName ?? SKILL_FILE}`);
    return { root: this.#place, id, fileName, linkedTo, known };
  }

  #toFolder({ id, linkedTo, fileName }: Visit): Folder {
    return { id, realDir: linkedTo ?? `${this.#root.path}${sep}${id}`, fileName };
  }

  /** The result from the row, as far as the budget allows; undefined if there is no such file. */
  #take(visit: Visit, budget: ReadingBudget, row: KnownRow | undefined): ReadSkill | undefined {
    const read = row === undefined ? undefined : this.#options.cache.read(row, visit);
    if (row === undefined || read === undefined) return undefined;
    const charged = read.steps + read.patternSteps === 0 ? read : budget.charge(read, placeOf(visit));
    if (typeof row !== 'number' && visit.known === undefined && charged === read)
      this.#options.cache.put(keyOf(visit), row);
    return charged;
  }

  /** Reads `skill.md` and other spellings if there is no `SKILL.md`, with a warning: most agents do not see them. */
  #takeOtherSpelling(visit: Visit, budget: ReadingBudget): ReadSkill | undefined {
    const { dir } = placeOf(visit);
    const { id, realDir } = this.#toFolder(visit);
    const listing = listDirectory(realDir);
    const entries = listing.state === 'listed' ? listing.entries : [];
    const other = entries.find((entry) => entry.kind !== 'directory' && entry.name.toLowerCase() === 'skill.md');
    if (other === undefined) {
      // Node decodes file names as UTF-8, so a name that is not UTF-8 does not lead back to its directory.
      if (dir.includes('\uFFFD') && listing.state === 'missing') this.report('FILE_UNREADABLE', dir, NOT_UTF8);
      this.#reportNested(dir, realDir, entries);
      return undefined;
    }
    this.report('FILE_NAME_CASE', join(dir, other.name), 'rename it to SKILL.md: other agents do not find it');
    const spelled = this.#find(id, visit.linkedTo, other.name);
    if (spelled.known !== undefined) return this.#take(spelled, budget, spelled.known);
    const columns = openFolderReader()({ ...this.#rules(budget), folders: [this.#toFolder(spelled)] });
    return this.#take(spelled, budget, { rows: openRowColumns(columns), row: 0 });
  }

  /** The rows of the cache file are in the order of directories. */
  #isInOrder(row: KnownRow | undefined): boolean {
    if (typeof row !== 'number' || row <= this.#lastRow || !this.#options.cache.isPlainlyNamed(row)) return false;
    this.#lastRow = row;
    return true;
  }

  #add(visit: Visit, { skill: found, diagnostics = NO_FLAWS }: ReadSkill, isInOrder: boolean): void {
    const root = this.#root;
    const realDir = visit.linkedTo;
    const skill = found ?? this.#broken(visit, diagnostics);
    if (root.requireDescription && found?.description === '') this.#skipUndescribed(skill);
    else if (isInOrder && skill === found) this.#found.push(new OrderedSkill(skill, root, realDir));
    else this.#found.push({ skill, root, realDir });
  }

  #broken(visit: Visit, diagnostics: readonly Diagnostic[]): Skill {
    const place = placeOf(visit);
    return brokenSkill({ ...place, file: diagnostics[0]?.path ?? place.file }, diagnostics);
  }

  #reportNested(dir: string, realDir: string, entries: readonly DirectoryEntry[]): void {
    const nested = entries.filter(
      (entry) => entry.kind === 'directory' && readStamp(join(realDir, entry.name, SKILL_FILE)) !== undefined,
    );
    if (nested.length === 0) return;
    const message = `skills lie one level deeper (${nested.length}); add this folder to customDirectories to find them`;
    this.report('MISPLACED_SKILL', dir, message);
  }

  #skipUndescribed({ file, diagnostics }: Skill): void {
    const message = 'the skill is left out: it has no description, and skills in this folder need one';
    this.#diagnostics.push(
      { code: 'DESCRIPTION_MISSING', severity: 'error', path: file, field: 'description', message },
      ...diagnostics.filter(({ code }) => code !== 'DESCRIPTION_MISSING'),
    );
  }
}
