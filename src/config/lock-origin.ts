import type { Origin } from '../model/origin.ts';

/** The fields of an origin in a lock, in their order. Entries of git and directories have no `kind`: a commit tells them apart. */
export const ORIGIN_FIELDS = ['kind', 'url', 'ref', 'commit', 'version', 'artifact', 'integrity'] as const;

export type OriginFields = { readonly [Field in (typeof ORIGIN_FIELDS)[number]]?: string | undefined };

/** Kinds that the first version of the lock knows. */
export function isOldKind({ kind }: Origin): boolean {
  return kind === 'git' || kind === 'directory';
}

export function toOriginFields(origin: Origin): OriginFields {
  return isOldKind(origin) ? { ...origin, kind: undefined } : origin;
}

/** The origin that these fields describe; undefined if a field is missing or wrong for its kind. */
export function readOrigin(fields: OriginFields): Origin | undefined {
  const { kind, url, ref, commit, version, artifact, integrity } = fields;
  if (url === undefined || url === '') return undefined;
  const address = ref === undefined ? { url } : { url, ref };
  switch (kind) {
    case undefined:
      if (commit === undefined) return { kind: 'directory', ...address };
      return COMMIT.test(commit) ? { kind: 'git', ...address, commit } : undefined;
    case 'archive':
      return integrity !== undefined && DIGEST.test(integrity) ? { kind, ...address, integrity } : undefined;
    case 'web': {
      if (artifact === undefined || !URL.canParse(artifact) || !DIGEST.test(integrity ?? NO_DIGEST)) return undefined;
      const promised = integrity === undefined ? {} : { integrity };
      return { kind, ...address, artifact, ...promised, ...(version === undefined ? {} : { version }) };
    }
    case 'npm':
      if (version === undefined || integrity === undefined || !INTEGRITY.test(integrity)) return undefined;
      return { kind, ...address, version, integrity };
    case 'hub':
      if (version === undefined || integrity === undefined || !DIGEST.test(integrity)) return undefined;
      return { kind, ...address, version, integrity };
    default:
      return undefined;
  }
}

export const DIGEST: RegExp = /^sha256:[0-9a-f]{64}$/;
const NO_DIGEST = `sha256:${'0'.repeat(64)}`;
export const COMMIT: RegExp = /^[0-9a-f]{40}$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;
