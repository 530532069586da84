import { join, sep } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { freezeDeep } from '../model/freeze.ts';
import { MAX_SKILLS_PER_ROOT } from '../model/limits.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { yieldToEventLoop } from '../platform/clock.ts';
import {
  isInside,
  isPlainDirectory,
  listDirectory,
  ownerOf,
  readStamp,
  realPath,
  type DirectoryEntry,
} from '../platform/files/files.ts';
import { markBroken } from './broken-skill.ts';
import { openDiskFiles, openRootReader, type FolderPlace, type RootReader } from './root-reader.ts';
import { loadSkillCache, saveSkillCache, type ReadSkills } from './skill-cache.ts';
import { expandTree } from './tree.ts';

/** A skill and where it was found, before shadowing and configuration are applied. */
export interface FoundSkill {
  readonly skill: Skill;
  readonly root: SourceRoot;
  /** The skill's directory with links resolved. Two finds of one directory are one skill. */
  readonly realDir: string;
}

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
  /** Saves the skills for the next process. */
  save(): void;
}

export interface ScannerOptions {
  readonly agentHome: string;
  readonly userId: number | undefined;
}

export function openScanner({ agentHome, userId }: ScannerOptions): SourceScanner {
  const scanned = new Map<string, ScannedRoot>();
  return {
    async scan(sources) {
      const trees = sources.map((root) =>
        root.layout === 'tree' ? expandTree(root) : { roots: [root], folders: [root.path], diagnostics: [] },
      );
      const roots = trees.flatMap((tree) => tree.roots);
      const scans: RootScan[] = [];
      for (const root of roots) {
        const key = JSON.stringify(root);
        const before = scanned.get(key) ?? openRoot(agentHome, root);
        const scan = await scanRoot(root, before.settled, userId);
        scanned.set(key, { ...before, settled: scan.settled });
        scans.push(scan);
      }
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
      for (const [key, { root, settled, saved }] of scanned) {
        if (isSame(settled, saved)) continue;
        saveSkillCache(agentHome, root, settled);
        scanned.set(key, { root, settled, saved: settled });
      }
    },
  };
}

/** A root as the last scan left it. */
interface ScannedRoot {
  readonly root: SourceRoot;
  readonly settled: ReadSkills;
  /** The content of the cache file. */
  readonly saved: ReadSkills;
}

function openRoot(agentHome: string, root: SourceRoot): ScannedRoot {
  const saved = loadSkillCache(agentHome, root);
  return { root, settled: saved, saved };
}

function isSame(one: ReadSkills, other: ReadSkills): boolean {
  return one.size === other.size && [...one].every(([file, read]) => other.get(file) === read);
}

interface RootScan {
  readonly found: readonly FoundSkill[];
  readonly refusedLinks: readonly RefusedLink[];
  readonly diagnostics: readonly Diagnostic[];
  readonly settled: ReadSkills;
}

/** A linked directory that the link rule refuses. */
interface RefusedLink {
  readonly path: string;
  readonly target: string | undefined;
}

/** Lets other work of the process run after so many entries. */
const YIELD_EVERY = 64;

/**
 * Reads every `<root>/<skill>/SKILL.md`, one level deep. Skips dot-directories and loose files. A skill that cannot be read
 * or parsed, or lacks a required description, is found as a broken one and does not affect the others.
 */
async function scanRoot(root: SourceRoot, known: ReadSkills, userId: number | undefined): Promise<RootScan> {
  const found: FoundSkill[] = [];
  const refusedLinks: RefusedLink[] = [];
  const diagnostics: Diagnostic[] = [];
  const end = (settled: ReadSkills = new Map()): RootScan => ({ found, refusedLinks, diagnostics, settled });

  const listing = listDirectory(root.path);
  if (listing.state === 'missing') {
    if (root.isNamed === true) diagnostics.push(warning('SOURCE_UNREADABLE', root.path, 'the folder does not exist'));
    return end();
  }
  if (listing.state !== 'listed') {
    const reason = listing.state === 'unreadable' ? listing.reason : 'not a directory';
    diagnostics.push(warning('SOURCE_UNREADABLE', root.path, `the folder cannot be listed: ${reason}`));
    return end();
  }
  const realRoot = realPath(root.path) ?? root.path;
  if (leavesProject(root, realRoot)) {
    diagnostics.push(
      warning('LINK_REFUSED', root.path, `the folder is a link that leaves the project, to ${realRoot}`),
    );
    return end();
  }
  const entries = listing.entries.filter(
    ({ name }) => !name.startsWith('.') && (root.only === undefined || name === root.only),
  );
  if (entries.length > MAX_SKILLS_PER_ROOT) {
    const message = `only the first ${MAX_SKILLS_PER_ROOT} entries are looked at`;
    diagnostics.push(warning('SCAN_LIMIT', root.path, message));
    entries.length = MAX_SKILLS_PER_ROOT;
  }

  const reader = openRootReader(root, {
    known,
    files: openDiskFiles(root, userId),
    folders: entries.length,
  });
  for (const [at, { name, kind }] of entries.entries()) {
    if (at % YIELD_EVERY === YIELD_EVERY - 1) await yieldToEventLoop();
    const dir = `${root.path}${sep}${name}`;
    if (kind !== 'directory' && kind !== 'link') {
      if (name === SKILL_FILE) diagnostics.push(warning('MISPLACED_SKILL', dir, LOOSE_FILE));
      continue;
    }
    let realDir = `${realRoot}${sep}${name}`;
    if (kind === 'link') {
      const target = realPath(dir);
      if (target !== undefined && !isPlainDirectory(target)) continue;
      if (target === undefined || !mayFollow(target, root, realRoot, userId)) {
        refusedLinks.push({ path: dir, target });
        continue;
      }
      realDir = target;
    }
    const folder = { id: name, dir, realDir };
    const skill = reader.read(folder) ?? readOtherSpelling(folder, reader, diagnostics);
    if (skill === undefined) continue;
    found.push({ skill: root.requireDescription ? breakUndescribed(skill) : skill, root, realDir });
  }
  return end(reader.settled);
}

const LOOSE_FILE = 'a folder of skills holds skills in folders of their own; this file is not read';
const NOT_UTF8 = 'the name of the folder is not valid UTF-8; rename it';

function warning(code: Diagnostic['code'], path: string, message: string): Diagnostic {
  return { code, severity: 'warning', path, message };
}

function leavesProject(root: SourceRoot, realRoot: string): boolean {
  if (root.boundary === undefined) return false;
  const boundary = realPath(root.boundary) ?? root.boundary;
  return !isInside(realRoot, boundary);
}

/** Links are followed that stay inside their root and, at user level, those to a directory that the user owns. */
function mayFollow(target: string, root: SourceRoot, realRoot: string, userId: number | undefined): boolean {
  const isOwn = root.level === 'user' && (userId === undefined || ownerOf(target) === userId);
  return isOwn || (target !== realRoot && isInside(target, realRoot));
}

/**
 * Reads `skill.md` and other spellings of a folder without `SKILL.md`, with a warning: most agents do not see them. If there
 * is none, says where skills may be instead.
 */
function readOtherSpelling(folder: FolderPlace, reader: RootReader, diagnostics: Diagnostic[]): Skill | undefined {
  const { dir, realDir } = folder;
  const listing = listDirectory(realDir);
  const entries = listing.state === 'listed' ? listing.entries : [];
  const other = entries.find(({ name, kind }) => kind !== 'directory' && name.toLowerCase() === 'skill.md');
  if (other === undefined) {
    // Node decodes file names as UTF-8, so a name that is not UTF-8 does not lead back to its directory.
    if (dir.includes('\uFFFD') && listing.state === 'missing')
      diagnostics.push(warning('FILE_UNREADABLE', dir, NOT_UTF8));
    diagnostics.push(...describeNested(dir, realDir, entries));
    return undefined;
  }
  const file = join(dir, other.name);
  diagnostics.push(warning('FILE_NAME_CASE', file, 'rename it to SKILL.md: other agents do not find it'));
  return reader.read(folder, other.name);
}

function describeNested(dir: string, realDir: string, entries: readonly DirectoryEntry[]): readonly Diagnostic[] {
  const nested = entries.filter(
    ({ name, kind }) => kind === 'directory' && readStamp(join(realDir, name, SKILL_FILE)) !== undefined,
  );
  if (nested.length === 0) return [];
  const message = `skills lie one level deeper (${nested.length}); add this folder to customDirectories to find them`;
  return [warning('MISPLACED_SKILL', dir, message)];
}

/** A skill without a description is broken where descriptions are required. The cache knows nothing of it. */
export function breakUndescribed(skill: Skill): Skill {
  if (skill.description !== '' || skill.status === 'broken') return skill;
  const others = skill.diagnostics.filter(
    ({ code }) => code !== 'DESCRIPTION_MISSING' && code !== 'FRONTMATTER_MISSING',
  );
  const isBare = skill.diagnostics.some(({ code }) => code === 'FRONTMATTER_MISSING');
  return freezeDeep(
    markBroken(
      { ...skill, diagnostics: others },
      {
        code: 'DESCRIPTION_MISSING',
        severity: 'error',
        path: skill.file,
        field: 'description',
        message: `it has no ${isBare ? 'frontmatter and so no ' : ''}description, and skills in this folder need one`,
      },
    ),
  );
}

/** A refused link needs no report if its target was found in its own place. */
function reportLinks(links: readonly RefusedLink[], found: readonly FoundSkill[]): readonly Diagnostic[] {
  const places = new Set(found.map(({ realDir }) => realDir));
  return links
    .filter(({ target }) => target === undefined || !places.has(target))
    .map(({ path, target }) =>
      warning(
        'LINK_REFUSED',
        path,
        target === undefined
          ? 'the link leads nowhere'
          : `the link leads out of its folder, to ${target}; it is not followed`,
      ),
    );
}
