import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';

/** Lists the actions. Each is a command of its own; the parser takes `manage <action>` for it. */
export async function run({ command, args: [action], out, isJson }: Invocation): Promise<ExitCode> {
  const actions = Object.entries(command.actions ?? {});
  const names = actions.map(([notation]) => notation.split(' ')[0]);
  if (action !== undefined) throw new WrongUsage(`unknown action "${action}"`, `manage takes ${names.join(', ')}.`);
  if (isJson) out.json({ ok: true, actions: actions.map(([, help], at) => ({ action: names[at], help })) });
  else {
    out.line('skillplane manage <action> [name]');
    const width = Math.max(...actions.map(([notation]) => notation.length));
    for (const [notation, help] of actions)
      out.line('  ', { text: notation.padEnd(width), style: 'bold' }, `  ${help}`);
  }
  return 0;
}
