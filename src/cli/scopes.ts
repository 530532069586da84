import type { InstallScope } from '../install/install-place.ts';
import { openScopes, type ManagedScope } from '../install/scopes.ts';
import type { Invocation } from './command.ts';

/** Opens the scopes that `--project` and `--user` name, or those that there are. */
export function openGivenScopes({ cwd, env, options, out }: Invocation): ReturnType<typeof openScopes> {
  const onWait = (message: string): void => out.note(`Waiting: ${message}.`);
  const only = (['project', 'user'] as const).filter((scope) => options.has(scope));
  return openScopes({ cwd, env, onWait }, only);
}

/** Prefix for a line about one of two scopes; empty if there is only one. */
export function scopeLabel(scope: InstallScope, scopes: readonly ManagedScope[]): string {
  if (scopes.length < 2) return '';
  return scope === 'project' ? 'In this project: ' : 'For you: ';
}
