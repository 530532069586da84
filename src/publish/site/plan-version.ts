import { MAX_DESCRIPTION_LENGTH } from '../../model/limits.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { SkillDefinition } from '../../model/skill.ts';
import { packFiles } from '../../parse/archives/pack-files.ts';
import { sha256Of } from '../../parse/digest.ts';
import { SKILL_FILE } from '../../parse/skill-file.ts';
import { findVersion, type GivenSkill } from '../given-skill.ts';
import { INDEX_FILE, renderIndex } from './render-index.ts';
import type { History } from './site-history.ts';
import { folderOf, type SiteVersion } from './site-skill.ts';

/** A file of a site; the path is relative to it, with `/`. */
export interface SiteFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface PlannedVersion {
  readonly version: SiteVersion;
  /** Files to write; empty if this version is published already. */
  readonly files: readonly SiteFile[];
}

/**
 * The version of a site that holds this skill. Fails if its number is taken by other files: what was published under a number
 * never changes.
 */
export function planVersion(given: GivenSkill, history: History): Outcome<PlannedVersion> {
  const { name } = given.skill;
  const label = labelOf(given);
  const known = history.find(({ version }) => version === label);
  if (known !== undefined && known.skillDigest === given.digest) return { ok: true, version: known, files: [] };
  if (known !== undefined)
    return fail(
      'ALREADY_EXISTS',
      `${name} ${label} is already published with other files`,
      'Raise its version, in the frontmatter or in metadata, and publish again.',
    );
  const folder = folderOf(name, label);
  const { type, file, bytes } = packArtifact(given);
  const version = {
    version: label,
    type,
    file,
    digest: sha256Of(bytes),
    size: bytes.length,
    skillDigest: given.digest,
  };
  const { description } = given.skill;
  const index = renderIndex([
    { name, description, type, url: `../../${file}`, digest: version.digest, version: label },
  ]);
  const archive = type === 'archive' ? [packFiles(given.contents, 'skill').bytes] : [];
  return {
    ok: true,
    version,
    files: [
      { path: `${folder}/${file}`, content: bytes },
      ...archive.map((content) => ({ path: `${folder}/${name}.skill`, content })),
      { path: `${folder}/${INDEX_FILE}`, content: index },
    ],
  };
}

/** Why programs that read an index would pass over a skill; undefined if they take it. Seen in `skills` 1.7.4. */
export function findClientFault({ name, description }: SkillDefinition): string | undefined {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return 'other programs take only names of a-z, 0-9 and single hyphens';
  // They count UTF-16 units.
  return description.length > MAX_DESCRIPTION_LENGTH
    ? `other programs take descriptions of at most ${MAX_DESCRIPTION_LENGTH} characters`
    : undefined;
}

/** A skill of one file is given as that file. */
function packArtifact({
  skill,
  contents,
}: GivenSkill): Pick<SiteVersion, 'type' | 'file'> & { readonly bytes: Uint8Array } {
  const [only] = contents;
  if (only !== undefined && contents.length === 1) return { type: 'skill-md', file: SKILL_FILE, bytes: only.bytes };
  return { type: 'archive', file: `${skill.name}.tar.gz`, bytes: packFiles(contents, 'tar.gz').bytes };
}

/** A version that can be part of an address, or the beginning of the digest. */
function labelOf({ skill, digest }: GivenSkill): string {
  const version = findVersion(skill)?.trim() ?? '';
  return /^[0-9A-Za-z][\w.-]{0,63}$/.test(version) ? version : digest.replace(':', '-').slice(0, DIGEST_LABEL);
}

const DIGEST_LABEL = 'sha256-'.length + 12;
