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

function namespaceTag(): string {
  return pidNamespace().padStart(TAG_LENGTH, '0');
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
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits. Importing this from `node:timers/promises` would slow down every start. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
