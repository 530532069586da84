import type { Origin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { gitKind } from './git-origin.ts';
import type { OpenOrigin, OriginOptions } from './origin-kind.ts';
import { parseAddress, type OriginAddress } from './parse-address.ts';

type Opening = Promise<Outcome<{ readonly opened: OpenOrigin }>>;

/** The kinds of origins. Lazy: most skills come from git. */
const KINDS = {
  archive: async () => (await import('./archive-origin.ts')).archiveKind,
  web: async () => (await import('./web-origin.ts')).webKind,
  npm: async () => (await import('./npm-origin.ts')).npmKind,
  hub: async () => (await import('./hub-origin.ts')).hubKind,
} as const;

/** Opens what an address, as people write it, has now. */
export async function resolveOrigin(text: string, options: OriginOptions): Opening {
  const address = parseAddress(text, options);
  if (!address.ok) return address;
  const { parsed } = address;
  if (parsed.kind === 'archive') return (await KINDS.archive()).resolve(parsed.address, options);
  if (parsed.kind === 'web') return (await KINDS.web()).resolve(parsed.address, options);
  if (parsed.kind === 'npm') return (await KINDS.npm()).resolve(parsed.address, options);
  if (parsed.kind === 'hub') return (await KINDS.hub()).resolve(parsed.address, options);
  return parsed.kind === 'site' ? resolveSite(parsed, options) : gitKind.resolve(parsed.address, options);
}

/** How long a site may take to say whether it has an index. */
const PROBE_MS = 15_000;

/** A site with an index of skills; without one, it may be a repository. */
async function resolveSite(
  { address, repository }: Extract<OriginAddress, { readonly kind: 'site' }>,
  options: OriginOptions,
): Opening {
  if (options.useGitCredentials === true && repository !== undefined) return gitKind.resolve(repository, options);
  const timeoutMs = Math.min(options.timeoutMs ?? PROBE_MS, PROBE_MS);
  const web = await (await KINDS.web()).resolve(address, { ...options, timeoutMs });
  const isDecided = web.ok || web.code === 'PARSE_FAILED' || web.code === 'PATH_REFUSED';
  if (isDecided || repository === undefined || options.signal?.aborted === true) return web;
  const git = await gitKind.resolve(repository, options);
  return git.ok || web.code !== 'SKILL_NOT_FOUND'
    ? git
    : fail(git.code, `${git.message}; nor has it an index of skills`, git.hint);
}

/** Opens exactly what the lock records. */
export async function fetchOrigin(origin: Origin, options: OriginOptions): Opening {
  if (origin.kind === 'archive') return (await KINDS.archive()).fetch(origin, options);
  if (origin.kind === 'web') return (await KINDS.web()).fetch(origin, options);
  if (origin.kind === 'npm') return (await KINDS.npm()).fetch(origin, options);
  if (origin.kind === 'hub') return (await KINDS.hub()).fetch(origin, options);
  return gitKind.fetch(origin, options);
}

/** Opens the newest version of what the lock records. */
export async function newestOrigin(origin: Origin, options: OriginOptions): Opening {
  if (origin.kind === 'archive') return (await KINDS.archive()).newest(origin, options);
  if (origin.kind === 'web') return (await KINDS.web()).newest(origin, options);
  if (origin.kind === 'npm') return (await KINDS.npm()).newest(origin, options);
  if (origin.kind === 'hub') return (await KINDS.hub()).newest(origin, options);
  return gitKind.newest(origin, options);
}
