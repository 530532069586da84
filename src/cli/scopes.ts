import { SkillInstaller, type InstallScope } from '../install.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Invocation } from './command.ts';

/** The project's plugins or the user's, and the names that a command means there. */
export interface ManagedScope {
  readonly scope: InstallScope;
  readonly installer: SkillInstaller;
  readonly names: readonly string[];
}

/**
 * Opens the project's plugins and the user's, with the names of everything there. `--project` and `--user` narrow. Without
 * them the project counts if it has a lock, and the user if anything is installed or there is no such project.
 */
export async function openScopes({
  cwd,
  env,
  options,
  out,
}: Invocation): Promise<Outcome<{ readonly scopes: readonly ManagedScope[] }>> {
  const onWait = (message: string): void => out.note(`Waiting: ${message}.`);
  const isNarrowed = options.has('project') || options.has('user');
  const scopes: ManagedScope[] = [];
  for (const scope of ['project', 'user'] as const) {
    if (isNarrowed && !options.has(scope)) continue;
    const installer = new SkillInstaller({ cwd, env, scope, onWait });
    const read = await installer.names();
    // The home is no project.
    if (!read.ok && scope === 'project' && !isNarrowed && read.code === 'INSTALL_FAILED') continue;
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
  // One scope alone explains itself what it lacks.
  if (scopes.length === 1) return { ok: true, scopes: scopes.map((scope) => ({ ...scope, names })) };
  const unknown = names.find((name) => scopes.every((scope) => !scope.names.includes(name)));
  if (unknown !== undefined)
    return fail(
      'SKILL_NOT_FOUND',
      `"${unknown}" is installed neither in this project nor for you`,
      '`plugins` lists what is installed.',
    );
  const narrowed = scopes.map((scope) => ({ ...scope, names: names.filter((name) => scope.names.includes(name)) }));
  return { ok: true, scopes: narrowed.filter((scope) => scope.names.length > 0) };
}

/** Begins a line about one of two scopes; nothing to tell apart if there is only one. */
export function scopeLabel(scope: InstallScope, scopes: readonly ManagedScope[]): string {
  if (scopes.length < 2) return '';
  return scope === 'project' ? 'In this project: ' : 'For you: ';
}
