import { setImmediate } from 'node:timers/promises';

export function now(): number {
  return Date.now();
}

/** A name that no other process of this machine uses now; for short-lived files. */
export function uniqueName(): string {
  return `${process.pid}-${process.hrtime.bigint().toString(36)}`;
}

/** Yields to other work of this process; for long loops of system calls. */
export function breathe(): Promise<void> {
  return setImmediate();
}
