import { fail } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { forEachName, isConsented, openManaged } from '../managing.ts';
import { CONSENT_HINT } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const installer = openManaged(invocation);
  return forEachName(invocation, async (name) => {
    const found = await installer.find(name);
    if (!found.ok) return found;
    if (!(await isConsented(invocation, `Remove ${found.plugin.dir}?`)))
      return fail('INSTALL_FAILED', `"${name}" was not removed`, CONSENT_HINT);
    const removed = await installer.remove(name);
    if (!removed.ok) return removed;
    const line = `Removed ${name}: ${removed.dir}, its lock entry and its settings.`;
    return { ok: true, result: { name, dir: removed.dir }, lines: [line] };
  });
}
