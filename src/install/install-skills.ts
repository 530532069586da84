import type { Outcome } from '../model/outcome.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import type { InstallDecisions, InstallReport, InstallRequest } from './install-request.ts';
import { resolveOrigin } from './origins/origin-kinds.ts';
import type { KnownNames } from './staging/name-skills.ts';

/** Fetches skills from an origin and installs them, all at once. */
export async function installSkills(
  request: InstallRequest,
  decisions: InstallDecisions,
  context: ChangeContext,
): Promise<Outcome<InstallReport>> {
  const { url, ref, useGitCredentials, signal } = request;
  const { environment, place, state } = context;
  const { onProgress: report } = decisions;
  report?.({ phase: 'fetch', percent: 0 });
  // Lazy: the rest is loaded while the origin is fetched.
  const load = (): Promise<typeof import('./install-fetched.ts')> => import('./install-fetched.ts');
  const prepare = async (): Promise<Outcome<KnownNames> | undefined> => {
    const [{ prepareRules }] = await Promise.all([import('../audit/reading/examine-text.ts'), load()]);
    prepareRules();
    // A person who is asked may take so long that names are read again.
    if (decisions.pick !== undefined) return undefined;
    const { readNames } = await import('./staging/name-skills.ts');
    return readNames(context);
  };
  let preparing: ReturnType<typeof prepare> | undefined;
  const resolved = await resolveOrigin(url, {
    environment,
    place,
    into: state.dir,
    ref,
    useGitCredentials,
    signal,
    onProgress: report && (({ percent }) => report({ phase: 'fetch', percent })),
    onFetching: () => {
      preparing ??= prepare();
    },
  });
  const names = await preparing;
  if (!resolved.ok) return resolved;
  await using opened = resolved.opened;
  const { installFetched } = await load();
  return await installFetched(opened, request, { ...context, decisions, names });
}
