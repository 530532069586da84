import { sep } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileStamp } from '../model/folder.ts';
import { freezeDeep } from '../model/freeze.ts';
import { MAX_SKILL_FILE_BYTES, ROOT_PATTERNS, ROOT_REPAIRS } from '../model/limits.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { refusesHardLinks, type SourceRoot } from '../model/source.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { openRootBudget } from '../parse/step-budget.ts';
import { countAllSteps } from '../parse/trigger-patterns.ts';
import { readStamp } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { cacheableStamp, isSameStamp } from '../platform/files/stamp.ts';
import { brokenSkill, type SkillPlace } from './broken-skill.ts';
import { placeSkill } from './place-skill.ts';
import type { ReadSkill, ReadSkills } from './skill-cache.ts';

/** A folder in a root: its name there, its path there, and its real path. */
export interface FolderPlace {
  readonly id: string;
  readonly dir: string;
  readonly realDir: string;
}

/** Reads the skills of one root, one after the other. */
export interface RootReader {
  /**
   * The skill of a folder, in its `SKILL.md` or another file. It is broken if the file cannot be read or parsed, and
   * undefined if there is no such file.
   */
  read(folder: FolderPlace, fileName?: string): Skill | undefined;
  /** The skills whose files need not be read again while they stay the same. */
  readonly settled: ReadSkills;
}

/** Where a root has its files. */
export interface RootFiles {
  /** Undefined if there is no such file. */
  stamp(folder: FolderPlace, name: string): FileStamp | undefined;
  read(folder: FolderPlace, name: string): Outcome<{ readonly bytes: Uint8Array; readonly stamp: FileStamp }>;
}

export interface ReaderOptions {
  /** The skills that earlier scans of the root read. */
  readonly known: ReadSkills;
  readonly files: RootFiles;
  /** How many folders the root has. */
  readonly folders: number;
}

/** The files of a root on disk. */
export function openDiskFiles({ id: source, level }: SourceRoot, userId: number | undefined): RootFiles {
  const access = {
    maxBytes: MAX_SKILL_FILE_BYTES,
    owner: level === 'user' ? userId : undefined,
    refuseHardLinks: refusesHardLinks({ level, source }),
  };
  return {
    stamp: ({ realDir }, name) => readStamp(`${realDir}${sep}${name}`),
    read({ realDir }, name) {
      const content = readInside(realDir, name, access);
      return content.ok ? { ...content, stamp: cacheableStamp(content.stamp) } : content;
    },
  };
}

/**
 * Slow work is limited for all skills of a root together: repairing broken YAML, and compiling patterns. A known skill
 * counts as if it were read now, so that the result does not depend on earlier scans. Skills that need no slow work are
 * never refused.
 */
export function openRootReader(root: SourceRoot, { known, files, folders }: ReaderOptions): RootReader {
  const { id: source, group, level } = root;
  const repairs = openRootBudget(ROOT_REPAIRS, folders);
  const patterns = openRootBudget(ROOT_PATTERNS, folders);
  const settled = new Map<string, ReadSkill>();

  /** Undefined if the file has changed since. */
  function findKnown(place: SkillPlace, folder: FolderPlace, fileName: string): ReadSkill | undefined {
    const before = known.get(place.file);
    if (before === undefined || !isAt(before.skill, place)) return undefined;
    const stamp = files.stamp(folder, fileName);
    if (stamp === undefined || !isSameStamp(stamp, before.skill.stamp)) return undefined;
    const { repaired, skill } = before;
    repairs.spend(repaired);
    if (skill.triggers.patterns.length > 0) patterns.spend(countAllSteps(skill.triggers.patterns));
    return before;
  }

  function readNow(place: SkillPlace, folder: FolderPlace, fileName: string): ReadSkill | undefined {
    const { dir, file } = place;
    const content = files.read(folder, fileName);
    if (!content.ok) {
      if (content.code === 'RESOURCE_NOT_FOUND') return undefined;
      const code = content.code === 'PATH_REFUSED' ? 'FILE_REFUSED' : 'FILE_UNREADABLE';
      const message = `the file is not read: ${content.message}`;
      return { skill: brokenSkill(place, root, { code, severity: 'error', path: file, message }), repaired: 0 };
    }
    const before = repairs.spent;
    const parsed = parseSkill(content.bytes, { dir, file, repairs, patternBudget: patterns });
    const { stamp } = content;
    const skill = parsed.ok
      ? placeSkill(parsed.skill, { source, group, level }, stamp)
      : brokenSkill(place, root, parsed.diagnostics[0], stamp);
    return { skill, repaired: repairs.spent - before };
  }

  return {
    settled,
    read(folder, fileName = SKILL_FILE) {
      const { id, dir } = folder;
      const place = { id, dir, file: `${dir}${sep}${fileName}` };
      const read = findKnown(place, folder, fileName) ?? readNow(place, folder, fileName);
      if (read === undefined) return undefined;
      const { skill, repaired } = freezeDeep(read);
      if (repaired > 0 && repairs.isExceeded) return freezeDeep(brokenSkill(place, root, describeLimit(place.file)));
      if (skill.triggers.patterns.length > 0 && patterns.isExceeded) return freezeDeep(withoutPatterns(skill));
      if (!Number.isNaN(skill.stamp.ctimeMs)) settled.set(place.file, read);
      return skill;
    },
  };
}

function isAt(skill: Skill, { id, dir, file }: SkillPlace): boolean {
  return skill.id === id && skill.dir === dir && skill.file === file;
}

function describeLimit(path: string): Diagnostic {
  const message = 'left out: the skills of this folder together have too much frontmatter that is not valid YAML';
  return { code: 'SCAN_LIMIT', severity: 'error', path, message };
}

/** Flaws of single patterns no longer matter, and may not have been looked for. */
function withoutPatterns(skill: Skill): Skill {
  const flaw: Diagnostic = {
    code: 'PATTERN_REFUSED',
    severity: 'warning',
    path: skill.file,
    field: 'triggers',
    message: 'the patterns are not used: the skills of this folder have too many of them together',
  };
  const others = skill.diagnostics.filter(({ code, field }) => code !== flaw.code || field !== flaw.field);
  return { ...skill, triggers: { ...skill.triggers, patterns: [] }, diagnostics: [...others, flaw] };
}
