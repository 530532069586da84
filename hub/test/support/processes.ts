import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

export const PROGRAM: string = join(import.meta.dirname, '../../bin/skillplane-hub.mjs');

/** A hub in a process of its own. */
export interface HubProcess {
  readonly url: string;
  /** The first admin's token; empty unless this start made it. */
  readonly token: string;
  readonly child: ChildProcess;
  /** Everything that it printed so far. */
  readonly output: () => string;
  /** Asks it to stop; returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts the program on any free port. The test ends it, however it ends itself. */
export async function startHub(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HubProcess> {
  const child = spawn(process.execPath, [PROGRAM, '--port', '0', ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await expect.poll(() => output, { timeout: 240_000 }).toMatch(/"event":"listening"/);
  const exited = once(child, 'exit');
  return {
    url: /http:\/\/[\d.:]+/.exec(output)?.[0] ?? '',
    token: /sphub_[\w-]+/.exec(output)?.[0] ?? '',
    child,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
