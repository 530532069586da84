import type { ExitCode, Invocation } from '../command.ts';
import { openManaged, printChanges } from '../managing.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  const verified = await openManaged(invocation).verify(args);
  if (!verified.ok) return reportFailure(invocation, verified);
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
      out.line('An unlocked skill is only in your configuration. `skillplane update` adds it to the lock.');
  }
  return different.length === 0 ? 0 : 1;
}
