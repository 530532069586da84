import type { InstallScope } from '../../install/install-place.ts';
import type { VerifiedPlugin } from '../../install/install-record.ts';
import { assignNames } from '../../install/scopes.ts';
import { plural } from '../../model/plural.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { printChanges } from '../managing.ts';
import { reportFailure } from '../output/failure.ts';
import { openGivenScopes, scopeLabel } from '../scopes.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  const opened = await openGivenScopes(invocation);
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
      out.line(
        `${scopeLabel(scope, scopes)}${plural(rest, 'skill matches', 'skills match')} the lock file, ${own.length} ${own.length === 1 ? 'differs' : 'differ'}.`,
      );
    }
    if (plugins.length === 0) out.line('Nothing is installed, and the lock file is empty.');
    printRemedies(different, invocation);
  }
  return different.length === 0 ? 0 : 1;
}

interface ScopedPlugin extends VerifiedPlugin {
  readonly scope: InstallScope;
}

function printRemedies(different: readonly ScopedPlugin[], { out }: Invocation): void {
  const isAny = (state: VerifiedPlugin['state']): boolean => different.some((plugin) => plugin.state === state);
  if (isAny('changed')) out.line('Changed skills are no longer trusted.');
  const restorable = different.filter(({ state }) => state === 'changed' || state === 'missing');
  const [first] = restorable;
  if (first !== undefined) {
    const narrow = restorable.every(({ scope }) => scope === first.scope) ? ` --${first.scope}` : '';
    out.line(`Restore them with \`skillplane install --frozen${narrow}\`.`);
  }
  if (isAny('unlocked')) out.line('Unlocked skills are not in the lock file. Add them with `skillplane update`.');
}
