import { fail } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { forEachName, isConsented, openManaged } from '../managing.ts';
import { CONSENT_HINT } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const installer = openManaged(invocation);
  const dryRun = invocation.options.has('dryRun');
  return forEachName(invocation, async (name) => {
    const found = await installer.find(name);
    if (!found.ok) return found;
    const { dir } = found.plugin;
    if (dryRun) {
      const line = `Would remove ${name}: ${dir}, its lock entry and its settings.`;
      return { ok: true, result: { name, dir, dryRun }, lines: [line] };
    }
    if (!(await isConsented(invocation, `Remove ${dir}?`)))
      return fail('INSTALL_FAILED', `"${name}" was not removed`, CONSENT_HINT);
    const removed = await installer.remove(name);
    if (!removed.ok) return removed;
    return { ok: true, result: { name, dir }, lines: [`Removed ${name}: ${dir}, its lock entry and its settings.`] };
  });
}
