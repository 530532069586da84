import type { InstallScope } from '../../install/install-place.ts';
import type { InstalledPlugin } from '../../install/installer.ts';
import { showAddress } from '../../model/origin.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { showChoice } from '../managing.ts';
import { reportFailure } from '../output/failure.ts';
import { printedSkill } from '../output/printed-skill.ts';
import { openGivenScopes, scopeLabel } from '../scopes.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const opened = await openGivenScopes(invocation);
  if (!opened.ok) return reportFailure(invocation, opened);
  const lists: ScopeList[] = [];
  for (const { scope, installer } of opened.scopes) {
    const listed = await installer.list();
    if (!listed.ok) return reportFailure(invocation, listed);
    lists.push({ scope, lockFile: listed.lockFile, plugins: listed.plugins });
  }
  if (isJson) {
    const lockFiles = Object.fromEntries(lists.map(({ scope, lockFile }) => [scope, lockFile]));
    const plugins = lists.flatMap((list) =>
      list.plugins.map((plugin) => ({
        ...plugin,
        scope: list.scope,
        skill: plugin.skill && printedSkill(plugin.skill),
      })),
    );
    out.json({ ok: true, lockFiles, plugins });
    return 0;
  }
  for (const { scope, lockFile, plugins } of lists) {
    for (const plugin of plugins) printPlugin(plugin, invocation);
    const count = plugins.length === 0 ? 'nothing is installed' : `${plugins.length} installed; lock file: ${lockFile}`;
    const line = `${scopeLabel(scope, opened.scopes)}${count}${plugins.length === 0 ? '.' : ''}`;
    out.line(`${line.slice(0, 1).toUpperCase()}${line.slice(1)}`);
  }
  if (lists.some(({ plugins }) => plugins.some(({ locked }) => locked === undefined)))
    out.line('Some skills are missing from the lock file. Add them with `skillplane update`.');
  return 0;
}

interface ScopeList {
  readonly scope: InstallScope;
  readonly lockFile: string;
  readonly plugins: readonly InstalledPlugin[];
}

function printPlugin(plugin: InstalledPlugin, { out }: Invocation): void {
  const { name, locked, tracked, skill, status, isTrusted } = plugin;
  const version = skill?.defaults?.includes('version') === true ? undefined : skill?.version;
  const held = locked?.held === true ? ', on hold' : '';
  const from = locked?.origin ?? tracked;
  out.line({ text: name, style: 'bold' }, `  ${[version, `(${status}${held})`].filter(Boolean).join('  ')}`);
  out.line(
    '    ',
    `${from === undefined ? '' : showAddress(from)}  ${locked === undefined ? 'not in the lock file' : showChoice(locked.origin)}`,
  );
  if (isTrusted) out.line('    ', { text: 'trusted', style: 'green' });
}
