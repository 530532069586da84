import { actionsOf, type ExitCode, type Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { describeHelp, printCommandHelp } from '../output/help.ts';

/** Lists the actions. Each is a separate command, which the parser finds as `manage <action>`. */
export async function run({ command, commands, args: [action], out, isJson }: Invocation): Promise<ExitCode> {
  const names = actionsOf(command, commands).map(({ name }) => name.slice(command.name.length + 1));
  if (action !== undefined)
    throw new WrongUsage(`unknown action "${action}"`, `Actions of manage: ${names.join(', ')}.`);
  if (isJson) out.json(describeHelp(actionsOf(command, commands)));
  else printCommandHelp(command, commands, out);
  return 0;
}
