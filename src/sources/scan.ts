import { join, sep } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES, MAX_SKILLS_PER_ROOT } from '../model/limits.ts';
import type { Skill } from '../model/skill.ts';
import { refusesHardLinks, type SourceRoot } from '../model/source.ts';
import { breathe } from '../platform/clock.ts';
import { isBelow, listDirectory, ownerOf, readStamp, realPath, type DirectoryEntry } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { settleStamp } from '../platform/files/stamp.ts';
import { brokenSkill } from './broken-skill.ts';
import type { ReadSkill } from './cache-rows.ts';
import { placementOf, placeSkill, type Placement } from './placement.ts';
import { openReadingBudget } from './reading-budget.ts';
import type { SkillCache } from './skill-cache.ts';

/** A skill and where it was found, before shadowing and configuration are applied. */
export interface FoundSkill {
  readonly skill: Skill;
  readonly root: SourceRoot;
  /** The skill's directory with links resolved. Two finds with the same directory are one skill. */
  readonly realDir: string;
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
}

const BREATHE_EVERY = 512;
const NOT_UTF8 = 'the name of the folder is not valid UTF-8; rename it';
const LOOSE_FILE = 'a folder of skills holds skills in folders of their own; this file is not read';
/** Fits nearly every SKILL.md; a larger one gets its own buffer. */
const SCRATCH_BYTES = 64 * 1024;

/**
 * Reads every `<root>/<skill>/SKILL.md`, one level deep. Skips dot-directories and loose files. A skill that cannot
 * be read or parsed is found as a broken one and does not affect the others.
 */
export async function scanRoot(root: SourceRoot, { cache, userId }: ScanOptions): Promise<RootScan> {
  const scan = new Scan(root, cache, userId);
  const listing = listDirectory(root.path);
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
  const entries = listing.entries.filter(
    ({ name }) => !name.startsWith('.') && (root.only === undefined || name === root.only),
  );
  if (entries.length > MAX_SKILLS_PER_ROOT) {
    scan.report('SCAN_LIMIT', root.path, `only the first ${MAX_SKILLS_PER_ROOT} entries are looked at`);
  }
  scan.allow(entries.length);
  let visited = 0;
  for (const entry of entries.slice(0, MAX_SKILLS_PER_ROOT)) {
    scan.visit(entry, realRoot);
    visited += 1;
    if (visited % BREATHE_EVERY === 0) await breathe();
  }
  return scan.result();
}

/** Collects the results of scanning one root. */
class Scan {
  readonly #root: SourceRoot;
  readonly #cache: SkillCache;
  readonly #userId: number | undefined;
  readonly #placement: Placement;
  readonly #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  readonly #found: FoundSkill[] = [];
  #budget = openReadingBudget(0);
  readonly #refusedLinks: RefusedLink[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  constructor(root: SourceRoot, cache: SkillCache, userId: number | undefined) {
    this.#root = root;
    this.#cache = cache;
    this.#userId = userId;
    this.#placement = placementOf(root);
  }

  /** Allows the slow work of reading as many skills. */
  allow(skills: number): void {
    this.#budget = openReadingBudget(skills);
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

  visit(entry: DirectoryEntry, realRoot: string): void {
    const dir = `${this.#root.path}${sep}${entry.name}`;
    const isRealPlace = realRoot === this.#root.path;
    if (entry.kind === 'directory') this.#read(dir, isRealPlace ? dir : `${realRoot}${sep}${entry.name}`);
    else if (entry.kind === 'link') this.#follow(dir, realRoot);
    else if (entry.name === 'SKILL.md') this.report('MISPLACED_SKILL', dir, LOOSE_FILE);
  }

  /** Follows a link that stays inside its root and, at user level, one to a directory that the user owns. */
  #follow(dir: string, realRoot: string): void {
    const target = realPath(dir);
    const owner = target === undefined ? undefined : ownerOf(target);
    if (target !== undefined && owner === undefined) return;
    const isOwn = this.#root.level === 'user' && (this.#userId === undefined || owner === this.#userId);
    if (target !== undefined && (isOwn || isBelow(target, realRoot))) this.#read(dir, target);
    else this.#refusedLinks.push({ path: dir, target });
  }

  #read(dir: string, realDir: string): void {
    const read = this.#readFile(dir, realDir, 'SKILL.md') ?? this.#readOtherSpelling(dir, realDir);
    if (read === undefined) return;
    const skill = read.skill ?? this.#break(dir, read.diagnostics);
    const isUndescribed = this.#root.requireDescription && read.skill?.description === '';
    if (isUndescribed) this.#skipUndescribed(skill);
    else this.#found.push({ skill, root: this.#root, realDir });
  }

  #break(dir: string, diagnostics: readonly Diagnostic[]): Skill {
    const id = dir.slice(this.#root.path.length + 1);
    const file = diagnostics[0]?.path ?? join(dir, 'SKILL.md');
    return brokenSkill({ id, dir, file, origin: this.#placement }, diagnostics);
  }

  /** Undefined if there is no such file. */
  #readFile(dir: string, realDir: string, name: string): ReadSkill | undefined {
    const id = dir.slice(this.#root.path.length + 1);
    const key = name === 'SKILL.md' ? id : `${id}/${name}`;
    const file = `${dir}${sep}${name}`;
    const known = this.#cache.find(key, { id, dir, file, origin: this.#placement }, () =>
      readStamp(dir === realDir ? file : `${realDir}${sep}${name}`),
    );
    if (known !== undefined) return this.#budget.charge(known, file);
    const content = readInside(realDir, name, {
      maxBytes: MAX_SKILL_FILE_BYTES,
      scratch: this.#scratch,
      owner: this.#root.level === 'user' ? this.#userId : undefined,
      refuseHardLinks: refusesHardLinks({ level: this.#root.level, source: this.#root.id }),
    });
    if (!content.ok) {
      if (content.code === 'RESOURCE_NOT_FOUND') return undefined;
      const code = content.code === 'PATH_REFUSED' ? 'FILE_REFUSED' : 'FILE_UNREADABLE';
      return {
        diagnostics: [{ code, severity: 'error', path: file, message: `the file is not read: ${content.message}` }],
      };
    }
    const { parsed, steps, isFinal } = this.#budget.parse(content.bytes, { dir, file });
    const stamp = settleStamp(content.stamp);
    const read = parsed.ok
      ? { skill: placeSkill(parsed.skill, this.#placement, stamp), steps }
      : { diagnostics: parsed.diagnostics, steps };
    if (isFinal) this.#cache.put(key, stamp, read);
    return read;
  }

  /** Reads `skill.md` and other spellings if there is no `SKILL.md`, with a warning: most agents do not see them. */
  #readOtherSpelling(dir: string, realDir: string): ReadSkill | undefined {
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
    return this.#readFile(dir, realDir, other.name);
  }

  #reportNested(dir: string, realDir: string, entries: readonly DirectoryEntry[]): void {
    const nested = entries.filter(
      (entry) => entry.kind === 'directory' && readStamp(join(realDir, entry.name, 'SKILL.md')) !== undefined,
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
