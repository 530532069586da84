import { readSetting } from '../install.ts';
import type { ExitCode, Invocation } from './command.ts';

/** After a command that changed skills: syncs the hosts that are kept in step, if the setting `autoSync` says so. */
export async function syncIfWanted({ cwd, env, out, renderHint }: Invocation): Promise<ExitCode> {
  const auto = await readSetting('autoSync', { cwd, env });
  if (!auto.ok || auto.setting.value !== true) return 0;
  // Lazy: few people keep their agents in sync.
  const [{ listSynced, sync }, { titleHosts }] = await Promise.all([
    import('../hosts.ts'),
    import('./output/sync-report.ts'),
  ]);
  for (const project of [false, true]) {
    const hosts = listSynced({ cwd, env, project });
    const done = hosts.length === 0 ? undefined : await sync({ cwd, env, project, hosts });
    if (done === undefined) continue;
    if (!done.ok) {
      out.error({ text: 'skillplane: ', style: 'red' }, `the hosts were not synced: ${done.message}`);
      if (done.hint !== undefined) out.error(renderHint(done.hint));
      return 1;
    }
    const { changes } = done.report;
    if (changes.length > 0) out.note(`Synced ${titleHosts(hosts)}: ${changes.length} changed.`);
  }
  return 0;
}
