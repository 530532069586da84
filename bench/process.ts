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
 * Prints time and memory on stderr when the process ends; the work begins when the code is loaded. Linux itself tells
 * the peak: what `resourceUsage` says there begins with the memory of the process that started this one.
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

/** Runs a module given as text; its work begins at the comment that says so. */
export function runProgram(program: string, home: string): Sample {
  return run(['--input-type=module', '-e', program.replace('/* start */', REPORT)], home);
}

/** Runs our command line as it is. */
export function runCommand(args: readonly string[], home: string): Sample {
  return run([BIN, ...args], home);
}

/** Peak memory of our command line. Asking for it takes time, so that it is a run of its own. */
export function peakOfCommand(args: readonly string[], home: string): number {
  return run(['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`, BIN, ...args], home).peakMb;
}

/** Runs Node and measures from outside; without a report only the time is known. */
export function run(args: readonly string[], home: string): Sample {
  const env = { HOME: home, PATH: process.env['PATH'] };
  const start = performance.now();
  const child = spawnSync(process.execPath, args, { cwd: home, env, maxBuffer: 1e9 });
  const wallMs = performance.now() - start;
  if (child.status !== 0) throw new Error(`node ${args.join(' ')}: ${child.stderr.toString()}`);
  const report = child.stderr.toString().trim().split('\n').at(-1) ?? '';
  return { wallMs, ...(report.startsWith('{') ? JSON.parse(report) : { workMs: Number.NaN, peakMb: Number.NaN }) };
}
