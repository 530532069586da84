import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const LIBRARY: string = pathToFileURL(resolve('dist/index.js')).href;
export const BIN: string = resolve('bin/skillplane.mjs');

/** One run of a process: how long all of it took, how long its own work, and its peak memory. */
export interface Sample {
  readonly wallMs: number;
  readonly workMs: number;
  readonly peakMb: number;
}

/**
 * Prints time and memory on stderr at exit. Work starts when the code is loaded. On Linux the peak comes from `/proc`,
 * since `resourceUsage` there starts with the memory of the parent process.
 */
const REPORT = `
  const start = performance.now();
  const peakOf = (status) => Number(/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS) / 1024;
  process.on('exit', () => {
    const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
    const file = '/proc/self/status';
    const peakMb = peakOf(existsSync(file) ? readFileSync(file, 'utf8') : '');
    process.stderr.write('\\n' + JSON.stringify({ workMs: performance.now() - start, peakMb }));
  });`;

/** Runs a module given as text. Its work starts at the comment `start`. */
export function runProgram(program: string, home: string): Sample {
  return run(['--input-type=module', '-e', program.replace('/* start */', REPORT)], home);
}

/** Runs our command line as it is. */
export function runCommand(args: readonly string[], home: string): Sample {
  return run([BIN, ...args], home);
}

/** Peak memory of our command line, measured in a separate run because reporting takes time. */
export function peakOfCommand(args: readonly string[], home: string): number {
  return run(['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`, BIN, ...args], home).peakMb;
}

/** Runs Node. Without a report, only the wall time is known. */
export function run(args: readonly string[], home: string, input = ''): Sample {
  const env = { HOME: home, PATH: process.env['PATH'] };
  const start = performance.now();
  const child = spawnSync(process.execPath, args, { cwd: home, env, input, maxBuffer: 1e9 });
  const wallMs = performance.now() - start;
  if (child.status !== 0) throw new Error(`node ${args.join(' ')}: ${child.stderr.toString()}`);
  const report = child.stderr.toString().trim().split('\n').at(-1) ?? '';
  return { wallMs, ...(report.startsWith('{') ? JSON.parse(report) : { workMs: Number.NaN, peakMb: Number.NaN }) };
}
