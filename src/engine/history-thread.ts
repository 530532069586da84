/** The program of a thread that reads transcripts. `hosts/history/history-threads.ts` asks it. */
import { openHistoryReader, type ReadHostFile } from '../hosts/history/history-reader.ts';
import { readBatch, type FileBatch } from '../hosts/history/read-batch.ts';
import { answerRequests } from '../platform/process/thread.ts';

serveHistory();

function serveHistory(): void {
  let reader: Promise<ReadHostFile> | undefined;
  answerRequests(async (request) => {
    // Only `history-threads.ts` sends requests, and all of them belong to one import.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const batch = request as FileBatch;
    reader ??= openReader(batch);
    return readBatch(batch, await reader);
  });
}

async function openReader({ team, learns }: FileBatch): Promise<ReadHostFile> {
  const words = learns ? await import('../select/ranking/request-words.ts') : undefined;
  return openHistoryReader({ team, toWords: words?.hashWords });
}
