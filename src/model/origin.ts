/** Where a skill was installed from, and exactly what was chosen there. Each kind has a row in `install/origins/origin-kinds.ts`. */
export type Origin = GitOrigin | DirectoryOrigin | ArchiveOrigin | WebOrigin | NpmOrigin | HubOrigin;

interface Address {
  /** As a person would write it to get the newest version; without credentials. */
  readonly url: string;
  /** The requested branch, tag or commit, or the range of versions. */
  readonly ref?: string | undefined;
}

export interface GitOrigin extends Address {
  readonly kind: 'git';
  readonly commit: string;
}

/** A directory without git; its `url` is its path. */
export interface DirectoryOrigin extends Address {
  readonly kind: 'directory';
}

/** A zip or tar.gz archive; its `url` is a path or an https address. */
export interface ArchiveOrigin extends Address {
  readonly kind: 'archive';
  /** `sha256:…` of the archive. */
  readonly integrity: string;
}

/** A skill of a well-known index; its `url` is the address of the index. */
export interface WebOrigin extends Address {
  readonly kind: 'web';
  /** The address of the skill's file or archive; of the folder with its files in an index of version 0.1.0. */
  readonly artifact: string;
  /** `sha256:…` of the artifact, as the index promises it; an index of version 0.1.0 promises nothing. */
  readonly integrity?: string | undefined;
  /** The version that the index gives it. */
  readonly version?: string | undefined;
}

/** An npm package; its `url` is `npm:` and the name. */
export interface NpmOrigin extends Address {
  readonly kind: 'npm';
  readonly version: string;
  /** `sha512-…` of the packed package, as npm writes it. */
  readonly integrity: string;
}

/** A skill of a team's hub; its `url` is the address of the hub, a slash and `@team/name`. */
export interface HubOrigin extends Address {
  readonly kind: 'hub';
  readonly version: string;
  /** `sha256:…` of the archive of the version. */
  readonly integrity: string;
}

/** The choice in one word for people: a commit, a version or the beginning of a digest; undefined for a directory. */
export function nameChoice(origin: Origin): string | undefined {
  const choice = exactChoice(origin);
  const isVersion =
    origin.kind === 'npm' || origin.kind === 'hub' || (origin.kind === 'web' && origin.version !== undefined);
  return isVersion ? choice : choice?.replace(/^sha256:/, '').slice(0, SHORT);
}

/** The whole of what was chosen: a commit, a version or a digest; undefined for a directory. */
export function exactChoice(origin: Origin): string | undefined {
  if (origin.kind === 'git') return origin.commit;
  if (origin.kind === 'directory') return undefined;
  return origin.kind === 'archive' ? origin.integrity : (origin.version ?? origin.integrity);
}

/** The address with what was asked for there, for people. */
export function showAddress({ url, ref }: Pick<Origin, 'url' | 'ref'>): string {
  return ref === undefined ? url : `${url}${/^npm:|\/@[^/]+\/[^/]+$/.test(url) ? '@' : '#'}${ref}`;
}

/** Were exactly the same bytes chosen? Never said of a directory, whose files can change at any time. */
export function isSameChoice(one: Origin, other: Origin): boolean {
  if (one.kind === 'git') return other.kind === 'git' && one.commit === other.commit;
  if (one.kind === 'directory' || other.kind === 'directory' || other.kind === 'git') return false;
  const isSameVersion = one.kind !== 'npm' || other.kind !== 'npm' || one.version === other.version;
  return one.kind === other.kind && isSameVersion && one.integrity !== undefined && one.integrity === other.integrity;
}

const SHORT = 12;
