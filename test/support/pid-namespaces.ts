import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Commands that run a program in a pid namespace of its own, the best first. */
const WAYS: readonly (readonly string[])[] = [
  ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'],
  ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'],
  ['bwrap', '--bind', '/', '/', '--dev', '/dev', '--unshare-pid', '--proc', '/proc', '--die-with-parent'],
];

const works = ([command = '', ...args]: readonly string[]): boolean =>
  spawnSync(command, [...args, process.execPath, '--version']).status === 0;

const way = process.platform === 'linux' ? WAYS.find(works) : undefined;

/** For a test's title: why it is skipped; empty if it runs. */
export const NO_NAMESPACES: string = way === undefined ? ' (skipped: no pid namespaces here)' : '';

/** Runs the text of an ES module in a pid namespace of its own to its end, and returns its output. */
export async function runInNamespace(code: string, args: readonly string[]): Promise<string> {
  const [command = '', ...rest] = way ?? [];
  const node = [process.execPath, '--input-type=module', '--eval', code, '--', ...args];
  const child = spawn(command, [...rest, ...node], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`the process ended with ${child.exitCode}: ${complaints}`);
  return printed.trim();
}
