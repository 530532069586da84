import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

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
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, TERM: 'xterm-256color', ...env },
  });
  return child.stdout.replaceAll('\r\n', '\n');
}
