import { resolve } from 'node:path';

import { isInside, readStamp, realPath } from '../../platform/files/files.ts';
import { isUse } from '../../usage/usage-store.ts';
import { readTranscript } from '../history/read-transcript.ts';
import type { KnownHost, HostPlace } from '../host.ts';

/** Reading this takes a few hundredths of a second. Conversations are hardly ever longer. */
const MOST_BYTES = 33_554_432;

/**
 * Skills already in a conversation: used in it, or suggested by us. A file outside the agent's folder is not read,
 * because a model may have named it.
 */
export async function readConversation(
  host: KnownHost,
  place: HostPlace,
  transcript: string,
): Promise<ReadonlySet<string>> {
  const { history } = host;
  const folder = realPath(host.folder(place));
  const path = folder === undefined ? undefined : realPath(resolve(folder, transcript));
  if (history.kind !== 'lines' || path === undefined || !isInside(path, folder ?? path)) return new Set();
  const stamp = readStamp(path);
  if (stamp === undefined) return new Set();
  const skills = new Set<string>();
  const options = {
    host: host.id,
    team: '',
    projectOf: (cwd: string) => cwd,
    isEnough: (bytes: number) => bytes >= MOST_BYTES,
  };
  for await (const part of readTranscript(history, { path, stamp }, options))
    for (const { kind, skills: names } of (part?.found ?? []).flatMap(({ events }) => events))
      if (isUse(kind) || kind === 'hinted') for (const name of names) skills.add(name);
  return skills;
}
