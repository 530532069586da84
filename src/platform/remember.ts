import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { VERSION } from '../model/version.ts';
import { readOwnText, writeWhole } from './files.ts';

/** A file of our own cache; `subject` may be any text, such as a path. */
export function cacheFile(agentHome: string, kind: string, subject: string): string {
  return join(agentHome, 'cache', `${kind}-${hash(subject).slice(0, 16)}.json`);
}

/**
 * The result of a pure computation, kept in `file` for as long as its input stays the same. A missing, broken or
 * foreign file means computing again; a failing write means not remembering.
 */
export async function recall<T>(file: string, input: string, compute: () => Promise<T>): Promise<T> {
  const key = hash(input);
  const remembered = parseRemembered(file, key);
  // What this function wrote under this key and version has the type that it was computed with.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (remembered !== undefined) return remembered.value as T;
  const value = await compute();
  writeWhole(file, JSON.stringify({ version: VERSION, key, value }));
  return value;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parseRemembered(file: string, key: string): { readonly value: unknown } | undefined {
  const read = readOwnText(file);
  if (!read.ok || read.text === undefined) return undefined;
  const content = parseJson(read.text);
  if (typeof content !== 'object' || content === null || !('value' in content)) return undefined;
  const isOurs = 'version' in content && content.version === VERSION && 'key' in content && content.key === key;
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
