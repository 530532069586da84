import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** The user's home; skills of the machine stay out. */
  readonly home: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const BIN = resolve('bin', 'skillplane.mjs');
const PATH = process.env['PATH'] ?? '';

/** Runs the built command line as a process of its own. */
export function skillplane(args: readonly string[], { home, cwd = home, env = {} }: CommandOptions): CommandResult {
  const child = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    encoding: 'utf8',
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, ...env },
  });
  return { code: child.status, stdout: child.stdout, stderr: child.stderr };
}

/** The same while this process goes on, for instance as the server that the command asks. */
export async function skillplaneMeanwhile(
  args: readonly string[],
  { home, cwd = home, env = {} }: CommandOptions,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

/** The same on a terminal of the given width, through a pseudo terminal; stdout and stderr come together. */
export function skillplaneOnTerminal(
  args: readonly string[],
  options: CommandOptions & { readonly columns: number; readonly input?: string },
): string {
  const { home, cwd = home, env = {}, columns, input } = options;
  const words = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawnSync('script', ['-qec', `stty cols ${columns} && ${words}`, '/dev/null'], {
    cwd,
    encoding: 'utf8',
    input,
    // A question that nobody answers would wait for ever.
    timeout: 25_000,
    killSignal: 'SIGKILL',
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, TERM: 'xterm-256color', ...env },
  });
  return child.stdout.replaceAll('\r\n', '\n');
}
