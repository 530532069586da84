import { openSkillPath } from '../author/skill-path.ts';
import type { RefusedEntry } from '../model/folder.ts';
import { listSome } from '../model/list-some.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { quoteWord } from '../model/shell-word.ts';
import { packFiles, type Archive, type ArchiveFormat } from '../parse/archives/pack-files.ts';
import { digestFiles, type FileDigest } from '../parse/digest.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { validateFolder } from '../parse/validate.ts';
import { readGivenFiles, type GivenFiles } from './given-files.ts';

export interface PackOptions {
  /** `skill` (a zip archive, as claude.ai takes it) or `tar.gz`; `skill` by default. */
  readonly format?: ArchiveFormat | undefined;
}

/** A skill as one file. */
export interface PackedSkill extends Archive {
  readonly name: string;
  readonly version: string;
  /** A name for the file: `pdf.skill`. */
  readonly fileName: string;
  /** The digest of the skill's files, which is the same in every archive and in the lock. */
  readonly skillDigest: string;
  readonly files: readonly FileDigest[];
  readonly leftOut: readonly RefusedEntry[];
}

/**
 * Packs a skill, given its directory or its SKILL.md. The same files give the same bytes on every machine. Fails if the skill
 * is not valid.
 */
export function packSkill(path: string, { format = 'skill' }: PackOptions = {}): Outcome<PackedSkill> {
  const given = readGivenSkill(path);
  if (!given.ok) return given;
  const { name, version, files, skillDigest, leftOut } = given;
  const { bytes, digest } = packFiles(given.contents, format);
  return { ok: true, name, version, fileName: `${name}.${format}`, bytes, digest, skillDigest, files, leftOut };
}
