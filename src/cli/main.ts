import { resolve } from 'node:path';

import { VERSION } from '../model/version.ts';
import { reportFailure, type ExitCode } from './command.ts';
import { commands } from './commands.ts';
import { openOutput, type Output } from './output.ts';
import { readPlainLine } from './plain-line.ts';

/** Runs one command line and gives its exit code. Nothing that goes wrong shows a stack trace. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  process.stdout.on('error', ignoreClosedPipe);
  const out = openOutput({ stdout: process.stdout, stderr: process.stderr, env: process.env });
  try {
    return await run(argv, out);
  } catch (error) {
    if (process.env['SKILLPLANE_DEBUG']) throw error;
    const message = `this is a bug in skillplane ${VERSION}: ${error instanceof Error ? error.message : String(error)}`;
    reportFailure({ out, isJson: argv.includes('--json') }, { ok: false, code: 'BUG', message });
    return 70;
  }
}

async function run(argv: readonly string[], out: Output): Promise<ExitCode> {
  const plain = readPlainLine(argv, commands);
  if (plain === undefined) return (await import('./command-line.ts')).runCommandLine(argv, out);
  const { definition, flags, values } = plain;
  const command = await definition.load();
  return command.run({ args: [], flags, values, cwd: resolve(process.cwd()), isJson: flags.has('json'), out });
}

/** `skillplane show | head` closes the pipe early, and that is fine. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
