/**
 * Runs each argument as a shell command, all at the same time: `node tools/side-by-side.ts "oxfmt --check" oxlint`.
 * The output of a command is printed in one piece when it ends. The exit code is 1 if one of them fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const commands = process.argv.slice(2);
const failed = (await Promise.all(commands.map(run))).filter((command) => command !== undefined);
for (const command of failed) console.error(`Failed: ${command}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Returns the command if it failed. */
async function run(command: string): Promise<string | undefined> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => output.push(bytes));
  const [exitCode]: unknown[] = await once(child, 'close');
  process.stdout.write(`> ${command}\n${Buffer.concat(output).toString()}`);
  return exitCode === 0 ? undefined : command;
}
