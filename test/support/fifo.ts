import { execFileSync } from 'node:child_process';

/** Every POSIX system has `mkfifo`; Node.js has no call for it. */
const MAKE_FIFO = 'mkfifo';

/** Makes a named pipe. Opening it blocks, because no writer ever comes. */
export function makeFifo(path: string): void {
  execFileSync(MAKE_FIFO, [path]);
}
