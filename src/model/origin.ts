/**
 * Where a skill was installed from, and exactly what was chosen there. A new kind is a type here with the fields of its lock,
 * and a file with a row in `install/origins/origin-kinds.ts`.
 */
export type Origin = GitOrigin | DirectoryOrigin | ArchiveOrigin | WebOrigin | NpmOrigin | HubOrigin;

export type OriginKindName = Origin['kind'];

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
  /** The version that the index gives it. */
  readonly version?: string | undefined;
  /** The address of the skill's file or archive; of the folder with its files in an index of version 0.1.0. */
  readonly artifact: string;
  /** `sha256:…` of the artifact, as the index promises it; an index of version 0.1.0 promises nothing. */
  readonly integrity?: string | undefined;
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

/** The form of a field in a lock, which anybody can have written. */
export interface OriginField {
  readonly pattern: RegExp;
  readonly message: string;
  readonly isOptional?: boolean;
}

type FieldsOf<Chosen extends Origin> = {
  readonly [Name in Exclude<keyof Chosen, 'kind' | keyof Address>]-?: OriginField;
};

const VERSION: OriginField = {
  pattern: /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/,
  message: 'must be a version, such as 1.2.0',
};
const COMMIT: OriginField = { pattern: /^[0-9a-f]{40}$/, message: 'must be 40 hex digits' };
export const SHA256: OriginField = { pattern: /^sha256:[0-9a-f]{64}$/, message: 'must be sha256: and 64 hex digits' };
const SHA512: OriginField = { pattern: /^sha512-[A-Za-z0-9+/]{86}==$/, message: 'must be sha512- and a digest' };
const TEXT: OriginField = { pattern: /^/, message: 'must be text' };
const WEB_ADDRESS: OriginField = { pattern: /^https?:\/\/\S+$/, message: 'must be an https address' };

/** Fields of each kind in a lock file, in addition to `url` and `ref`, in order. */
export const ORIGIN_FIELDS: { readonly [Kind in OriginKindName]: FieldsOf<Extract<Origin, { readonly kind: Kind }>> } =
  {
    git: { commit: COMMIT },
    directory: {},
    archive: { integrity: SHA256 },
    web: {
      version: { ...TEXT, isOptional: true },
      artifact: WEB_ADDRESS,
      integrity: { ...SHA256, isOptional: true },
    },
    npm: { version: VERSION, integrity: SHA512 },
    hub: { version: VERSION, integrity: SHA256 },
  };

/** Any origin, by the fields that kinds share. */
interface AnyOrigin extends Address {
  readonly commit?: string;
  readonly version?: string | undefined;
  readonly integrity?: string | undefined;
}

/** The choice in one word for people: a commit, a version or the beginning of a digest; undefined for a directory. */
export function nameChoice(origin: Origin): string | undefined {
  const { version, commit, integrity }: AnyOrigin = origin;
  return version ?? (commit ?? integrity)?.replace(/^sha256:/, '').slice(0, SHORT);
}

/** The full commit, version or digest; undefined for a directory. */
export function exactChoice(origin: Origin): string | undefined {
  const { version, commit, integrity }: AnyOrigin = origin;
  return version ?? commit ?? integrity;
}

/** Were exactly the same bytes chosen? Never said of a directory, whose files can change at any time. */
export function isSameChoice(one: Origin, other: Origin): boolean {
  const digestOf = ({ commit, integrity }: AnyOrigin): string | undefined => commit ?? integrity;
  return one.kind === other.kind && digestOf(one) !== undefined && digestOf(one) === digestOf(other);
}

/** Does the origin name one version or commit, which no update can replace? */
export function isPinned(origin: Origin): boolean {
  const { pattern } = 'version' in origin ? VERSION : COMMIT;
  return origin.ref !== undefined && pattern.test(origin.ref.toLowerCase().replace(/^[v=]/, ''));
}

/** The address with what was asked for there, for people. */
export function showAddress({ url, ref }: Pick<Origin, 'url' | 'ref'>): string {
  return ref === undefined ? url : `${url}${/^npm:|\/@[^/]+\/[^/]+$/.test(url) ? '@' : '#'}${ref}`;
}

const SHORT = 12;
