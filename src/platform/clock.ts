import { isAlive, pidNamespace } from './process/process-identity.ts';

export function now(): number {
  return Date.now();
}

/**
 * A name that no other process of this machine uses now, even in another container; for short-lived files.
 * `isOwnerGone` tells from it whether its process has ended.
 */
export function uniqueName(): string {
  return `${process.pid}-${process.hrtime.bigint().toString(36)}${namespaceTag()}`;
}

const TAG_LENGTH = 7;

/** Read once: a process never changes its own namespace. */
let tag: string | undefined;

function namespaceTag(): string {
  return (tag ??= pidNamespace().padStart(TAG_LENGTH, '0'));
}

/**
 * Has the process that made this `uniqueName` ended? It cannot be seen in another pid namespace: there it counts as gone
 * after an hour.
 */
export function isOwnerGone(name: string, ageMs: number): boolean {
  const [pid = '', rest = ''] = name.split('-');
  const isForeign = rest.length > TAG_LENGTH && rest.slice(-TAG_LENGTH) !== namespaceTag();
  return isForeign ? ageMs > HOUR_MS : !isAlive(Number(pid));
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
