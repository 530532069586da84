import type { InstallScope, VerifiedPlugin } from '../../install.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { printChanges } from '../managing.ts';
import { reportFailure } from '../output/failure.ts';
import { assignNames, openScopes, scopeLabel } from '../scopes.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  const opened = await openScopes(invocation);
  const assigned = opened.ok ? assignNames(opened.scopes, args) : opened;
  if (!assigned.ok) return reportFailure(invocation, assigned);
  const { scopes } = assigned;
  const plugins: ScopedPlugin[] = [];
  for (const { scope, installer, names } of scopes) {
    const verified = await installer.verify(names);
    if (!verified.ok) return reportFailure(invocation, verified);
    plugins.push(...verified.plugins.map((plugin) => ({ ...plugin, scope })));
  }
  const different = plugins.filter(({ state }) => state !== 'unchanged');
  if (isJson) out.json({ ok: different.length === 0, plugins });
  else {
    for (const { scope } of scopes) {
      const own = different.filter((plugin) => plugin.scope === scope);
      for (const { name, state, dir, changes } of own) {
        out.line({ text: '✗ ', style: 'red' }, name, `  ${state}  ${dir}`);
        printChanges(changes, out);
      }
      if (plugins.length === 0) continue;
      const rest = plugins.filter((plugin) => plugin.scope === scope).length - own.length;
      out.line(`${scopeLabel(scope, scopes)}${rest} as the lock says, ${own.length} not.`);
    }
    if (plugins.length === 0) out.line('Nothing is installed, and no lock lists anything.');
    printRemedies(different, invocation);
  }
  return different.length === 0 ? 0 : 1;
}

interface ScopedPlugin extends VerifiedPlugin {
  readonly scope: InstallScope;
}

function printRemedies(different: readonly ScopedPlugin[], { out }: Invocation): void {
  const isAny = (state: VerifiedPlugin['state']): boolean => different.some((plugin) => plugin.state === state);
  if (isAny('changed')) out.line('A changed skill is no longer trusted.');
  const restorable = different.filter(({ state }) => state === 'changed' || state === 'missing');
  const [first] = restorable;
  if (first !== undefined) {
    const narrow = restorable.every(({ scope }) => scope === first.scope) ? ` --${first.scope}` : '';
    out.line(`Run \`skillplane install --frozen${narrow}\` to restore what the lock lists.`);
  }
  if (isAny('unlocked'))
    out.line('An unlocked skill is only in your configuration. `skillplane update` adds it to the lock.');
}
