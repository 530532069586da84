import type { Hub } from '../hub.ts';
import { findVersion, listFiles, type Version, type VersionFile, type VersionKey } from '../store/versions.ts';

/** A version that readers see: everything here is final, so it may be remembered. */
export interface KnownVersion extends Pick<Version, 'id' | 'version' | 'findings' | 'approvedBy'> {
  readonly files: readonly VersionFile[];
}

/** Versions that were read lately, the least recently used dropped first. They outlast a database that is away. */
export type KnownVersions = Map<number, KnownVersion>;

const MAX_KNOWN = 2_000;

/** A served version with its files, from memory or the database; undefined if the database has none. */
export async function readKnownVersion(
  { known, database }: Hub,
  id: number,
  key: VersionKey,
): Promise<KnownVersion | undefined> {
  const found = known.get(id) ?? (await readVersion(database, key));
  if (found === undefined) return undefined;
  known.delete(id);
  known.set(id, found);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  return found;
}

async function readVersion(database: Hub['database'], key: VersionKey): Promise<KnownVersion | undefined> {
  const found = await findVersion(database, key);
  if (found === undefined) return undefined;
  const { id, version, findings, approvedBy } = found;
  return { id, version, findings, approvedBy, files: await listFiles(database, id) };
}
