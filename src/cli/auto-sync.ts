import { listSynced, sync } from '../hosts.ts';
import { readSetting } from '../install.ts';
import type { ExitCode, Invocation } from './command.ts';
import { titleHosts } from './output/sync-report.ts';

/** After a command that changed skills: syncs the hosts that are kept in step, if the setting `autoSync` says so. */
export async function syncIfWanted({ cwd, out, renderHint }: Invocation): Promise<ExitCode> {
  const auto = await readSetting('autoSync', { cwd });
  if (!auto.ok || auto.setting.value !== true) return 0;
  for (const project of [false, true]) {
    const hosts = listSynced({ cwd, project });
    const done = hosts.length === 0 ? undefined : await sync({ cwd, project, hosts });
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
