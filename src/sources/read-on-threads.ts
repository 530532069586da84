import { countCores } from '../platform/process/cores.ts';
import { withThreads, type Thread } from '../platform/process/thread.ts';
import type { KeptRow } from './cache-rows.ts';
import { readInBatches } from './read-batches.ts';
import type { BatchRules, Folder, FolderBatch } from './read-folders.ts';
import type { RowColumns } from './row-writer.ts';

export interface ReadingThreads {
  /** How many to start beside this one. Default: one for each further core, at most 3. */
  readonly count?: number | undefined;
  /** Their program. */
  readonly program?: URL | undefined;
}

const MAX_THREADS = 3;
/** Batches that a thread is given at a time, so that it does not wait for the next one. */
const AHEAD = 2;
/** Few objects live longer than the batch they belong to. */
const YOUNG_MB = 12;

/** Reads the skills of these folders here and on other threads, with the same result as on one. */
export async function readOnThreads(
  folders: readonly Folder[],
  rules: BatchRules,
  { count = Math.min(countCores() - 1, MAX_THREADS), program = PROGRAM }: ReadingThreads = {},
): Promise<readonly KeptRow[]> {
  return withThreads(count, { program, youngMb: YOUNG_MB }, (threads) => {
    const helpers = threads.flatMap((thread) =>
      Array.from({ length: AHEAD }, () => (batch: FolderBatch) => ask(thread, batch)),
    );
    return readInBatches(folders, rules, helpers);
  });
}

const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './scan-thread.ts' : './scan-thread.js', import.meta.url);

async function ask(thread: Thread, batch: FolderBatch): Promise<RowColumns | undefined> {
  const asked = await thread.ask(batch, new AbortController().signal);
  // Our own program answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return asked.ok ? (asked.answer as RowColumns) : undefined;
}
