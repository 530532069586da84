import { basename, dirname, join, resolve } from 'node:path';

import type { SkillFolder } from '../model/folder.ts';
import type { Outcome } from '../model/outcome.ts';
import { skillDigest as digestFolder, type SkillDigest } from '../parse/digest.ts';
import { readProperties as readFolderProperties, type SkillProperties } from '../parse/properties.ts';
import { renderReferencePrompt, type PromptEntry } from '../parse/reference-prompt.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import { validateSkill as validateFolder, type ValidateOptions, type Validation } from '../parse/validate.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

/** Judges the skill in a directory strictly; every error at once, in a stable order. */
export function validateSkill(dir: string, options?: ValidateOptions): Validation {
  return validateFolder(openSkillFolder(dir), options);
}

/** Judges what a path names: a skill's directory, its SKILL.md, or a directory of skills. */
export function validate(path: string, options?: ValidateOptions): readonly Validation[] {
  return findSkillDirectories(path).map((dir) => validateSkill(dir, options));
}

/** The directories of the skills that a path names; itself where there are none. */
export function findSkillDirectories(path: string): readonly string[] {
  const folder = openNamed(path);
  const skills = findSkillFile(folder.names()) === undefined ? listSkills(folder) : [];
  return skills.length > 0 ? skills : [folder.dir];
}

/** SHA-256 over everything that a skill's directory holds, with the digest of each file. */
export function skillDigest(dir: string): Outcome<SkillDigest> {
  return digestFolder(openSkillFolder(dir));
}

/** The specification's fields of a skill, named by its directory or its SKILL.md. */
export function readProperties(path: string): Outcome<{ readonly properties: SkillProperties }> {
  return readFolderProperties(openNamed(path));
}

/** The reference tool's `<available_skills>` block for the given skills. */
export function renderPrompt(paths: readonly string[]): Outcome<{ readonly text: string }> {
  const entries: PromptEntry[] = [];
  for (const path of paths) {
    const folder = openNamed(path);
    const read = readFolderProperties(folder);
    if (!read.ok) return read;
    const { name, description } = read.properties;
    entries.push({ name, description, location: join(realPath(folder.dir) ?? folder.dir, read.file) });
  }
  return { ok: true, text: renderReferencePrompt(entries) };
}

/** A path to a SKILL.md means its directory. */
function openNamed(path: string): SkillFolder {
  const full = resolve(path);
  const folder = openSkillFolder(full);
  const isFile = folder.state() === 'not-directory' && basename(full).toLowerCase() === 'skill.md';
  return isFile ? openSkillFolder(dirname(full)) : folder;
}

function listSkills(folder: SkillFolder): readonly string[] {
  const listing = listDirectory(folder.dir);
  const entries = listing.state === 'listed' ? listing.entries : [];
  return entries
    .filter((entry) => !entry.name.startsWith('.') && entry.kind !== 'file')
    .map((entry) => join(folder.dir, entry.name))
    .filter((dir) => findSkillFile(openSkillFolder(dir).names()) !== undefined);
}
