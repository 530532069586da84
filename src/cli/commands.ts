import { checkCommands } from './command-table/check.ts';
import { connectCommands } from './command-table/connect.ts';
import { getCommands } from './command-table/get.ts';
import { makeCommands } from './command-table/make.ts';
import { useCommands } from './command-table/use.ts';
import type { CommandDefinition } from './command.ts';

/**
 * Every command, in the order of the help. Help, the command reference and the parser read these rows. A new command is
 * a row in command-table/ and a file in the folder of its group.
 */
export const commands: readonly CommandDefinition[] = [
  ...useCommands,
  ...getCommands,
  ...makeCommands,
  ...checkCommands,
  ...connectCommands,
];
