import { checkCommands } from './command-table/check.ts';
import { connectCommands } from './command-table/connect.ts';
import { findCommands } from './command-table/find.ts';
import { installAndTrustCommands } from './command-table/install-and-trust.ts';
import { readAndRunCommands } from './command-table/read-and-run.ts';
import { writeCommands } from './command-table/write.ts';
import type { CommandDefinition } from './command.ts';

/**
 * Every command, in the order of the help. Help, the command reference and the parser read these rows. A new command is
 * a row in command-table/ and a file in commands/.
 */
export const commands: readonly CommandDefinition[] = [
  ...findCommands,
  ...readAndRunCommands,
  ...installAndTrustCommands,
  ...writeCommands,
  ...connectCommands,
  ...checkCommands,
];
