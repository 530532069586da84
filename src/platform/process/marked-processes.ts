import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { attempt } from '../errors.ts';

/** Tells the processes of one run from all others: both marks pass on to every process that a marked one starts. */
export interface ProcessMark {
  readonly variable: { readonly name: string; readonly value: string };
  /** The hard limit of core files, in blocks of 512 bytes; clearing the environment does not clear it. */
  readonly coreBlocks: number;
}

export const MARK_VARIABLE = 'SKILLPLANE_RUN';

export function makeMark(): ProcessMark {
  // Some 2⁴⁰ values: none that a person would set, and each fits into a limit.
  const coreBlocks = 2 ** 40 + randomInt(2 ** 40);
  return { variable: { name: MARK_VARIABLE, value: coreBlocks.toString(36) }, coreBlocks };
}

/** Can processes be found by their mark here? Only Linux shows them. */
export function canFindMarked(): boolean {
  return process.platform === 'linux';
}

/** The ids of living processes with this mark; of those of other users only root sees all. */
export function findMarked(mark: ProcessMark): readonly number[] {
  const names = attempt(() => readdirSync('/proc'));
  if (!names.ok) return [];
  return names.value
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isMarked(pid, mark));
}

function isMarked(pid: number, { variable, coreBlocks }: ProcessMark): boolean {
  const entries = readProcess(pid, 'environ');
  if (entries.split('\0').includes(`${variable.name}=${variable.value}`)) return true;
  const limit = new RegExp(`^Max core file size +\\d+ +${coreBlocks * 512} `, 'm');
  return limit.test(readProcess(pid, 'limits')) && !isZombie(pid);
}

/** Dead, but its parent has not asked for its exit code; it has no environment, but it keeps its limits. */
function isZombie(pid: number): boolean {
  return /^.*\) [ZX] /s.test(readProcess(pid, 'stat'));
}

function readProcess(pid: number, file: string): string {
  const read = attempt(() => readFileSync(`/proc/${pid}/${file}`, 'latin1'));
  return read.ok ? read.value : '';
}

const PATIENCE_MS = 800;
const PAUSE_MS = 5;

/**
 * Kills every process with this mark. They are stopped first, until no new one appears: among processes that fork
 * faster than they are killed, killing one only makes room for the next.
 */
export async function killMarked(mark: ProcessMark): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const stopped = new Set<number>();
  for (let isCalm = false; performance.now() < deadline; await sleep(PAUSE_MS)) {
    const found = findMarked(mark);
    if (found.length === 0 && isCalm) return;
    const fresh = found.filter((pid) => !stopped.has(pid));
    signalAll(fresh, 'SIGSTOP');
    for (const pid of fresh) stopped.add(pid);
    if (fresh.length === 0) signalAll(found, 'SIGKILL');
    isCalm = fresh.length === 0;
  }
  signalAll(findMarked(mark), 'SIGKILL');
}

function signalAll(pids: readonly number[], signal: 'SIGSTOP' | 'SIGKILL'): void {
  for (const pid of pids) attempt(() => process.kill(pid, signal));
}
