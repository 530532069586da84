import { setImmediate } from 'node:timers/promises';

export function now(): number {
  return Date.now();
}

/** Lets other work of the process run: long loops of system calls call it now and then. */
export function breathe(): Promise<void> {
  return setImmediate();
}
