/** The program of a thread that writes skills. `open-stager.ts` asks it. */
import type { FileContent } from '../../parse/digest.ts';
import { openSyncQueue } from '../../platform/files/sync-queue.ts';
import { answerRequests } from '../../platform/process/thread.ts';
import { stageTree } from './stage-tree.ts';

/** A skill to write, or the request to wait until all that were written are on disk. */
export type StageRequest = { readonly into: string; readonly contents: readonly FileContent[] } | 'flush';

serveStaging();

function serveStaging(): void {
  const sync = openSyncQueue();
  answerRequests(async (request) => {
    // Only `open-stager.ts` sends requests, and they are these.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const asked = request as StageRequest;
    return asked === 'flush' ? sync.flush() : stageTree(asked, { into: asked.into, sync });
  });
}
