import { basename, dirname, join, resolve } from 'node:path';

import type { SkillFolder } from '../model/folder.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import { listDirectory } from '../platform/files/files.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

/** Opens the folder of a skill, given its directory or its SKILL.md. */
export function openSkillPath(path: string): SkillFolder {
  const full = resolve(path);
  const folder = openSkillFolder(full);
  const isFile = folder.state() === 'not-directory' && basename(full).toLowerCase() === 'skill.md';
  return isFile ? openSkillFolder(dirname(full)) : folder;
}

/** The directories of all skills at a path: one skill, or a directory of skills. Without any, the path itself. */
export function findSkillDirectories(path: string): readonly string[] {
  const folder = openSkillPath(path);
  const skills = findSkillFile(folder.names()) === undefined ? listSkills(folder) : [];
  return skills.length > 0 ? skills : [folder.dir];
}

function listSkills(folder: SkillFolder): readonly string[] {
  const listing = listDirectory(folder.dir);
  const entries = listing.state === 'listed' ? listing.entries : [];
  return entries
    .filter((entry) => !entry.name.startsWith('.') && entry.kind !== 'file')
    .map((entry) => join(folder.dir, entry.name))
    .filter((dir) => findSkillFile(openSkillFolder(dir).names()) !== undefined);
}
