import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type ServerProcess = ChildProcessByStdio<null, Readable, Readable>;

/** A running `skillplane mcp --http` with its own home, on a free port. */
export interface HttpProcess {
  readonly url: string;
  /** The headers that its clients need: those of the token that it made, if any. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text on stderr so far. */
  notes(): string;
  readonly child: ServerProcess;
  /** Asks it to end and returns its exit code. */
  stop(): Promise<number | null>;
}

const DEEDS = new Set(['--allow-scripts', '--allow-write', '--allow-toolsets']);
const BIN = resolve('bin', 'skillplane.mjs');

export function serverEnvironment(home: string): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, NODE_COMPILE_CACHE };
}

export async function startHttp(
  home: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpProcess> {
  const child = spawn(process.execPath, [BIN, 'mcp', '--http', '--port', '0', ...args], {
    cwd: home,
    env: { ...serverEnvironment(home), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`the server ended: ${complaints.join('')}`);
    return line.value;
  };
  const url = await next();
  const needsToken = !args.includes('--token-file') && args.some((arg) => DEEDS.has(arg));
  const [name = '', value = ''] = needsToken ? (await next()).split(': ') : [];
  return {
    url,
    headers: needsToken ? { [name.toLowerCase()]: value } : {},
    notes: () => complaints.join(''),
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
