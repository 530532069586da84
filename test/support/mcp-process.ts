import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type ServerProcess = ChildProcessByStdio<null, Readable, Readable>;

/** A running `skillplane mcp --http` with its own home, on a free port. */
export interface HttpProcess {
  readonly url: string;
  readonly child: ServerProcess;
  /** Asks it to end and returns its exit code. */
  stop(): Promise<number | null>;
}

const BIN = resolve('bin', 'skillplane.mjs');

export function serverEnvironment(home: string): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, NODE_COMPILE_CACHE };
}

export async function startHttp(home: string, args: readonly string[] = []): Promise<HttpProcess> {
  const child = spawn(process.execPath, [BIN, 'mcp', '--http', '--port', '0', ...args], {
    cwd: home,
    env: serverEnvironment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const [url] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the server ended with ${code}: ${complaints.join('')}`);
    }),
  ])) as [string];
  return {
    url,
    child,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}
