import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { isOwnerRunning, now, sleep, uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';

const RETRY_MS = 25;
const PATIENCE_MS = 10_000;
const SIGN_OF_LIFE_MS = 5_000;
const SILENT_MS = 30_000;
const MAX_TOKEN_BYTES = 4_096;

export interface LockOptions {
  /** How long to wait for the lock; 10 s by default. */
  readonly patienceMs?: number;
  /** Called once if the lock is held, with a sentence that says by whom. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/** A lock that this process took. */
export interface HeldLock {
  /**
   * A failure if another process has taken the lock over, as it may if this one stood still for 30 seconds. Call this right
   * before the step that changes something.
   */
  readonly check: () => Outcome;
}

/**
 * Runs `work` under the advisory lock of `path`, so that two processes never change one file at the same time, even in
 * different containers. If its folder is missing, it is created for its owner alone. A lock is abandoned when its process has ended, or has given no sign of life for 30 seconds.
 */
export async function withLock<T>(
  path: string,
  work: (held: HeldLock) => Promise<Outcome<T>>,
  options: LockOptions = {},
): Promise<Outcome<T>> {
  const lock = `${path}.lock`;
  const token = renderToken();
  const acquired = await acquire(lock, token, options);
  if (!acquired.ok) return acquired;
  const isHeld = (): boolean => hasToken(lock, token);
  /** After it, no other process takes the lock over for 30 seconds, unless this one stands still. */
  const giveSign = (): boolean => {
    const held = isHeld();
    if (held) attempt(() => utimesSync(lock, now() / 1_000, now() / 1_000));
    return held;
  };
  const signs = setInterval(giveSign, SIGN_OF_LIFE_MS).unref();
  try {
    return await work({ check: () => (giveSign() ? { ok: true } : lost(path)) });
  } finally {
    clearInterval(signs);
    if (isHeld()) rmSync(lock, { force: true });
  }
}

/** Takes several locks in the given order. */
export async function withLocks<T>(
  paths: readonly string[],
  work: (held: HeldLock) => Promise<Outcome<T>>,
  options: LockOptions = {},
): Promise<Outcome<T>> {
  const [first, ...others] = paths;
  if (first === undefined) return work({ check: () => ({ ok: true }) });
  return withLock(
    first,
    (outer) => withLocks(others, (inner) => work({ check: () => checkAll([outer, inner]) }), options),
    options,
  );
}

function checkAll(locks: readonly HeldLock[]): Outcome {
  return locks.map(({ check }) => check()).find(({ ok }) => !ok) ?? { ok: true };
}

function lost(path: string): Failure {
  return fail('STORE_FAILED', `another process took over the lock of ${path}; nothing was changed`, { retry: 'now' });
}

async function acquire(lock: string, token: string, options: LockOptions): Promise<Outcome> {
  const { patienceMs = PATIENCE_MS } = options;
  let { onWait } = options;
  const made = attempt(() => mkdirSync(dirname(lock), { recursive: true, mode: 0o700 }));
  if (!made.ok) return fail('STORE_FAILED', `${dirname(lock)} could not be created: ${made.message}`);
  for (let waited = 0; ; waited += RETRY_MS) {
    const created = attempt(() => create(lock, token));
    if (created.ok && created.value) return { ok: true };
    if (!created.ok && created.errno !== 'EEXIST')
      return fail('STORE_FAILED', `${lock} could not be written: ${created.message}`);
    const found = readLock(lock);
    if (found === 'not a file') return refuse(lock);
    if (found === undefined || (isAbandoned(found) && setAside(lock, found.text))) continue;
    const message = `${nameOwner(found)} holds ${lock}`;
    onWait?.(message);
    onWait = undefined;
    if (waited >= patienceMs) return fail('STORE_FAILED', message, WAIT);
    await sleep(RETRY_MS);
  }
}

const WAIT: NextStep = {
  advice: `Try again when it has finished. If it has ended or hangs, its lock ends ${SILENT_MS / 1_000} seconds after its last sign of life.`,
};

function refuse(lock: string): Failure {
  return fail('PATH_REFUSED', `${lock} is not a file that Skillplane wrote, so nothing is changed`, { moveAway: lock });
}

/** False if the lock was taken over before the token was written: this process was suspended in between. */
function create(lock: string, token: string): boolean {
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
  return hasToken(lock, token);
}

/** Names the process that holds the lock; no two tokens are equal. */
export function renderToken(): string {
  return `${uniqueName()} ${hostname()}`;
}

const TOKEN = /^(?<name>(?<pid>\d+)-[0-9a-z]+) (?<host>.*)$/s;

/** A lock as it was read. */
interface FoundLock {
  readonly text: string;
  /** Time since its owner's last sign of life. */
  readonly ageMs: number;
}

function isAbandoned({ text, ageMs }: FoundLock): boolean {
  const name = TOKEN.exec(text)?.groups?.['name'];
  return ageMs > SILENT_MS || (name !== undefined && isOwnerRunning(name) === false);
}

function nameOwner({ text }: FoundLock): string {
  const { name, pid, host = '' } = TOKEN.exec(text)?.groups ?? {};
  if (name === undefined) return 'another program';
  if (isOwnerRunning(name) !== undefined) return `process ${pid}`;
  // The lock may be part of a clone, and then holds any text.
  return `process ${pid} of another container or machine${/^[\w.-]{1,64}$/.test(host) ? ` (${host})` : ''}`;
}

function hasToken(lock: string, token: string): boolean {
  const found = readLock(lock);
  return found !== undefined && found !== 'not a file' && found.text === token;
}

/**
 * Only one of several waiting processes can rename it. If that was not the stale lock after all, it is put back. False if
 * this process may not rename it.
 */
function setAside(lock: string, stale: string): boolean {
  const aside = `${lock}.${uniqueName()}`;
  const moved = attempt(() => renameSync(lock, aside));
  if (!moved.ok) return moved.errno === 'ENOENT';
  if (!hasToken(aside, stale)) attempt(() => linkSync(aside, lock));
  rmSync(aside, { force: true });
  return true;
}

const READ_FLAGS: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Undefined if there is none. Follows no link and never blocks: the folder may be part of a clone. */
function readLock(lock: string): FoundLock | 'not a file' | undefined {
  const stats = attempt(() => lstatSync(lock));
  if (!stats.ok) return undefined;
  if (!stats.value.isFile()) return 'not a file';
  const read = attempt(() => readStart(lock));
  if (!read.ok && read.errno === 'ENOENT') return undefined;
  // The locks of other users cannot be read.
  return { text: read.ok ? read.value : 'unreadable', ageMs: Math.abs(now() - stats.value.mtimeMs) };
}

function readStart(path: string): string {
  const fd = openSync(path, READ_FLAGS);
  try {
    const buffer = Buffer.alloc(MAX_TOKEN_BYTES);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, MAX_TOKEN_BYTES, 0));
  } finally {
    closeSync(fd);
  }
}
