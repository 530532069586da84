import { countCores } from '../../platform/process/cores.ts';
import { withThreads, type Thread } from '../../platform/process/thread.ts';
import type { HostFile } from './history-reader.ts';
import type { FileBatch } from './read-batch.ts';
import type { AskForFiles, FileResult } from './read-in-order.ts';

/** Threads that help with reading. */
export interface HistoryThreads {
  /** Their program, which answers each `FileBatch` by `readBatch`. */
  readonly program: URL;
  /** How many to start. Default: one for each further core, at most 3. */
  readonly count?: number | undefined;
  /** They are started only for so many bytes. Default: 256 MiB. */
  readonly fromBytes?: number | undefined;
}

const MAX_THREADS = 3;
/** Batches that a thread is given at a time, so that it does not wait for the next one. */
const AHEAD = 2;

/** Starts threads for the time of `work`. Where that is not possible, there are fewer helpers. */
export async function withReaders<T>(
  { program, count = Math.min(countCores() - 1, MAX_THREADS) }: HistoryThreads,
  batch: Omit<FileBatch, 'files'>,
  work: (helpers: readonly AskForFiles[]) => Promise<T>,
): Promise<T> {
  return withThreads(count, { program }, (threads) => {
    const helpers = threads.map(
      (thread): AskForFiles =>
        (files) =>
          ask(thread, { ...batch, files: files.map(toPlain) }),
    );
    return work(helpers.flatMap((helper) => Array.from({ length: AHEAD }, () => helper)));
  });
}

function toPlain({ host, file }: HostFile): FileBatch['files'][number] {
  const { mtimeMs, ctimeMs, size, ino } = file.stamp;
  return { host: host.id, file: { ...file, stamp: { mtimeMs, ctimeMs, size, ino } } };
}

async function ask(thread: Thread, batch: FileBatch): Promise<readonly FileResult[] | undefined> {
  const asked = await thread.ask(batch, new AbortController().signal);
  // Our own program answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return asked.ok ? (asked.answer as readonly FileResult[]) : undefined;
}
