import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { startInside } from './command-line.ts';

export type ServerProcess = ChildProcessByStdio<null, Readable, Readable>;

/** A running `skillplane mcp --http` with its own home, on a free port. */
export interface HttpServer {
  readonly url: string;
  /** The headers that its clients need: those of the token that it made, if any. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text on stderr so far. */
  readonly notes: () => string;
  /** Asks it to end and returns its exit code. */
  stop(): Promise<number | null>;
}

export interface HttpProcess extends HttpServer {
  readonly child: ServerProcess;
}

const DEEDS = new Set(['--allow-scripts', '--allow-write', '--allow-toolsets']);
const BIN = resolve('bin', 'skillplane.mjs');

export function serverEnvironment(home: string): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, NODE_COMPILE_CACHE };
}

/** Serves inside this process. */
export async function startHttp(home: string, args: readonly string[] = []): Promise<HttpServer> {
  const command = startInside(['mcp', '--http', '--port', '0', ...args], { home });
  const address = await readAddress(command.stdout, args, command.stderr);
  return {
    ...address,
    notes: command.stderr,
    stop() {
      command.signal('SIGTERM');
      return command.ended;
    },
  };
}

/** Serves in a process of its own, for tests about the process. */
export async function startHttpProcess(
  home: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpProcess> {
  const child = spawn(process.execPath, [BIN, 'mcp', '--http', '--port', '0', ...args], {
    cwd: home,
    env: { ...serverEnvironment(home), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const address = await readAddress(child.stdout, args, () => complaints);
  return {
    ...address,
    notes: () => complaints,
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

/** Where it serves, and the headers for that, from its first lines. */
async function readAddress(
  stdout: Readable,
  args: readonly string[],
  complaints: () => string,
): Promise<Pick<HttpServer, 'url' | 'headers'>> {
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`the server ended: ${complaints()}`);
    return line.value;
  };
  const url = await next();
  const needsToken = !args.includes('--token-file') && args.some((arg) => DEEDS.has(arg));
  if (!needsToken) return { url, headers: {} };
  const [name = '', value = ''] = (await next()).split(': ');
  return { url, headers: { [name.toLowerCase()]: value } };
}
