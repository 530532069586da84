import { fail, type Outcome } from '../model/outcome.ts';
import { listScopes, type InstallScope } from './install-place.ts';
import { SkillInstaller, type InstallerOptions } from './installer.ts';

/** The installed skills of the project or of the user, and the names that are meant there. */
export interface ManagedScope {
  readonly scope: InstallScope;
  readonly installer: SkillInstaller;
  readonly names: readonly string[];
}

/**
 * Opens the installed skills of the project and the user. `only` selects one scope. By default, the project is included
 * if it has a lock file, and the user if anything is installed or there is no such project.
 */
export async function openScopes(
  options: Omit<InstallerOptions, 'scope'>,
  only: readonly InstallScope[] = [],
): Promise<Outcome<{ readonly scopes: readonly ManagedScope[] }>> {
  const isNarrowed = only.length > 0;
  const scopes: ManagedScope[] = [];
  for (const scope of isNarrowed ? only : listScopes(options)) {
    const installer = new SkillInstaller({ ...options, scope });
    const read = await installer.names();
    if (!read.ok) return read;
    const isEmpty = !read.hasLock && read.names.length === 0;
    if (isNarrowed || !isEmpty || (scope === 'user' && scopes.length === 0))
      scopes.push({ scope, installer, names: read.names });
  }
  return { ok: true, scopes };
}

/** Narrows scopes to these names; without a name, everything counts. Every name must be in one of the scopes. */
export function assignNames(
  scopes: readonly ManagedScope[],
  names: readonly string[],
): Outcome<{ readonly scopes: readonly ManagedScope[] }> {
  if (names.length === 0) return { ok: true, scopes: scopes.map((scope) => ({ ...scope, names: [] })) };
  // A single scope reports missing names itself.
  if (scopes.length === 1) return { ok: true, scopes: scopes.map((scope) => ({ ...scope, names })) };
  const unknown = names.find((name) => scopes.every((scope) => !scope.names.includes(name)));
  if (unknown !== undefined)
    return fail('SKILL_NOT_FOUND', `Skillplane did not install "${unknown}", neither for you nor in this project`, {
      do: 'plugins',
    });
  const narrowed = scopes.map((scope) => ({ ...scope, names: names.filter((name) => scope.names.includes(name)) }));
  return { ok: true, scopes: narrowed.filter((scope) => scope.names.length > 0) };
}
