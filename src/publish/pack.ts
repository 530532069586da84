import { join } from 'node:path';

import type { RefusedEntry } from '../model/folder.ts';
import type { Outcome } from '../model/outcome.ts';
import { packFiles, type Archive, type ArchiveFormat } from '../parse/archives/pack-files.ts';
import type { FileDigest } from '../parse/digest.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import { findVersion, readGivenSkill, type GivingOptions } from './given-skill.ts';

export interface PackOptions extends GivingOptions {
  /** `skill` (a zip archive, as claude.ai takes it) or `tar.gz`; `skill` by default. */
  readonly format?: ArchiveFormat | undefined;
  /** The folder to write the archive to; without one, nothing is written. */
  readonly to?: string | undefined;
}

/** A skill as one file. */
export interface PackedArchive extends Archive {
  readonly name: string;
  /** Undefined if the skill does not say. */
  readonly version: string | undefined;
  /** The file that was written. */
  readonly path: string | undefined;
  /** A name for the file: `pdf.skill`. */
  readonly fileName: string;
  /** The digest of the skill's files: the same in every format, and in the lock of an installed copy. */
  readonly skillDigest: string;
  readonly files: readonly FileDigest[];
  /** Entries of its folder that are not packed. */
  readonly leftOut: readonly RefusedEntry[];
}

/**
 * Packs a skill, given its directory or its SKILL.md. Equal files give equal bytes on every machine. Fails if the skill is not
 * valid, contains secrets, or a target refuses it.
 */
export async function pack(
  path: string,
  { format = 'skill', to, ...options }: PackOptions = {},
): Promise<Outcome<PackedArchive>> {
  const given = await readGivenSkill(path, options);
  if (!given.ok) return given;
  const { skill, contents, digest: skillDigest, files, leftOut } = given;
  const { name } = skill;
  const fileName = `${name}.${format}`;
  const archive = packFiles(contents, format);
  const written =
    to === undefined ? { ok: true as const, path: undefined } : replaceFile(join(to, fileName), archive.bytes);
  if (!written.ok) return written;
  const version = findVersion(skill);
  return { ok: true, ...archive, name, version, path: written.path, fileName, skillDigest, files, leftOut };
}
