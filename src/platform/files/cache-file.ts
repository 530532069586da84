import { join } from 'node:path';

import { now } from '../clock.ts';
import { listDirectory, readStamp } from './files.ts';
import { removeFile } from './remove-tree.ts';

/** The path of a cache file; `subject` may be any text, such as a path. Readers check that the content is theirs. */
export function cacheFile(agentHome: string, kind: string, subject: string): string {
  return join(agentHome, 'cache', `${kind}-${shortHash(subject)}.cache`);
}

const OLD_MS = 30 * 24 * 3_600_000;

/** Removes caches of a kind that were not written for a month; a cache that is still needed is rebuilt. */
export function removeOldCaches(agentHome: string, kind: string): void {
  const dir = join(agentHome, 'cache');
  const listing = listDirectory(dir);
  for (const { name } of listing.state === 'listed' ? listing.entries : []) {
    const path = join(dir, name);
    const stamp = name.startsWith(`${kind}-`) ? readStamp(path) : undefined;
    if (stamp !== undefined && now() - stamp.mtimeMs > OLD_MS) removeFile(path);
  }
}

/** FNV-1a. `node:crypto` has stronger hashes, but loading it would slow down every start. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
