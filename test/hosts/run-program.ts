import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { HostPlace } from '../../src/hosts/host.ts';
import { startOf, type ProgramId } from './programs.ts';

/** Where a program runs, and with which stand-in for its model. */
export interface ProgramPlace extends HostPlace {
  /** The folder that the programs are installed in. */
  readonly programs: string;
  readonly model: string;
}

const LIMIT_MS = 90_000;

/** Runs a program to its end with these words, and with nothing of this machine's environment but the PATH. */
export async function runProgram(
  id: ProgramId,
  words: readonly string[],
  { place, variables = {} }: { readonly place: ProgramPlace; readonly variables?: Readonly<Record<string, string>> },
): Promise<string> {
  const [program = '', ...first] = startOf(id, place.programs);
  const answer = join(mkdtempSync(join(tmpdir(), 'skillplane-answer-')), 'stdout');
  const output = openSync(answer, 'w');
  const child = spawn(program, [...first, ...words], {
    cwd: place.cwd,
    env: { HOME: place.home, PATH: process.env['PATH'], TERM: 'dumb', ...variables, ...place.variables },
    // A pipe would lose the end of long answers: some programs do not wait for it.
    stdio: ['ignore', output, 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const [complaints] = await Promise.all([child.stderr === null ? '' : text(child.stderr), once(child, 'close')]);
  closeSync(output);
  const printed = readFileSync(answer, 'utf8');
  rmSync(dirname(answer), { recursive: true });
  if (child.exitCode !== 0)
    throw new Error(`${id} ${words.join(' ')} ended with ${child.exitCode}: ${complaints.slice(-2000)}`);
  return printed;
}
