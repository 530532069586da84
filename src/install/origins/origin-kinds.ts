import type { Origin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { gitKind } from './git-origin.ts';
import type { OpenOrigin, OriginOptions } from './origin-kind.ts';
import { parseAddress, type OriginAddress } from './parse-address.ts';

type Opening = Promise<Outcome<{ readonly opened: OpenOrigin }>>;

/** Opens what an address, as people write it, has now. */
export async function resolveOrigin(text: string, options: OriginOptions): Opening {
  const address = parseAddress(text, options);
  return address.ok ? resolve(address.parsed, options) : address;
}

async function resolve(parsed: OriginAddress, options: OriginOptions): Opening {
  switch (parsed.kind) {
    case 'git':
      return gitKind.resolve(parsed.address, options);
    case 'archive':
      return (await loadArchive()).resolve(parsed.address, options);
    case 'web':
      return (await loadWeb()).resolve(parsed.address, options);
    case 'npm':
      return (await loadNpm()).resolve(parsed.address, options);
    case 'site':
      return resolveSite(parsed, options);
  }
}

/** A site with an index of skills; without one, it may be a repository. */
async function resolveSite(
  { address, repository }: Extract<OriginAddress, { readonly kind: 'site' }>,
  options: OriginOptions,
): Opening {
  const web = options.useGitCredentials === true ? undefined : await (await loadWeb()).resolve(address, options);
  const isDecided = web === undefined ? false : web.ok || web.code === 'PARSE_FAILED' || web.code === 'PATH_REFUSED';
  if (web !== undefined && (isDecided || repository === undefined)) return web;
  const git = repository === undefined ? undefined : await gitKind.resolve(repository, options);
  if (git === undefined || git.ok || web === undefined || web.ok) return git ?? NOTHING;
  return web.code === 'SKILL_NOT_FOUND'
    ? fail(git.code, `${git.message}; nor has it an index of skills`, git.hint)
    : git;
}

const NOTHING = fail('INSTALL_FAILED', 'this is not the address of skills');

/** Opens exactly what the lock records. */
export async function fetchOrigin(origin: Origin, options: OriginOptions): Opening {
  switch (origin.kind) {
    case 'git':
    case 'directory':
      return gitKind.fetch(origin, options);
    case 'archive':
      return (await loadArchive()).fetch(origin, options);
    case 'web':
      return (await loadWeb()).fetch(origin, options);
    case 'npm':
      return (await loadNpm()).fetch(origin, options);
  }
}

/** Opens the newest version of what the lock records. */
export async function newestOrigin(origin: Origin, options: OriginOptions): Opening {
  switch (origin.kind) {
    case 'git':
    case 'directory':
      return gitKind.newest(origin, options);
    case 'archive':
      return (await loadArchive()).newest(origin, options);
    case 'web':
      return (await loadWeb()).newest(origin, options);
    case 'npm':
      return (await loadNpm()).newest(origin, options);
  }
}

// Lazy: most skills come from git.
async function loadArchive(): Promise<typeof import('./archive-origin.ts').archiveKind> {
  return (await import('./archive-origin.ts')).archiveKind;
}

async function loadWeb(): Promise<typeof import('./web-origin.ts').webKind> {
  return (await import('./web-origin.ts')).webKind;
}

async function loadNpm(): Promise<typeof import('./npm-origin.ts').npmKind> {
  return (await import('./npm-origin.ts')).npmKind;
}
