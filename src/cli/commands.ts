import { checkCommands } from './command-table/check.ts';
import { connectCommands } from './command-table/connect.ts';
import { getCommands } from './command-table/get.ts';
import { makeCommands } from './command-table/make.ts';
import { useCommands } from './command-table/use.ts';
import type { CommandDefinition } from './command.ts';

const MANAGE = 'manage ';

const rows: readonly CommandDefinition[] = [
  ...useCommands,
  ...getCommands,
  ...makeCommands,
  ...checkCommands,
  ...connectCommands,
];

/**
 * Every command, in the order of the help. Help, the command reference and the parser read these rows. A new command is
 * a row in command-table/ and a file in the folder of its group.
 */
export const commands: readonly CommandDefinition[] = rows.map((row) =>
  row.name === 'manage' ? { ...row, actions: listActions() } : row,
);

/** The commands that are also called `manage <action>`. */
function listActions(): Readonly<Record<string, string>> {
  const managed = rows.flatMap(({ alias = '', arguments: args = {}, summary }) =>
    alias.startsWith(MANAGE) ? [[[alias.slice(MANAGE.length), ...Object.keys(args)].join(' '), summary] as const] : [],
  );
  return Object.fromEntries(managed);
}
