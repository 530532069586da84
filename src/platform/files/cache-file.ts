import { join } from 'node:path';

import { VERSION } from '../../model/version.ts';
import { now } from '../clock.ts';
import { listDirectory, readOwnBytes, readStamp } from './files.ts';
import { removeFile, writeWhole } from './write-file.ts';

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

/**
 * The result of a pure computation, cached in `file` as long as the input stays the same. A missing, broken or foreign
 * file means computing again; a failed write means no caching.
 */
export async function computeCached<T>(file: string, input: string, compute: () => Promise<T>): Promise<T> {
  const cached = readOwnBytesd(file, input);
  // This function wrote it for the same input and version, so it has the same type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (cached !== undefined) return cached.value as T;
  const value = await compute();
  // The input may hold a key.
  writeWhole(file, JSON.stringify({ version: VERSION, input, value }), { mode: 0o600, isLosable: true });
  return value;
}

/** FNV-1a. `node:crypto` has stronger hashes, but loading it would slow down every start. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

function readOwnBytesd(file: string, input: string): { readonly value: unknown } | undefined {
  const content = parseJsonSafely(readOwnBytes(file)?.toString() ?? '');
  if (typeof content !== 'object' || content === null || !('value' in content)) return undefined;
  const isOurs = 'version' in content && content.version === VERSION && 'input' in content && content.input === input;
  return isOurs ? { value: content.value } : undefined;
}

/** Undefined if the text is not JSON. */
export function parseJsonSafely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
