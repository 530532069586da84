import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { fail, type Outcome } from '../../model/outcome.ts';
import { expandPath } from '../environment.ts';
import { exists, isFile, ownerOf, realPath } from '../files/files.ts';
import { openFolderRepository } from './folder-repository.ts';
import type { FetchOptions, GitAddress } from './git-address.ts';
import { findRefFault } from './git-ref.ts';
import { fetchGitRepository, type OpenedRepository } from './git.ts';

/** An address for git, or a directory of this machine, whose `url` is its path. */
export interface RepositoryLocation extends Omit<GitAddress, 'kind' | 'notices'> {
  readonly kind: GitAddress['kind'] | 'directory';
}

/**
 * Opens a repository: git fetches it, unless it is a directory without git, which is read as it is. The caller closes
 * the repository.
 */
export async function openRepository(
  location: RepositoryLocation,
  options: FetchOptions,
): Promise<Outcome<OpenedRepository>> {
  const ref = options.ref ?? location.ref;
  const fault = ref === undefined ? undefined : findRefFault(ref);
  if (fault !== undefined) return fail('INSTALL_FAILED', `the ref ${JSON.stringify(ref)} ${fault}`);
  const { kind } = location;
  if (kind !== 'directory') {
    const isSplitGuessed = options.ref === undefined && location.isSplitGuessed;
    return fetchGitRepository({ ...location, kind, ref, isSplitGuessed }, options);
  }
  return openDirectory({ ...location, ref }, options);
}

async function openDirectory(location: RepositoryLocation, options: FetchOptions): Promise<Outcome<OpenedRepository>> {
  const { url, ref } = location;
  const expanded = expandPath(url, options.environment, options.environment.cwd);
  if (!expanded.ok) return fail('INSTALL_FAILED', expanded.message);
  const dir = realPath(expanded.path);
  if (dir === undefined || ownerOf(dir) === undefined)
    return fail('INSTALL_FAILED', `${expanded.path} is not a directory`);
  if (isGitRepository(dir)) {
    const address = { ...location, kind: 'file', url: pathToFileURL(dir).href, notices: [ONLY_COMMITTED] } as const;
    return fetchGitRepository(address, options);
  }
  if (ref !== undefined) return fail('INSTALL_FAILED', `${dir} is not a git repository, so it has no ref ${ref}`);
  return openFolderRepository(dir);
}

/** Also true of a clean repository: asking git for changes could run the filters that the repository names. */
const ONLY_COMMITTED = 'Only committed files are used.';

function isGitRepository(dir: string): boolean {
  const isBare = isFile(join(dir, 'HEAD')) && exists(join(dir, 'objects')) && exists(join(dir, 'refs'));
  return isBare || exists(join(dir, '.git'));
}
