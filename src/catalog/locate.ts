import { basename, dirname, join } from 'node:path';

import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { exists, isInside, ownerOf, realPath } from '../platform/files/files.ts';
import type { Catalog } from './catalog.ts';

/** A skill and its real folder, from which its files may be read. */
export interface LocatedSkill {
  readonly skill: Skill;
  readonly realDir: string;
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
