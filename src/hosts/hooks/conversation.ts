import { resolve } from 'node:path';

import { isBelow, readStamp, realPath } from '../../platform/files/files.ts';
import { isUse } from '../../usage/usage-store.ts';
import { openNeedleSearch } from '../history/needle-search.ts';
import { readFile } from '../history/read-file.ts';
import { PIECE_BYTES } from '../history/scan-lines.ts';
import type { Host, HostPlace } from '../host.ts';

/** Reading this takes a few hundredths of a second. Conversations are hardly ever longer. */
const MOST_BYTES = 33_554_432;

/**
 * The skills that a conversation has: those that were used in it, and those that its model was told of by us. A file outside
 * of the host's folder is not read: who names it may be a model.
 */
export function readConversation(host: Host, place: HostPlace, transcript: string): ReadonlySet<string> {
  const { history } = host;
  const folder = realPath(host.folder(place));
  const path = folder === undefined ? undefined : realPath(resolve(folder, transcript));
  if (history.kind !== 'lines' || path === undefined || !isBelow(path, folder ?? path)) return new Set();
  const stamp = readStamp(path);
  if (stamp === undefined) return new Set();
  const read = readFile(
    history,
    { path, stamp, reading: undefined },
    {
      host: host.id,
      team: '',
      projectOf: (cwd) => cwd,
      memory: Buffer.allocUnsafe(PIECE_BYTES),
      isEnough: (bytes) => bytes >= MOST_BYTES,
      searchOf: ({ needles }) => openNeedleSearch(needles),
    },
  );
  const events = (read?.found ?? []).flatMap(({ events: found }) => found);
  return new Set(events.filter(({ kind }) => isUse(kind) || kind === 'hinted').flatMap(({ skills }) => skills));
}
