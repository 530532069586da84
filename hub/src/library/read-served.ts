import { parseSkill } from 'skillplane';

import type { Queries } from '../database/database.ts';
import { digestOf, showDigest } from '../store/blobs.ts';
import { listServed, listTags, readManifests, type SkillKey } from '../store/versions.ts';
import { chooseLatest, keyOf, toServedSkill, type ServedSkill } from './served-skill.ts';

/** Every skill that readers may see, or these of them; a skill without such versions is left out. */
export async function readServed(queries: Queries, keys?: readonly SkillKey[]): Promise<readonly ServedSkill[]> {
  const [rows, allTags] = await Promise.all([listServed(queries, keys), listTags(queries, keys)]);
  const tags = Map.groupBy(allTags, keyOf);
  const chosen = [...Map.groupBy(rows, keyOf)].map(([name, versions]) => {
    const own = tags.get(name) ?? [];
    return { versions, tags: own, latest: chooseLatest(versions, own) };
  });
  const ids = chosen.flatMap(({ latest }) => latest?.id ?? []);
  const manifests = await readManifests(queries, ids);
  return chosen.flatMap(({ latest, ...skill }) => {
    const [first] = skill.versions;
    return first === undefined
      ? []
      : toServedSkill(first, { ...skill, latest, manifest: latest && manifests.get(latest.id) });
  });
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
