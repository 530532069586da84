import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { findCommand } from '../environment.ts';
import { attempt } from '../errors.ts';
import { listDirectory } from '../files/files.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { FetchJob, FetchOptions, GitAddress } from './git-address.ts';
import { openBlobReader, type BlobReader } from './git-blobs.ts';
import { fetchCommit, type FetchedCommit } from './git-fetch.ts';
import { findPage, type RepositoryPage } from './git-page.ts';
import { openGit, type Git } from './git-run.ts';
import type { Repository } from './repository.ts';

/**
 * Fetches one commit into a bare repository of our own. Checks nothing out, and runs nothing that the repository or the
 * user's git configuration brings. The caller closes the repository.
 */
export async function fetchGitRepository(
  address: GitAddress,
  options: FetchOptions,
): Promise<Outcome<OpenedRepository>> {
  const refusal = findRefusal(address);
  if (refusal !== undefined) return refusal;
  const program = findCommand('git', options.environment);
  if (program === undefined) return fail('INSTALL_FAILED', 'git is not installed, or not on the PATH');
  const dir = makePrivateFolder(options.into);
  if (!dir.ok) return dir;
  const remove = (): void => void removeTree(dir.path);
  // An ssh address can only be reached with the user's own keys.
  const own = address.kind === 'ssh' ? { ...options, useGitCredentials: true } : options;
  const fetched = await fetchInto({
    address,
    options: own,
    program,
    dir: dir.path,
    sizeNow: () => folderSize(dir.path),
  });
  if (!fetched.ok) {
    remove();
    return fetched;
  }
  return { ok: true, repository: openGitRepository(fetched, remove), page: fetched.page };
}

export interface OpenedRepository {
  readonly repository: Repository;
  /** The ref and folder of a web page, as the remote's own branches and tags tell them apart. */
  readonly page?: RepositoryPage | undefined;
}

/** The last guard before git; callers parse addresses first and refuse them with better messages. */
function findRefusal({ kind, url }: GitAddress): Failure | undefined {
  const isUrl = url.startsWith(`${kind}://`) && /^[a-z]+:\/\/[^-]/.test(url);
  const isScp = kind === 'ssh' && /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9[][^:/@]*:[^-:]/.test(url);
  if (!(isUrl || isScp) || /[\0-\x1f\x7f]/.test(url))
    return fail('INSTALL_FAILED', 'this address cannot be given to git');
  return undefined;
}

interface FetchedRepository extends FetchedCommit {
  readonly blobs: BlobReader;
  readonly page: RepositoryPage | undefined;
}

async function fetchInto(job: FetchJob): Promise<Outcome<FetchedRepository>> {
  const opened = await openGit(job);
  if (!opened.ok) return opened;
  const { git } = opened;
  const page = job.address.isSplitGuessed === true ? await findPage(git, job.address) : undefined;
  // The fetch takes longest and starts first.
  let blobs: BlobReader | undefined;
  const onFetching = (): void => {
    blobs ??= openBlobs(git);
    job.options.onFetching?.();
  };
  const address = { ...job.address, ...page };
  const fetched = await fetchCommit(git, { ...job, address, options: { ...job.options, onFetching } });
  if (!fetched.ok) await blobs?.close();
  if (!fetched.ok) return fetched;
  const notices = [...(job.address.notices ?? []), ...fetched.notices];
  return { ...fetched, blobs: blobs ?? openBlobs(git), notices, page };
}

/** Its process finds objects that are fetched after it has started. */
function openBlobs(git: Git): BlobReader {
  return openBlobReader({ command: git.command(['cat-file', '--batch']), cwd: git.dir, env: git.env });
}

function makePrivateFolder(parent: string): Outcome<{ readonly path: string }> {
  const made = attempt(() => {
    mkdirSync(parent, { recursive: true });
    const path = join(realpathSync(parent), `fetch-${uniqueName()}`);
    mkdirSync(path, { mode: 0o700 });
    mkdirSync(join(path, 'home'), { mode: 0o700 });
    return path;
  });
  if (made.ok) return { ok: true, path: made.value };
  return fail('STORE_FAILED', `a folder in ${parent} could not be created: ${made.message}`);
}

function folderSize(dir: string): number {
  const listing = listDirectory(dir);
  let size = 0;
  for (const { name, kind } of listing.state === 'listed' ? listing.entries : []) {
    const path = join(dir, name);
    const stats = kind === 'file' ? attempt(() => lstatSync(path)) : undefined;
    if (kind === 'directory') size += folderSize(path);
    if (stats?.ok === true) size += stats.value.size;
  }
  return size;
}

function openGitRepository({ blobs, commit, notices, listing }: FetchedRepository, remove: () => void): Repository {
  const close = async (): Promise<void> => {
    await blobs.close();
    remove();
  };
  return {
    commit,
    notices,
    async listTree(path) {
      const listed = await listing;
      return listed.ok ? { ok: true, entries: listed.listing.below(path) } : listed;
    },
    async expect(paths) {
      const listed = await listing;
      const entries = listed.ok ? paths.flatMap((path) => listed.listing.below(path)) : [];
      blobs.expect(entries.filter(({ kind }) => kind === 'file'));
    },
    readBlob: (id, maxBytes) => blobs.read(id, maxBytes),
    close,
    [Symbol.asyncDispose]: close,
  };
}
