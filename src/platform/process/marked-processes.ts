import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { attempt } from '../errors.ts';

/** Identifies the processes of one run: every process that a marked one starts inherits both marks. */
export interface ProcessMark {
  readonly variable: { readonly name: string; readonly value: string };
  /** The hard limit of core files, in blocks of 512 bytes; it survives clearing the environment. */
  readonly coreBlocks: number;
}

export const MARK_VARIABLE = 'SKILLPLANE_RUN';

export function makeMark(): ProcessMark {
  // Loaded here: git's processes need this file for the name of the variable, and `crypto` takes long to load.
  const { randomInt } = process.getBuiltinModule('node:crypto');
  // One of 2⁴⁰ values that no person would set and that fit into a limit.
  const coreBlocks = 2 ** 40 + randomInt(2 ** 40);
  return { variable: { name: MARK_VARIABLE, value: coreBlocks.toString(36) }, coreBlocks };
}

/** Can this system find processes by their mark? Only Linux can. */
export function canFindMarked(): boolean {
  return process.platform === 'linux';
}

/** The ids of running processes with this mark; only root sees those of other users. */
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

/** Dead, but its parent has not read its exit code: it has no environment, but keeps its limits. */
function isZombie(pid: number): boolean {
  return /^.*\) [ZX] /s.test(readProcess(pid, 'stat'));
}

function readProcess(pid: number, file: string): string {
  const read = attempt(() => readFileSync(`/proc/${pid}/${file}`, 'latin1'));
  return read.ok ? read.value : '';
}

/** On a busy machine, processes that fork on and on take long to stop all at once. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 5;
/** A look misses a process whose parent goes while others are looked at, so one empty look is not enough. */
const EMPTY_LOOKS = 2;
/** Where there were some, they may be such as start another one before they go. */
const EMPTY_LOOKS_AFTER_SOME = 6;

/**
 * Kills every process with this mark. Stops them first, until no new one appears: if processes fork faster than they are
 * killed, killing one only makes room for the next.
 */
export async function killMarked(mark: ProcessMark): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const stopped = new Set<number>();
  for (let emptyLooks = 0; performance.now() < deadline; await sleep(PAUSE_MS)) {
    const found = findMarked(mark);
    emptyLooks = found.length === 0 ? emptyLooks + 1 : 0;
    if (emptyLooks >= (stopped.size === 0 ? EMPTY_LOOKS : EMPTY_LOOKS_AFTER_SOME)) return;
    const fresh = found.filter((pid) => !stopped.has(pid));
    signalAll(fresh, 'SIGSTOP');
    for (const pid of fresh) stopped.add(pid);
    if (fresh.length === 0) signalAll(found, 'SIGKILL');
  }
  signalAll(findMarked(mark), 'SIGKILL');
}

function signalAll(pids: readonly number[], signal: 'SIGSTOP' | 'SIGKILL'): void {
  for (const pid of pids) attempt(() => process.kill(pid, signal));
}
