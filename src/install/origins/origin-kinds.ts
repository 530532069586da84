import type { Origin, OriginKindName } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Opening, OriginKind, OriginOptions, AddressOptions } from './origin-kind.ts';
import { findTextFault, showTyped } from './parse-url.ts';

interface OriginRow {
  /** Addresses that may be of this kind. Only its `parse` knows. */
  readonly addresses: RegExp;
  /** Lazy: most skills come from git. */
  readonly load: () => Promise<OriginKind>;
}

const loadGit = async (): Promise<OriginKind> => (await import('./git-origin.ts')).gitKind;

/** The kinds of origins, in the order in which they are asked whether an address is theirs. */
const KINDS: { readonly [Kind in OriginKindName]: OriginRow } = {
  npm: { addresses: /^npm:/i, load: async () => (await import('./npm-origin.ts')).npmKind },
  hub: { addresses: /^@/, load: async () => (await import('./hub-origin.ts')).hubKind },
  archive: {
    addresses: /\.(?:skill|zip|tar\.gz|tgz)(?:\?|$)/i,
    load: async () => (await import('./archive-origin.ts')).archiveKind,
  },
  directory: { addresses: /^[./\\~]|^[a-z]:[/\\]/i, load: loadGit },
  git: { addresses: /^/, load: loadGit },
  web: { addresses: /^https?:/i, load: async () => (await import('./web-origin.ts')).webKind },
};

export interface ParsedAddress {
  readonly kind: string;
  readonly address: object;
}

/** Parses an address as people write it. */
export async function parseAddress(text: string, options: AddressOptions): Promise<Outcome<ParsedAddress>> {
  const found = await findKind(text, options);
  return found.ok ? { ok: true, kind: found.kind, address: found.address } : found;
}

/** Opens the current content of an address typed by a person. */
export async function resolveOrigin(text: string, options: OriginOptions): Opening {
  const found = await findKind(text, options);
  return found.ok ? found.origins.resolve(found.address, options) : found;
}

async function findKind(
  text: string,
  options: AddressOptions,
): Promise<Outcome<ParsedAddress & { readonly origins: OriginKind }>> {
  const given = text.trim();
  const fault = findTextFault(given);
  if (fault !== undefined) return fail('INSTALL_FAILED', `${showTyped(given)}: ${fault}`);
  for (const [kind, { addresses, load }] of Object.entries(KINDS)) {
    if (!addresses.test(given)) continue;
    const origins = await load();
    const parsed = origins.parse(given, options);
    if (parsed !== undefined) return parsed.ok ? { ok: true, kind, address: parsed.address, origins } : parsed;
  }
  return fail('INSTALL_FAILED', `${showTyped(given)}: not a repository, URL, folder, archive or npm package`);
}

/** Opens exactly the locked version. */
export async function fetchOrigin(origin: Origin, options: OriginOptions): Opening {
  return (await KINDS[origin.kind].load()).fetch(origin, options);
}

/** Opens the newest version of a locked origin. */
export async function newestOrigin(origin: Origin, options: OriginOptions): Opening {
  return (await KINDS[origin.kind].load()).newest(origin, options);
}
