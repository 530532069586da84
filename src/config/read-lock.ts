import { MAX_LOCK_BYTES } from '../model/limits.ts';
import type { LockedSkill } from '../model/lock.ts';
import { rememberLast } from '../model/once.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { cacheFile, computeCached } from '../platform/files/cache-file.ts';
import { readOwnText } from '../platform/files/files.ts';
import { readRenderedLock } from './read-rendered-lock.ts';

export const LOCK_NAME = 'skills-lock.yaml';

/** Reads a `skills-lock.yaml`; a missing file is an empty lock. An invalid file is a failure and is never written. */
export async function readLock(
  file: string,
  agentHome: string,
): Promise<Outcome<{ readonly skills: readonly LockedSkill[] }>> {
  const read = readOwnText(file);
  if (!read.ok) return read;
  const { text } = read;
  if (text === undefined) return { ok: true, skills: [] };
  const rendered = text.length > MAX_LOCK_BYTES ? undefined : readAgain(text);
  if (rendered !== undefined) return { ok: true, skills: rendered };
  // Parsing loads a YAML parser and a schema library; the cache saves that at every start.
  const parsed = await computeCached(cacheFile(agentHome, 'lock', file), text, async () => {
    const { parseLock } = await import('./parse-lock.ts');
    return parseLock(text);
  });
  if (parsed.ok) return parsed;
  return fail(
    'CONFIG_INVALID',
    `${file}:${parsed.line}: ${parsed.message}`,
    'Fix the file, or restore it from a backup.',
  );
}

/** An installation reads the lock several times, and it rarely differs. */
const readAgain = rememberLast(readRenderedLock);
