import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';

import type { Invocation } from '../command.ts';
import { SIGNALS } from '../input/interrupt.ts';
import type { Io } from '../io.ts';

/** Tells the process that `withOwnOutput` starts which descriptor carries the protocol. */
const VARIABLE = 'SKILLPLANE_MCP_OUTPUT';
const DESCRIPTOR = 3;

/** Reserves stdout for the protocol. All other output goes to stderr from now on. */
export function takeOutput(): Writable {
  if (hasOwnOutput(process.env)) return createWriteStream('', { fd: DESCRIPTOR, autoClose: false });
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

export function hasOwnOutput(env: Io['env']): boolean {
  return env[VARIABLE] === String(DESCRIPTOR);
}

/**
 * Runs this command line again in a process whose descriptor 1 is standard error and whose descriptor 3 is the real
 * standard output. Toolsets run inside the server; their code, or a program they start, can write to descriptor 1
 * directly. This keeps such output out of the protocol.
 */
export async function withOwnOutput({ argv, io }: Invocation): Promise<number> {
  const { spawn } = await import('node:child_process');
  const [program = '', ...args] = io.program;
  const child = spawn(program, [...args, ...argv], {
    stdio: ['inherit', 2, 2, 1],
    // Its own process group, so that an interrupt from the terminal arrives once: from here.
    detached: true,
    env: { ...io.env, [VARIABLE]: String(DESCRIPTOR) },
  });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) io.signals.on(signal, forward);
  const [code]: unknown[] = await once(child, 'exit');
  for (const signal of SIGNALS) io.signals.off(signal, forward);
  return typeof code === 'number' ? code : 1;
}
