import type { Audit } from '../../audit/audit-files.ts';
import type { GivenSkill } from '../given-skill.ts';

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
  readonly audit: Audit;
  /** `new`: never published before. `updated`: another version was listed before. `unchanged`: this one was. */
  readonly state: 'new' | 'updated' | 'unchanged';
  /** The one that is listed first, then those before it, newest first. */
  readonly versions: readonly [SiteVersion, ...SiteVersion[]];
}

/** The folder of a skill on a site; relative, with `/`. */
export function folderOf(name: string, version?: string): string {
  return ['skills', name, ...(version === undefined ? [] : [version])].join('/');
}
