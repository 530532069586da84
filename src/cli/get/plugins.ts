import type { InstalledPlugin, InstallScope } from '../../install.ts';
import { showAddress, type Origin } from '../../model/origin.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { showChoice } from '../managing.ts';
import { reportFailure } from '../output/failure.ts';
import { openScopes, scopeLabel } from '../scopes.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const opened = await openScopes(invocation);
  if (!opened.ok) return reportFailure(invocation, opened);
  const lists: ScopeList[] = [];
  for (const { scope, installer } of opened.scopes) {
    const listed = await installer.list();
    if (!listed.ok) return reportFailure(invocation, listed);
    lists.push({ scope, lockFile: listed.lockFile, rows: listed.plugins.map((plugin) => toJson(plugin, scope)) });
  }
  if (isJson) {
    const lockFiles = Object.fromEntries(lists.map(({ scope, lockFile }) => [scope, lockFile]));
    out.json({ ok: true, lockFile: lists.at(-1)?.lockFile, lockFiles, plugins: lists.flatMap(({ rows }) => rows) });
    return 0;
  }
  for (const { scope, lockFile, rows } of lists) {
    for (const row of rows) printRow(row, invocation);
    const count = rows.length === 0 ? 'nothing is installed' : `${rows.length} installed; the lock is ${lockFile}`;
    const line = `${scopeLabel(scope, opened.scopes)}${count}${rows.length === 0 ? '.' : ''}`;
    out.line(`${line.slice(0, 1).toUpperCase()}${line.slice(1)}`);
  }
  if (lists.some(({ rows }) => rows.some(({ isLocked }) => !isLocked)))
    out.line('`skillplane update` adds skills to the lock that are only in your configuration.');
  return 0;
}

interface ScopeList {
  readonly scope: InstallScope;
  readonly lockFile: string;
  readonly rows: readonly PluginRow[];
}

function printRow({ name, url, ref, origin, version, status, held, isTrusted }: PluginRow, { out }: Invocation): void {
  out.line({ text: name, style: 'bold' }, `  ${version ?? 'no version'}  (${status}${held ? ', held' : ''})`);
  out.line(
    '    ',
    `${url === undefined ? '' : showAddress({ url, ref })}  ${origin === undefined ? 'not in the lock' : showChoice(origin)}`,
  );
  out.line('    ', { text: isTrusted ? 'trusted' : 'not trusted', style: isTrusted ? 'green' : 'dim' });
}

interface PluginRow {
  readonly name: string;
  readonly scope: InstallScope;
  readonly url: string | undefined;
  readonly ref: string | undefined;
  readonly commit: string | undefined;
  /** Where it came from and exactly what was chosen; undefined if it is not in the lock. */
  readonly origin: Origin | undefined;
  readonly isLocked: boolean;
  readonly path: string | undefined;
  readonly digest: string | undefined;
  readonly version: string | undefined;
  readonly status: string;
  readonly enabled: boolean;
  readonly held: boolean;
  readonly isTrusted: boolean;
  readonly installedAt: string | undefined;
  readonly dir: string;
}

function toJson(plugin: InstalledPlugin, scope: InstallScope): PluginRow {
  const { name, dir, isPresent, locked, tracked, skill, isTrusted } = plugin;
  const origin = locked?.origin;
  return {
    name,
    scope,
    url: origin?.url ?? tracked?.url,
    ref: origin?.ref ?? tracked?.ref,
    commit: origin?.kind === 'git' ? origin.commit : undefined,
    origin,
    isLocked: locked !== undefined,
    path: locked?.path,
    digest: locked?.digest,
    version: skill?.defaults?.includes('version') === true ? undefined : skill?.version,
    status: skill?.status ?? (isPresent ? 'broken' : 'missing'),
    enabled: skill?.enabled ?? tracked?.enabled ?? true,
    held: locked?.held === true,
    isTrusted,
    installedAt: tracked?.installedAt,
    dir,
  };
}
