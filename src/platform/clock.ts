import { setImmediate } from 'node:timers/promises';

export function now(): number {
  return Date.now();
}

/** A name that no other process on this machine gives at the same time; for files that are gone in a moment. */
export function uniqueName(): string {
  return `${process.pid}-${process.hrtime.bigint().toString(36)}`;
}

/** Lets other work of the process run: long loops of system calls call it now and then. */
export function breathe(): Promise<void> {
  return setImmediate();
}
