import { closeSync, constants, fsync, openSync } from 'node:fs';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { attempt, explainCode } from '../errors.ts';

/**
 * Flushes written files to disk, hundreds of them while the caller goes on. Several flushes at once share a commit of the file
 * system's journal, and none of them is waited for until all is written.
 */
export interface SyncQueue extends Disposable, AsyncDisposable {
  /** Takes over the descriptor of a file that was written, and closes it. */
  add(fd: number, path: string): void;
  /**
   * Resolves when everything that was added is on disk, or all but so many files, or says what could not be written. The files
   * that are left are flushed while the caller goes on, who flushes again in the end.
   */
  flush(left?: number): Promise<Outcome>;
  /** Forgets what was added and not flushed. */
  [Symbol.dispose](): void;
  /** The same, and waits until no file is open: only then is the room of those that were removed free. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface WrittenFile {
  readonly fd: number;
  readonly path: string;
}

/** As many as Node has threads for files. */
const AT_A_TIME = 4;
/** Beyond that, files are closed and opened again: a process may have a thousand open ones. */
const MAX_OPEN = 256;
/** Fewer are left to the end: creating a file waits for a commit of the journal, which each flush before would cause. */
const MANY_OPEN = 128;
/** So few are on disk soon: a caller who has other things to do need not wait for them. */
export const FEW_LEFT: number = MANY_OPEN;

export function openSyncQueue(): SyncQueue {
  const [open, closed]: [WrittenFile[], string[]] = [[], []];
  let running = 0;
  let fault: Failure | undefined;
  let waiting: { readonly left: number; readonly resolve: (outcome: Outcome) => void } | undefined;
  const refuse = (path: string, message: string): void => {
    fault ??= fail('STORE_FAILED', `${path} could not be written: ${message}`);
  };
  function syncNext(): void {
    for (let next = takeNext(); next !== undefined; next = takeNext()) syncOne(next);
    if (waiting === undefined || running + open.length + closed.length > waiting.left) return;
    waiting.resolve(fault ?? { ok: true });
    [waiting, fault] = [undefined, undefined];
  }
  function takeNext(): WrittenFile | undefined {
    if (running >= AT_A_TIME) return undefined;
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
  function forget(): void {
    closed.length = 0;
    for (const { fd } of open.splice(0)) closeSync(fd);
  }
  function flush(left = 0): Promise<Outcome> {
    const done = Promise.withResolvers<Outcome>();
    waiting = { left, resolve: done.resolve };
    syncNext();
    return done.promise;
  }
  return {
    add(fd, path) {
      if (open.length < MAX_OPEN) open.push({ fd, path });
      else {
        closeSync(fd);
        closed.push(path);
      }
      if (open.length >= MANY_OPEN) syncNext();
    },
    flush,
    [Symbol.dispose]: forget,
    async [Symbol.asyncDispose]() {
      forget();
      await flush();
    },
  };
}
