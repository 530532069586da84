import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';

/** Names the descriptor of the protocol in the process that `withOwnOutput` starts. */
const VARIABLE = 'SKILLPLANE_MCP_OUTPUT';
const DESCRIPTOR = 3;

/**
 * Takes standard output for the protocol alone: whatever else writes there from now on, wherever it comes from, goes to
 * standard error.
 */
export function takeOutput(): Writable {
  if (hasOwnOutput()) return createWriteStream('', { fd: DESCRIPTOR, autoClose: false });
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Proxy(stdout, {
    get: (target, key) => (key === 'write' ? write : bindTo(target, Reflect.get(target, key))),
  });
}

function bindTo(target: object, value: unknown): unknown {
  return typeof value === 'function' ? value.bind(target) : value;
}

export function hasOwnOutput(): boolean {
  return process.env[VARIABLE] === String(DESCRIPTOR);
}

/**
 * Runs this same command line in a process whose standard output is standard error, and which alone has the real one.
 * Tools that skills bring run inside of the server: their code can write to descriptor 1 itself, or start programs that
 * do, and only this keeps that out of the protocol.
 */
export async function withOwnOutput(): Promise<number> {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 2, 2, 1],
    // In a group of its own: an interrupt from the terminal reaches it once, from here.
    detached: true,
    env: { ...process.env, [VARIABLE]: String(DESCRIPTOR) },
  });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGTERM', forward).on('SIGINT', forward);
  const [code]: unknown[] = await once(child, 'exit');
  process.off('SIGTERM', forward).off('SIGINT', forward);
  return typeof code === 'number' ? code : 1;
}
