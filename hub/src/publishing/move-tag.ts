import type { Queries } from '../database/database.ts';
import { byVersion } from '../store/served.ts';
import { listTags, setTag, type Version } from '../store/versions.ts';

const LATEST = 'latest';

/**
 * Moves the tag that was asked for to a version that readers see from now on. A prerelease, or a version older than the one
 * that has it, does not become the latest by itself.
 */
export async function moveTag(
  queries: Queries,
  { scope, name, version, tag }: Pick<Version, 'scope' | 'name' | 'version' | 'tag'>,
): Promise<void> {
  if (tag === null) {
    if (version.includes('-')) return;
    const current = (await listTags(queries, [{ scope, name }])).find((one) => one.tag === LATEST);
    if (current !== undefined && byVersion(current, { version }) > 0) return;
  }
  await setTag(queries, { scope, name, version, tag: tag ?? LATEST });
}
