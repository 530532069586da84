import { close, closeSync, constants, fsync, openSync } from 'node:fs';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { attempt, explainCode } from '../errors.ts';

/**
 * Flushes written files to disk while the caller goes on. Several flushes at once share a commit of the file system's
 * journal, and none of them is waited for until all is written.
 */
export interface SyncQueue extends Disposable {
  /** Takes over the descriptor of a file that was written, and closes it. */
  add(fd: number, path: string): void;
  /** Resolves when everything that was added is on disk, or says what could not be written. */
  flush(): Promise<Outcome>;
  /** Forgets what was added and not flushed. */
  [Symbol.dispose](): void;
}

interface WrittenFile {
  readonly fd: number;
  readonly path: string;
}

/** The number of Node's threads for files, unless the process was given more. */
const USUAL_THREADS = 4;
/** Beyond that, files are closed and opened again: a process may have a thousand open ones. */
const MAX_OPEN = 256;

export function openSyncQueue(): SyncQueue {
  const open: WrittenFile[] = [];
  const closed: string[] = [];
  // With more at a time, more of them share a commit.
  const atATime = Number(process.env['UV_THREADPOOL_SIZE']) || USUAL_THREADS;
  let running = 0;
  let fault: Failure | undefined;
  let onIdle: (() => void) | undefined;
  const refuse = (path: string, message: string): void => {
    fault ??= fail('STORE_FAILED', `${path} could not be written: ${message}`);
  };
  function syncNext(): void {
    for (let next = takeNext(); next !== undefined; next = takeNext()) syncOne(next);
    if (running === 0) onIdle?.();
  }
  function takeNext(): WrittenFile | undefined {
    if (running >= atATime) return undefined;
    const path = open.length === 0 ? closed.shift() : undefined;
    if (path === undefined) return open.shift();
    const opened = attempt(() => openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)));
    if (opened.ok) return { fd: opened.value, path };
    refuse(path, opened.message);
    return takeNext();
  }
  function syncOne({ fd, path }: WrittenFile): void {
    running += 1;
    fsync(fd, (error) => {
      closeSync(fd);
      running -= 1;
      if (error !== null) refuse(path, explainCode(error.code ?? 'EIO'));
      syncNext();
    });
  }
  return {
    add(fd, path) {
      if (open.length < MAX_OPEN) open.push({ fd, path });
      else {
        closeSync(fd);
        closed.push(path);
      }
      syncNext();
    },
    flush() {
      const idle = Promise.withResolvers<Outcome>();
      onIdle = () => {
        onIdle = undefined;
        idle.resolve(fault ?? { ok: true });
        fault = undefined;
      };
      syncNext();
      return idle.promise;
    },
    [Symbol.dispose]() {
      closed.length = 0;
      for (const { fd } of open.splice(0)) close(fd);
    },
  };
}
