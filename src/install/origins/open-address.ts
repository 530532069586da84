import type { Outcome } from '../../model/outcome.ts';
import type { FetchOptions } from '../../platform/repository/git-address.ts';
import { openRepository } from '../../platform/repository/open-repository.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import { withRefAndPath, type RepositoryAddress } from './repository-url.ts';

/**
 * Opens the repository of an address, and returns the address with the branch and folder that its web page shows. The
 * caller closes the repository.
 */
export async function openAddress(
  address: RepositoryAddress,
  options: FetchOptions,
): Promise<Outcome<{ readonly repository: Repository; readonly address: RepositoryAddress }>> {
  const opened = await openRepository(address, options);
  if (!opened.ok) return opened;
  const { repository, page } = opened;
  return { ok: true, repository, address: page === undefined ? address : withRefAndPath(address, page) };
}
