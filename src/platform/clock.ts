import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

import { attempt } from './errors.ts';

export function now(): number {
  return Date.now();
}

/**
 * A name that no other process uses now, even in another container or on another machine; for locks and short-lived files.
 * `isOwnerGone` tells from it whether its process has ended.
 */
export function uniqueName(): string {
  return `${process.pid}-${process.hrtime.bigint().toString(36)}${placeTag()}`;
}

const TAG_LENGTH = 7;

/** Read once: a process never changes its own namespace. */
let tag: string | undefined;

/**
 * Identifies the host and pid namespace, within which a pid is unique. FNV-1a, because few starts need `node:crypto`.
 */
function placeTag(): string {
  if (tag !== undefined) return tag;
  // Only Linux has namespaces.
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'));
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${hostname()} ${namespace.ok ? namespace.value : ''}`))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return (tag = hash.toString(36).padStart(TAG_LENGTH, '0'));
}

/** Is the process that made this `uniqueName` running? Undefined if it cannot be seen from here. */
export function isOwnerRunning(name: string): boolean | undefined {
  const [pid = '', rest = ''] = name.split('-');
  if (rest.slice(-TAG_LENGTH) !== placeTag()) return undefined;
  const signalled = attempt(() => process.kill(Number(pid), 0));
  return signalled.ok || signalled.errno !== 'ESRCH';
}

/** Has the process that made this `uniqueName` ended? If it cannot be seen from here, it counts as gone after an hour. */
export function isOwnerGone(name: string, ageMs: number): boolean {
  const isRunning = isOwnerRunning(name);
  return isRunning === undefined ? ageMs > HOUR_MS : !isRunning;
}

const HOUR_MS = 3_600_000;

/** Yields to other work of this process; for long loops of system calls. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The result of a piece of work, or why there is none. */
export type Timed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** Runs foreign work for so long at most. The signal aborts when its time is over; its failure is a value. */
export async function withTimeout<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<Timed<T>> {
  const clock = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Timed<T>>();
  const timer = setTimeout(() => {
    clock.abort();
    resolve({ ok: false, message: `it did not answer within ${timeoutMs} ms` });
  }, timeoutMs);
  const worked = work(clock.signal).then(
    (value): Timed<T> => ({ ok: true, value }),
    (error: unknown): Timed<T> => ({ ok: false, message: error instanceof Error ? error.message : String(error) }),
  );
  try {
    return await Promise.race([promise, worked]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits. Importing this from `node:timers/promises` would slow down every start. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
