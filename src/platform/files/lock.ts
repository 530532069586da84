import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';

const RETRY_MS = 25;
const PATIENCE_MS = 10_000;
/** No process holds a lock this long: its owner died on another machine, or another process has its id. */
const STALE_MS = 60_000;
/** For a lock whose owner was killed before it wrote its token. */
const EMPTY_MS = 2_000;

export interface LockOptions {
  /** How long to wait for the lock; 10 s by default. */
  readonly patienceMs?: number;
}

/** Runs `work` under the advisory lock of `path`, so that two processes never change one file at the same time. */
export async function withLock<T>(
  path: string,
  work: () => Promise<Outcome<T>>,
  { patienceMs = PATIENCE_MS }: LockOptions = {},
): Promise<Outcome<T>> {
  const lock = `${path}.lock`;
  const token = uniqueName();
  const taken = await take(lock, token, patienceMs);
  if (!taken.ok) return taken;
  try {
    return await work();
  } finally {
    if (readToken(lock) === token) rmSync(lock, { force: true });
  }
}

/** Takes several locks in the given order. */
export async function withLocks<T>(
  paths: readonly string[],
  work: () => Promise<Outcome<T>>,
  options: LockOptions = {},
): Promise<Outcome<T>> {
  const [first, ...others] = paths;
  return first === undefined ? work() : withLock(first, () => withLocks(others, work, options), options);
}

async function take(lock: string, token: string, patienceMs: number): Promise<Outcome> {
  const made = attempt(() => mkdirSync(dirname(lock), { recursive: true }));
  if (!made.ok) return fail('STORE_FAILED', `${dirname(lock)} could not be created: ${made.message}`);
  for (let waited = 0; ; waited += RETRY_MS) {
    const created = attempt(() => create(lock, token));
    if (created.ok) return { ok: true };
    if (created.errno !== 'EEXIST') return fail('STORE_FAILED', `${lock} could not be written: ${created.message}`);
    const stale = findStaleToken(lock);
    if (stale !== undefined) setAside(lock, stale);
    else if (waited >= patienceMs)
      return fail('STORE_FAILED', `another process holds ${lock}`, 'Remove the file if no such process is running.');
    else await sleep(RETRY_MS);
  }
}

function create(lock: string, token: string): void {
  const fd = openSync(lock, 'wx', 0o600);
  try {
    writeSync(fd, token);
  } catch (error) {
    // A full disk: a lock without a token would block everyone.
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** The token of a lock whose owner is gone; undefined while the lock is held. */
function findStaleToken(lock: string): string | undefined {
  const token = readToken(lock);
  const stats = attempt(() => statSync(lock));
  if (token === undefined || !stats.ok) return undefined;
  const owner = Number.parseInt(token, 10);
  const ageMs = Date.now() - stats.value.mtimeMs;
  const isStale = ageMs > (token === '' ? EMPTY_MS : STALE_MS) || (owner > 0 && !isAlive(owner));
  return isStale ? token : undefined;
}

/** Only one of several waiting processes can rename it. If that was not the stale lock after all, it is put back. */
function setAside(lock: string, stale: string): void {
  const aside = `${lock}.${uniqueName()}`;
  if (!attempt(() => renameSync(lock, aside)).ok) return;
  if (readToken(aside) !== stale) attempt(() => linkSync(aside, lock));
  rmSync(aside, { force: true });
}

/** Is there a process with this id on this machine? */
export function isAlive(pid: number): boolean {
  const signalled = attempt(() => process.kill(pid, 0));
  return signalled.ok || signalled.errno !== 'ESRCH';
}

function readToken(lock: string): string | undefined {
  const read = attempt(() => readFileSync(lock, 'utf8'));
  return read.ok ? read.value : undefined;
}
