import { fail, type Outcome } from '../model/outcome.ts';
import { expandPath } from '../platform/environment.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import type { InstallDecisions, InstallReport, InstallRequest } from './install-request.ts';
import { openAddress } from './origins/open-address.ts';
import { parseRepositoryUrl, type RepositoryAddress } from './origins/repository-url.ts';

/** Fetches a repository or directory and installs skills from it, all at once. */
export async function installSkills(
  request: InstallRequest,
  decisions: InstallDecisions,
  context: ChangeContext,
): Promise<Outcome<InstallReport>> {
  const address = resolveAddress(request.url, context);
  if (!address.ok) return address;
  const { ref, useGitCredentials, signal } = request;
  const { environment, state } = context;
  decisions.onProgress?.({ phase: 'fetch', percent: 0 });
  // Lazy: the rest is loaded while git fetches.
  const load = (): Promise<typeof import('./install-fetched.ts')> => import('./install-fetched.ts');
  const fetched = await openAddress(address, {
    environment,
    into: state.dir,
    ref,
    useGitCredentials,
    signal,
    onProgress: ({ percent }) => decisions.onProgress?.({ phase: 'fetch', percent }),
    onFetching: () => void load(),
  });
  if (!fetched.ok) return fetched;
  await using repository = fetched.repository;
  const { installFetched } = await load();
  return await installFetched({ address: fetched.address, repository }, request, { ...context, decisions });
}

function resolveAddress(url: string, { environment }: ChangeContext): Outcome<RepositoryAddress> {
  const address = parseRepositoryUrl(url);
  if (!address.ok || address.kind !== 'directory') return address;
  const expanded = expandPath(address.url, environment, environment.cwd);
  return expanded.ok ? { ...address, url: expanded.path } : fail('INSTALL_FAILED', expanded.message);
}
