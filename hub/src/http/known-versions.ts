import type { Hub } from '../hub.ts';
import { findVersion, listFiles, type Version, type VersionFile, type VersionKey } from '../store/versions.ts';

/** A version that readers see: everything here is final, so it may be remembered. */
export interface KnownVersion extends Pick<Version, 'id' | 'version' | 'findings' | 'approvedBy'> {
  readonly files: readonly VersionFile[];
}

/** A served version with its files, from memory or the database; undefined if the database has none. */
export async function readKnownVersion(
  { known, database }: Hub,
  id: number,
  key: VersionKey,
): Promise<KnownVersion | undefined> {
  const found = known.get(id) ?? (await readVersion(database, key));
  if (found !== undefined) known.set(id, found);
  return found;
}

async function readVersion(database: Hub['database'], key: VersionKey): Promise<KnownVersion | undefined> {
  const found = await findVersion(database, key);
  if (found === undefined) return undefined;
  const { id, version, findings, approvedBy } = found;
  return { id, version, findings, approvedBy, files: await listFiles(database, id) };
}
