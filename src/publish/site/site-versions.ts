import { join } from 'node:path';

import { z } from 'zod';

import { parseJson } from '../../model/json.ts';
import { MAX_DESCRIPTION_LENGTH } from '../../model/limits.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { SkillDefinition } from '../../model/skill.ts';
import { packFiles } from '../../parse/archives/pack-files.ts';
import { sha256Of } from '../../parse/digest.ts';
import { SKILL_FILE } from '../../parse/skill-file.ts';
import { readOwnText } from '../../platform/files/files.ts';
import { findVersion, type GivenSkill } from '../given-skill.ts';
import { INDEX_FILE, renderIndex } from './site-index.ts';

/** One version of a skill on a site. Its folder never changes again. */
export interface SiteVersion {
  /** The skill's own version, or the beginning of its digest; the name of the folder below that of the skill. */
  readonly version: string;
  /** A SKILL.md alone, or an archive. */
  readonly type: 'skill-md' | 'archive';
  /** The file that clients fetch, in the folder of the version. */
  readonly file: string;
  /** `sha256:…` of the bytes of that file. */
  readonly digest: string;
  readonly size: number;
  /** `sha256:…` of the skill's files. */
  readonly skillDigest: string;
}

/** A skill on a site. */
export interface SiteSkill {
  readonly given: GivenSkill;
  /** `new`: never published before. `updated`: another version was listed before. `unchanged`: this one was. */
  readonly state: 'new' | 'updated' | 'unchanged';
  /** The one that is listed first, then those before it, newest first. */
  readonly versions: readonly [SiteVersion, ...SiteVersion[]];
}

export interface SiteAbout {
  readonly title: string;
  /** Where the site will be; undefined if that is not known. */
  readonly url: string | undefined;
}

/** A file of a site; the path is relative to it, with `/`. */
export interface SiteFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** The folder of a skill on a site, or of a version of it; relative, with `/`. */
export function folderOf(name: string, version?: string): string {
  return ['skills', name, ...(version === undefined ? [] : [version])].join('/');
}

/** The file that remembers the versions of a skill. */
export const HISTORY_FILE = 'versions.json';

const History: z.ZodType<{ readonly versions: readonly SiteVersion[] }> = z.object({
  versions: z.array(
    z.object({
      version: z.string(),
      type: z.enum(['skill-md', 'archive']),
      file: z.string(),
      digest: z.string(),
      size: z.number(),
      skillDigest: z.string(),
    }),
  ),
});
const Index = z.object({ skills: z.array(z.object({ name: z.string() })) });

/** The versions of a skill that a site has, newest first; none if it was never published there. */
export function readVersions(to: string, name: string): Outcome<{ readonly versions: readonly SiteVersion[] }> {
  const path = join(to, folderOf(name), HISTORY_FILE);
  const read = readOwnText(path);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, versions: [] };
  const parsed = History.safeParse(parseJson(read.text));
  return parsed.success ? { ok: true, versions: parsed.data.versions } : unreadable(path);
}

/** The names that the index of a site lists; none without an index. */
export function readListed(to: string): Outcome<{ readonly names: readonly string[] }> {
  const path = join(to, INDEX_FILE);
  const read = readOwnText(path);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, names: [] };
  const parsed = Index.safeParse(parseJson(read.text));
  return parsed.success ? { ok: true, names: parsed.data.skills.map(({ name }) => name) } : unreadable(path);
}

function unreadable(path: string): Failure {
  return fail('STORE_FAILED', `${path} is not as it was published`, {
    advice: 'Restore it, or publish to an empty folder.',
  });
}

/**
 * The version of a site that holds this skill, and the files to write; none if it is published already. Fails if its number is
 * taken by other files: what was published under a number never changes.
 */
export function planVersion(
  given: GivenSkill,
  versions: readonly SiteVersion[],
): Outcome<{ readonly version: SiteVersion; readonly files: readonly SiteFile[] }> {
  const { name, description } = given.skill;
  const label = labelOf(given);
  const known = versions.find(({ version }) => version === label);
  if (known !== undefined && known.skillDigest === given.digest) return { ok: true, version: known, files: [] };
  if (known !== undefined)
    return fail('ALREADY_EXISTS', `${name} ${label} is already published with other files`, {
      advice: 'Raise its version, in the frontmatter or in metadata, and publish again.',
    });
  const [first] = given.contents;
  // A skill of one file is given as that file.
  const only = given.contents.length === 1 ? first : undefined;
  const type = only === undefined ? 'archive' : 'skill-md';
  const file = only === undefined ? `${name}.tar.gz` : SKILL_FILE;
  const bytes = only?.bytes ?? packFiles(given.contents, 'tar.gz').bytes;
  const digest = sha256Of(bytes);
  const archive = only === undefined ? [packFiles(given.contents, 'skill').bytes] : [];
  const folder = folderOf(name, label);
  const index = renderIndex([{ name, description, type, url: `../../${file}`, digest, version: label }]);
  return {
    ok: true,
    version: { version: label, type, file, digest, size: bytes.length, skillDigest: given.digest },
    files: [
      { path: `${folder}/${file}`, content: bytes },
      ...archive.map((content) => ({ path: `${folder}/${name}.skill`, content })),
      { path: `${folder}/${INDEX_FILE}`, content: index },
    ],
  };
}

/** A version that can be part of an address, or the beginning of the digest. */
function labelOf({ skill, digest }: GivenSkill): string {
  const version = findVersion(skill)?.trim() ?? '';
  return /^[0-9A-Za-z][\w.-]{0,63}$/.test(version) ? version : digest.replace(':', '-').slice(0, DIGEST_LABEL);
}

const DIGEST_LABEL = 'sha256-'.length + 12;

/** Why programs that read an index would pass over a skill; undefined if they take it. Seen in `skills` 1.7.4. */
export function findClientFault({ name, description }: SkillDefinition): string | undefined {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return 'other programs take only names of a-z, 0-9 and single hyphens';
  // They count UTF-16 units.
  return description.length > MAX_DESCRIPTION_LENGTH
    ? `other programs take descriptions of at most ${MAX_DESCRIPTION_LENGTH} characters`
    : undefined;
}
