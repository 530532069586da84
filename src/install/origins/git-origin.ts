import type { DirectoryOrigin, GitOrigin, Origin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { expandPath } from '../../platform/environment.ts';
import { openRepository } from '../../platform/repository/open-repository.ts';
import { recordDirectory, resolveDirectory } from '../install-place.ts';
import { findInRepository } from './find-skills.ts';
import type { OpenOrigin, OriginKind, OriginOptions } from './origin-kind.ts';
import { parseUrl } from './parse-url.ts';
import { isUsualHost, parseRepositoryUrl, withRefAndPath, type RepositoryAddress } from './repository-url.ts';

/** Repositories that git fetches, and directories, which are read as they are if they hold no repository. */
export const gitKind: OriginKind<GitOrigin | DirectoryOrigin, RepositoryAddress> = {
  parse(text, { ref }) {
    const parsed = parseRepositoryUrl(text);
    const hasRef = ref !== undefined || (parsed.ok && parsed.ref !== undefined);
    if (mayBeSite(text) && !hasRef) return undefined;
    return parsed.ok ? { ok: true, address: parsed } : parsed;
  },
  async resolve(address, options) {
    if (address.kind !== 'directory') return openAddress(address, options);
    const { environment } = options;
    const expanded = expandPath(address.url, environment, environment.cwd);
    return expanded.ok
      ? openAddress({ ...address, url: expanded.path }, options)
      : fail('INSTALL_FAILED', expanded.message);
  },
  fetch: (origin, options) => openRecorded(origin, origin.kind === 'git' ? origin.commit : undefined, options),
  newest: (origin, options) => openRecorded(origin, origin.ref, options),
};

/** An https address of a host that may have an index of skills; it may be a repository all the same. */
function mayBeSite(text: string): boolean {
  const parsed = /^https?:/i.test(text) ? parseUrl(text) : undefined;
  return parsed?.ok === true && !isUsualHost(parsed.url.hostname) && !parsed.url.pathname.endsWith('.git');
}

async function openRecorded(
  { url, ref: recorded }: Origin,
  ref: string | undefined,
  options: OriginOptions,
): Promise<Outcome<{ readonly opened: OpenOrigin }>> {
  const parsed = parseRecorded(url, options);
  return parsed.ok ? openAddress({ ...parsed, ref: recorded }, { ...options, ref }) : parsed;
}

function parseRecorded(url: string, { place }: OriginOptions): Outcome<RepositoryAddress> {
  if (place === undefined || !/^\.{1,2}(?:\/|$)/.test(url)) return parseRepositoryUrl(url);
  const resolved = resolveDirectory(url, place);
  return resolved.ok ? parseRepositoryUrl(resolved.path) : resolved;
}

async function openAddress(
  given: RepositoryAddress,
  options: OriginOptions,
): Promise<Outcome<{ readonly opened: OpenOrigin }>> {
  const { isOwnAddress } = options;
  const isTyped = isOwnAddress === undefined || isOwnAddress(given.url);
  // These hosts redirect repositories that were renamed.
  const mayRedirect = given.kind === 'https' && isUsualHost(new URL(given.url).hostname);
  const fetched = await openRepository({ ...given, mayRedirect }, { ...options, isTyped });
  if (!fetched.ok) return fetched;
  const { repository: files, page } = fetched;
  const address = page === undefined ? given : withRefAndPath(given, page);
  const { kind, display, skill } = address;
  const { place } = options;
  const url = kind === 'directory' && place !== undefined ? recordDirectory(address.url, place) : address.url;
  const ref = options.ref ?? address.ref;
  const { commit, notices } = files;
  const origin: Origin =
    commit === undefined ? { kind: 'directory', url } : { kind: 'git', url, ...(ref !== undefined && { ref }), commit };
  const opened: OpenOrigin = {
    display,
    url,
    skill,
    notices,
    choice: commit,
    files,
    originOf: () => ({ ok: true, origin }),
    find: () => findInRepository(files, address),
    [Symbol.asyncDispose]: () => files.close(),
  };
  return { ok: true, opened };
}
