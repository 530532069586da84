import type { InstalledPlugin } from '../../install.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openManaged, shortCommit } from '../managing.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const listed = await openManaged(invocation).list();
  if (!listed.ok) return reportFailure(invocation, listed);
  const { plugins, lockFile } = listed;
  if (isJson) {
    out.json({ ok: true, lockFile, plugins: plugins.map(toJson) });
    return 0;
  }
  for (const plugin of plugins) {
    const { name, url, ref, commit, isLocked, version, status, held, isTrusted } = toJson(plugin);
    out.line({ text: name, style: 'bold' }, `  ${version ?? 'no version'}  (${status}${held ? ', held' : ''})`);
    out.line(
      '    ',
      `${url}${ref === undefined ? '' : `#${ref}`}  ${isLocked ? shortCommit(commit) : 'not in the lock'}`,
    );
    out.line('    ', { text: isTrusted ? 'trusted' : 'not trusted', style: isTrusted ? 'green' : 'dim' });
  }
  if (plugins.some(({ locked }) => locked === undefined))
    out.line('`skillplane update` adds skills to the lock that are only in your configuration.');
  out.line(plugins.length === 0 ? 'Nothing is installed.' : `${plugins.length} installed; the lock is ${lockFile}`);
  return 0;
}

interface PluginRow {
  readonly name: string;
  readonly url: string | undefined;
  readonly ref: string | undefined;
  readonly commit: string | undefined;
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

function toJson({ name, dir, isPresent, locked, tracked, skill, isTrusted }: InstalledPlugin): PluginRow {
  return {
    name,
    url: locked?.url ?? tracked?.url,
    ref: locked?.ref ?? tracked?.ref,
    commit: locked?.commit,
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
