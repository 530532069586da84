import { basename, dirname, join } from 'node:path';

import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { exists, isBelow, ownerOf, realPath } from '../platform/files/files.ts';
import type { Catalog } from './catalog.ts';

/** A skill and the folder, free of links, that its files may be read from. */
export interface LocatedSkill {
  readonly skill: Skill;
  readonly realDir: string;
}

/** What decides where a skill may lie: the sources' folders, and whose links are followed. */
export interface Ground {
  readonly roots: Catalog['roots'];
  readonly userId: number | undefined;
}

/**
 * Says where a skill's folder really is. It may have become a link since the skill was found: the rule by which links
 * are followed holds at every read, and what is there must still be a skill.
 */
export function locateSkill(skill: Skill, { roots, userId }: Ground): Outcome<LocatedSkill> {
  const root = roots.find(({ id, path }) => id === skill.source && path === dirname(skill.dir));
  const realRoot = realPath(dirname(skill.dir));
  const realDir = realPath(skill.dir);
  if (root === undefined || realRoot === undefined || realDir === undefined) return gone(skill);
  const boundary = root.boundary === undefined ? undefined : realPath(root.boundary);
  const isRootAllowed = root.boundary === undefined || (boundary !== undefined && isAtOrBelow(realRoot, boundary));
  const isOwn = root.level === 'user' && (userId === undefined || ownerOf(realDir) === userId);
  if (!isRootAllowed || !(isOwn || isBelow(realDir, realRoot)))
    return fail('PATH_REFUSED', `the folder of the skill "${skill.name}" is now a link that leads out of its source`);
  return exists(join(realDir, basename(skill.file))) ? { ok: true, skill, realDir } : gone(skill);
}

function isAtOrBelow(path: string, dir: string): boolean {
  return path === dir || isBelow(path, dir);
}

function gone({ name, file }: Skill): Outcome<LocatedSkill> {
  return fail('SKILL_NOT_FOUND', `the skill "${name}" is gone: there is no ${file} any more`);
}
