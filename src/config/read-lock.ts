import type { LockedSkill } from '../model/lock.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { cacheFile, recall } from '../platform/files/cache-file.ts';
import { readOwnText } from '../platform/files/files.ts';

export const LOCK_NAME = 'skills-lock.yaml';

/** What a `skills-lock.yaml` holds; none is an empty one. A file that is not valid is a failure, and nobody writes it. */
export async function readLock(
  file: string,
  agentHome: string,
): Promise<Outcome<{ readonly skills: readonly LockedSkill[] }>> {
  const read = readOwnText(file);
  if (!read.ok) return read;
  const { text } = read;
  if (text === undefined) return { ok: true, skills: [] };
  // As with the configuration: the same text need not pay for a parser and a schema library at every start.
  const parsed = await recall(cacheFile(agentHome, 'lock', file), text, async () => {
    const { parseLock } = await import('./parse-lock.ts');
    return parseLock(text);
  });
  if (parsed.ok) return parsed;
  return fail(
    'CONFIG_INVALID',
    `${file}:${parsed.line}: ${parsed.message}; mend the file, or take it from your backup`,
  );
}
