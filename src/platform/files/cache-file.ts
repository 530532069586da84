import { join } from 'node:path';

import { VERSION } from '../../model/version.ts';
import { now } from '../clock.ts';
import { listDirectory, readOwnText, readStamp, removeFile, writeWhole } from './files.ts';

/** A file of our own cache; `subject` may be any text, such as a path. Its reader checks whose it is. */
export function cacheFile(agentHome: string, kind: string, subject: string): string {
  return join(agentHome, 'cache', `${kind}-${shortHash(subject)}.cache`);
}

const OLD_MS = 30 * 24 * 3_600_000;

/** Removes caches of a kind that nobody has written for a month; one that is still wanted is made again. */
export function forgetOldCaches(agentHome: string, kind: string): void {
  const dir = join(agentHome, 'cache');
  const listing = listDirectory(dir);
  for (const { name } of listing.state === 'listed' ? listing.entries : []) {
    const path = join(dir, name);
    const stamp = name.startsWith(`${kind}-`) ? readStamp(path) : undefined;
    if (stamp !== undefined && now() - stamp.mtimeMs > OLD_MS) removeFile(path);
  }
}

/**
 * The result of a pure computation, kept in `file` for as long as its input stays the same. A missing, broken or
 * foreign file means computing again; a failing write means not remembering.
 */
export async function recall<T>(file: string, input: string, compute: () => Promise<T>): Promise<T> {
  const remembered = parseRemembered(file, input);
  // What this function wrote for this input and version has the type that it was computed with.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (remembered !== undefined) return remembered.value as T;
  const value = await compute();
  writeWhole(file, JSON.stringify({ version: VERSION, input, value }));
  return value;
}

/** FNV-1a. A hash of `node:crypto` would be stronger, and loading it costs every start more than all the rest here. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

function parseRemembered(file: string, input: string): { readonly value: unknown } | undefined {
  const read = readOwnText(file);
  if (!read.ok || read.text === undefined) return undefined;
  const content = parseJson(read.text);
  if (typeof content !== 'object' || content === null || !('value' in content)) return undefined;
  const isOurs = 'version' in content && content.version === VERSION && 'input' in content && content.input === input;
  return isOurs ? { value: content.value } : undefined;
}

/** JSON or undefined; nothing that a broken file holds throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
