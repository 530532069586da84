import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { Environment } from '../environment.ts';
import { makeTemporaryFolder } from '../files/leftovers.ts';
import { removeTree } from '../files/remove-tree.ts';
import { findPublicAddresses } from '../web/address-guard.ts';
import { findProxy } from '../web/find-proxy.ts';
import type { FetchOptions, GitAddress, RepositoryPage } from './git-address.ts';
import { openGit, type Git } from './git-command.ts';
import { fetchCommit, findPage } from './git-fetch.ts';
import { listCommit, openFileReader } from './git-files.ts';
import { openTreeListing, type Repository, type TreeEntry } from './repository.ts';

export interface OpenedRepository {
  readonly repository: Repository;
  /** The ref and folder in a web page's URL, resolved with the remote's branches and tags. */
  readonly page?: RepositoryPage | undefined;
}

/**
 * Fetches one commit into our own bare repository. Checks nothing out, and runs nothing from the repository or the
 * user's git configuration. The caller closes the repository.
 */
export async function fetchGitRepository(
  address: GitAddress,
  options: FetchOptions,
): Promise<Outcome<OpenedRepository>> {
  const refusal = findRefusal(address);
  if (refusal !== undefined) return refusal;
  const pinned = options.isTyped === false ? await pinHost(address, options.environment) : undefined;
  if (pinned?.ok === false) return pinned;
  const made = makeTemporaryFolder(options.into, (dir) => mkdirSync(join(dir, 'home'), { mode: 0o700 }));
  if (!made.ok) return made;
  // An ssh address can only be reached with the user's own keys.
  const own = address.kind === 'ssh' ? { ...options, useGitCredentials: true } : options;
  const fetched = await fetchInto(made.dir, address, own, pinned?.resolved);
  if (!fetched.ok) removeTree(made.dir);
  return fetched;
}

/** The last guard before git; callers parse addresses first and refuse them with better messages. */
function findRefusal({ kind, url }: GitAddress): Failure | undefined {
  const isUrl = url.startsWith(`${kind}://`) && /^[a-z]+:\/\/[^-]/.test(url);
  const isScp = kind === 'ssh' && /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9[][^:/@]*:[^-:]/.test(url);
  if (!(isUrl || isScp) || /[\0-\x1f\x7f]/.test(url))
    return fail('INSTALL_FAILED', 'this address cannot be given to git');
  return undefined;
}

/**
 * Refuses a host inside this machine's network, and says where git finds it: another lookup could give another answer. Git
 * before 2.37 and ssh look it up again all the same.
 */
async function pinHost(
  { kind, url }: GitAddress,
  environment: Environment,
): Promise<Outcome<{ readonly resolved?: string }>> {
  if (kind === 'file') return { ok: true };
  // `user@host:path` is not a URL.
  const target = new URL(url.includes('://') ? url : `ssh://${url.replace(':', '/')}`);
  const found = await findPublicAddresses(target.hostname);
  if (!found.ok) return fail(found.code, `${url} could not be fetched: ${found.message}`, found.next);
  if (kind !== 'ssh' && findProxy(environment)?.serves(target) === true) return { ok: true };
  const addresses = found.addresses.map((address) => (address.includes(':') ? `[${address}]` : address));
  if (addresses.length === 0)
    return fail('INSTALL_FAILED', `${url} could not be fetched: host not found, or no network`);
  return kind === 'https'
    ? { ok: true, resolved: `${target.hostname}:${target.port || '443'}:${addresses.join(',')}` }
    : { ok: true };
}

async function fetchInto(
  dir: string,
  address: GitAddress,
  options: FetchOptions,
  resolved: string | undefined,
): Promise<Outcome<OpenedRepository>> {
  const opened = await openGit(dir, address, options, resolved);
  if (!opened.ok) return opened;
  const { git } = opened;
  const page = address.isSplitGuessed === true ? await findPage(git, address) : undefined;
  const fetched = await fetchCommit(git, { ...address, ...page }, options);
  if (!fetched.ok) return fetched;
  const { commit } = fetched;
  const listed = await listCommit(git, commit);
  if (!listed.ok) return listed;
  const notices = [...(address.notices ?? []), ...fetched.notices];
  return { ok: true, repository: openCommit(git, listed.entries, { commit, notices }), page };
}

function openCommit(
  git: Git,
  entries: readonly TreeEntry[],
  facts: Pick<Repository, 'commit' | 'notices'>,
): Repository {
  const tree = openTreeListing(entries);
  const files = new Map(entries.flatMap((entry) => (entry.kind === 'file' ? [[entry.id, entry]] : [])));
  const reader = openFileReader(git);
  const close = async (): Promise<void> => {
    await reader.close();
    removeTree(git.dir);
  };
  return {
    ...facts,
    listTree: async (path) => ({ ok: true, entries: tree.below(path) }),
    async readBlob(id, maxBytes) {
      const file = files.get(id);
      if (file === undefined) return fail('INSTALL_FAILED', 'this is not a file of the repository');
      if (file.size > maxBytes) return fail('INSTALL_FAILED', `it is larger than ${maxBytes} bytes`);
      return reader.read(file);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
