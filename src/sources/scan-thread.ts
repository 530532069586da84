/** The program of a thread that reads skills. `read-on-threads.ts` asks it. */
import { answerRequests } from '../platform/process/thread.ts';
import { openFolderReader, type FolderBatch } from './read-folders.ts';
import type { RowColumns } from './row-writer.ts';

serveFolders();

function serveFolders(): void {
  const read = openFolderReader();
  // Only `read-on-threads.ts` sends requests and receives answers, and they are these.
  answerRequests(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    async (request) => read(request as FolderBatch),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    (columns) => listBuffers(columns as RowColumns),
  );
}

function listBuffers({ stamps, cells, narrow, wide, rest }: RowColumns): readonly ArrayBuffer[] {
  return [stamps.buffer, cells.buffer, narrow.buffer, wide.buffer, rest.buffer];
}
