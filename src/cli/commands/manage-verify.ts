import type { ExitCode } from '../command.ts';
import { openManaged, printChanges, type Managing } from '../managing.ts';
import { reportFailure } from '../output/failure.ts';

export async function verifyPlugins(managing: Managing): Promise<ExitCode> {
  const { name, isJson, out } = managing;
  const verified = await openManaged(managing).verify(name === undefined ? [] : [name]);
  if (!verified.ok) return reportFailure(managing, verified);
  const { plugins } = verified;
  const different = plugins.filter(({ state }) => state !== 'unchanged');
  if (isJson) out.json({ ok: different.length === 0, plugins });
  else {
    for (const plugin of different) {
      out.line({ text: '✗ ', style: 'red' }, plugin.name, `  ${plugin.state}  ${plugin.dir}`);
      printChanges(plugin.changes, out);
    }
    const rest = plugins.length - different.length;
    out.line(`${rest} as the lock says, ${different.length} not.`);
    if (different.some(({ state }) => state === 'changed'))
      out.line(
        'A changed skill is no longer trusted. Run `skillplane install --frozen` to restore what the lock lists.',
      );
    if (different.some(({ state }) => state === 'unlocked'))
      out.line('An unlocked skill is only in your configuration. `skillplane manage update` adds it to the lock.');
  }
  return different.length === 0 ? 0 : 1;
}
