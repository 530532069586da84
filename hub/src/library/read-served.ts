import { parseSkill } from 'skillplane';

import type { Queries } from '../database/database.ts';
import { digestOf, showDigest } from '../store/blobs.ts';
import { listServed, listTags, type SkillKey } from '../store/versions.ts';
import { keyOf, toServedSkill, type ServedSkill } from './served-skill.ts';

/** Every skill that readers may see, or one of them; a skill without such versions is left out. */
export async function readServed(queries: Queries, key?: SkillKey): Promise<readonly ServedSkill[]> {
  const versions = Map.groupBy(await listServed(queries, key), keyOf);
  const tags = Map.groupBy(await listTags(queries, key), keyOf);
  return [...versions].flatMap(([name, found]) => toServedSkill(found, tags.get(name) ?? []) ?? []);
}

const BATCH = 200;

/** The instructions of the latest versions, by key. One whose bytes are damaged has none, and is reported. */
export async function readBodies(
  queries: Queries,
  skills: readonly ServedSkill[],
  onDamage: (key: string) => void,
): Promise<ReadonlyMap<string, string>> {
  const bodies = new Map<string, string>();
  const byId = new Map(
    skills.flatMap((skill) => (skill.latest === undefined ? [] : [[skill.latest.id, keyOf(skill)] as const])),
  );
  const ids = [...byId.keys()];
  for (let at = 0; at < ids.length; at += BATCH) {
    const rows = await queries.query<{ version: number; blob: Uint8Array; content: Uint8Array }>(
      `SELECT f.version, f.blob, b.content FROM version_files f JOIN blobs b ON b.digest = f.blob
       WHERE f.path = 'SKILL.md' AND f.version = ANY($1::bigint[])`,
      [ids.slice(at, at + BATCH).map(String)],
    );
    for (const { version, blob, content } of rows) {
      const key = byId.get(version) ?? '';
      const isWhole = showDigest(digestOf(content)) === showDigest(blob);
      if (!isWhole) onDamage(key);
      const parsed = isWhole ? parseSkill(content, { dir: key }) : undefined;
      bodies.set(key, parsed?.ok === true ? parsed.body : '');
    }
  }
  return bodies;
}
