import { join } from 'node:path';

import type { Outcome } from '../model/outcome.ts';
import { digestFolder, type SkillDigest } from '../parse/digest.ts';
import { renderReferencePrompt, type PromptEntry } from '../parse/strict/reference-prompt.ts';
import { readFolderProperties, type SkillProperties } from '../parse/strict/strict-fields.ts';
import { realPath } from '../platform/files/files.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { openSkillPath } from './skill-path.ts';

/** The specification's fields of one skill, given its directory or its SKILL.md. */
export function readProperties(path: string): Outcome<{ readonly properties: SkillProperties }> {
  return readFolderProperties(openSkillPath(path));
}

/** The `<available_skills>` block that the Agent Skills reference tool makes of these skills. */
export function toPrompt(paths: readonly string[]): Outcome<{ readonly text: string }> {
  const entries: PromptEntry[] = [];
  for (const path of paths) {
    const folder = openSkillPath(path);
    const read = readFolderProperties(folder);
    if (!read.ok) return read;
    const { name, description } = read.properties;
    entries.push({ name, description, location: join(realPath(folder.dir) ?? folder.dir, read.file) });
  }
  return { ok: true, text: renderReferencePrompt(entries) };
}

/** SHA-256 over everything in a skill's directory, with the digest of each file. */
export function skillDigest(dir: string): Outcome<SkillDigest> {
  return digestFolder(openSkillFolder(dir));
}
