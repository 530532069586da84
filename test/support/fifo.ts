import { execFileSync } from 'node:child_process';

/** Of the system, as `ls` is: every POSIX system has it, and Node.js has no call for it. */
const MAKE_FIFO = 'mkfifo';

/** A pipe with a name: opening it waits for a writer, which never comes. */
export function makeFifo(path: string): void {
  execFileSync(MAKE_FIFO, [path]);
}
