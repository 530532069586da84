import { basename, dirname, join } from 'node:path';

import type { SkillFolder } from '../model/folder.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { isFromSource, type SourceFolder } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';
import { refusesHardLinks } from '../model/source.ts';
import { exists, isInside, ownerOf, realPath } from '../platform/files/files.ts';
import { openRealFolder, openSkillFolder } from '../platform/files/skill-folder.ts';
import type { Catalog } from './catalog.ts';

/** A skill and its real folder, from which its files may be read. */
export interface LocatedSkill {
  readonly skill: Skill;
  readonly realDir: string;
  /** The files of a skill of a source, which has no folder on disk. */
  readonly folder?: SourceFolder | undefined;
}

/** The files of a located skill, for readers. Those of a source must have been fetched. */
export function openLocated({ skill, realDir, folder }: LocatedSkill): SkillFolder {
  return folder ?? openRealFolder(realDir, { refuseHardLinks: refusesHardLinks(skill) });
}

/** The same files, to judge or copy all of them: a hard link is a file like any other then. */
export function openJudged({ realDir, folder }: LocatedSkill): SkillFolder {
  return folder ?? openRealFolder(realDir);
}

/** Reads the files of a skill of a source, if that has not been done. A skill on disk needs nothing. */
export async function fetchLocated({ folder }: LocatedSkill): Promise<Outcome> {
  return folder === undefined || folder.isFetched ? { ok: true } : folder.fetch();
}

/** The files of a skill that may be anywhere. */
export function openFolderOf(skill: Skill, { roots }: Pick<Catalog, 'roots'>): SkillFolder {
  return findFolder(skill, roots) ?? openSkillFolder(skill.dir);
}

function findFolder({ source, id }: Skill, roots: Catalog['roots']): SourceFolder | undefined {
  return roots
    .find((root) => root.id === source)
    ?.folders?.()
    .get(id);
}

/** Decides where a skill may be: below these roots, or behind a link of this user. */
export interface AllowedRoots {
  readonly roots: Catalog['roots'];
  readonly userId: number | undefined;
}

/**
 * Resolves a skill's folder. The folder may have become a link since the scan, so the link rule is checked again at
 * every read, and the folder must still hold a skill.
 */
export function locateSkill(skill: Skill, { roots, userId }: AllowedRoots): Outcome<LocatedSkill> {
  if (isFromSource(skill)) {
    const folder = findFolder(skill, roots);
    return folder === undefined ? gone(skill) : { ok: true, skill, realDir: skill.dir, folder };
  }
  const root = roots.find(({ id, path }) => id === skill.source && path === dirname(skill.dir));
  const realRoot = realPath(dirname(skill.dir));
  const realDir = realPath(skill.dir);
  if (root === undefined || realRoot === undefined || realDir === undefined) return gone(skill);
  const boundary = root.boundary === undefined ? undefined : realPath(root.boundary);
  const isRootAllowed =
    (root.boundary === undefined || (boundary !== undefined && isInside(realRoot, boundary))) &&
    (root.fixedAt === undefined || root.fixedAt === realRoot);
  const isOwn = root.level === 'user' && (userId === undefined || ownerOf(realDir) === userId);
  if (!isRootAllowed || !(isOwn || (realDir !== realRoot && isInside(realDir, realRoot))))
    return fail('PATH_REFUSED', `the folder of the skill "${skill.name}" is now a link to a place outside its source`);
  return exists(join(realDir, basename(skill.file))) ? { ok: true, skill, realDir } : gone(skill);
}

function gone({ name, file }: Skill): Outcome<LocatedSkill> {
  return fail('SKILL_NOT_FOUND', `the skill "${name}" is gone: ${file} no longer exists`);
}
