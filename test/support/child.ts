import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

export type ModuleProcess = ChildProcessByStdio<null, Readable, Readable>;

/** Can a process run every source file as it is? Node.js 22 does not know `using`, which the build replaces. */
export const RUNS_SOURCES: boolean = Number(process.versions.node.split('.', 1)[0]) >= 24;

/** The URL by which a child process imports a source file: `sourceUrl('platform/files/files.ts')`. */
export function sourceUrl(path: string): string {
  return new URL(`../../src/${path}`, import.meta.url).href;
}

/** Starts the text of an ES module as a process; `args` are its `process.argv.slice(1)`. */
export function startModule(code: string, args: readonly string[] = []): ModuleProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code, '--', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs a module to its end and parses its output as JSON. */
export async function runModule(code: string, args: readonly string[] = []): Promise<unknown> {
  const child = startModule(code, args);
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`the process ended with ${child.exitCode}: ${complaints}`);
  return JSON.parse(printed);
}

/** The next line that a process prints; throws if it ends without one. */
export async function nextLine(child: ModuleProcess): Promise<string> {
  let complaints = '';
  child.stderr.on('data', (bytes: Buffer) => (complaints += bytes.toString()));
  const ended = once(child, 'close').then(() => {
    throw new Error(`the process ended with ${child.exitCode} before it printed a line: ${complaints}`);
  });
  const [chunk]: unknown[] = await Promise.race([once(child.stdout, 'data'), ended]);
  return String(chunk).trim();
}

/** Code that gives up root, so that permissions count; it does nothing for other users. */
export const DROP_PRIVILEGES =
  'if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }';
