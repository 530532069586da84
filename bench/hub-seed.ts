import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Queries } from '../hub/src/database/database.ts';
import { openPostgres } from '../hub/src/database/postgres.ts';
import { parseSkill } from '../src/index.ts';
import { packFiles } from '../src/publish.ts';
import { writeSkills } from './many-skills.ts';

const BATCH = 250;
export const VERSIONS = ['1.0.0', '1.1.0', '1.2.0'];

const sha = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Fills the tables of a hub with `count` skills of three versions, as publishing would, and much faster. Returns their names. */
export async function seedHub(databaseUrl: string, scratch: string, count: number): Promise<readonly string[]> {
  writeSkills(scratch, count);
  await using database = openPostgres({ url: databaseUrl, onError: console.error });
  await database.query(`INSERT INTO scopes (name, policy) VALUES ('team', 'open')`);
  const names = readdirSync(scratch);
  const kept: string[] = [];
  for (let at = 0; at < names.length; at += BATCH) {
    await database.transaction(async (queries) => {
      for (const name of names.slice(at, at + BATCH)) if (await seedSkill(queries, scratch, name)) kept.push(name);
    });
  }
  await database.query('ANALYZE');
  return kept;
}

async function seedSkill(queries: Queries, scratch: string, name: string): Promise<boolean> {
  const text = readFileSync(join(scratch, name, 'SKILL.md'), 'utf8');
  const parsed = parseSkill(Buffer.from(text), { dir: name });
  if (!parsed.ok) return false;
  const { diagnostics: _, dir: __, file: ___, ...manifest } = parsed.skill;
  for (const version of VERSIONS) {
    const bytes = Buffer.from(`${text}\nVersion ${version}.\n`);
    const archive = packFiles([{ path: 'SKILL.md', executable: false, bytes }], 'tar.gz').bytes;
    await queries.query(
      `WITH s AS (INSERT INTO skills (scope, name) VALUES ('team', $1) ON CONFLICT (scope, name) DO UPDATE SET name = $1 RETURNING id),
         b AS (INSERT INTO blobs (digest, size, content) VALUES ($2, $3, $4), ($5, $6, $7) ON CONFLICT DO NOTHING),
         v AS (INSERT INTO versions (skill, version, digest, archive, description, manifest, findings, warnings, state, published_by)
               SELECT id, $8, $9, $5, $10, $11::jsonb, '[]', '[]', 'published', 'bench' FROM s RETURNING id, skill),
         f AS (INSERT INTO version_files (version, path, executable, blob) SELECT id, 'SKILL.md', false, $2 FROM v),
         t AS (INSERT INTO tags (skill, tag, version) SELECT skill, 'latest', id FROM v
               ON CONFLICT (skill, tag) DO UPDATE SET version = excluded.version)
       INSERT INTO log (actor, action, scope, skill, version) VALUES ('bench', 'publish', 'team', $1, $8)`,
      [
        name,
        sha(bytes),
        bytes.length,
        bytes,
        sha(archive),
        archive.length,
        Buffer.from(archive),
        version,
        `sha256:${sha(bytes).toString('hex')}`,
        parsed.skill.description,
        JSON.stringify(manifest).replaceAll(String.raw`\u0000`, ''),
      ],
    );
  }
  return true;
}
