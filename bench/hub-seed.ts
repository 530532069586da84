import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Queries } from '../hub/src/database/database.ts';
import { openPostgres } from '../hub/src/database/postgres.ts';
import { parseSkill } from '../src/index.ts';
import { packFiles } from '../src/parse/archives/pack-files.ts';
import { writeSkills } from './many-skills.ts';

const BATCH = 400;
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
    const rows = names.slice(at, at + BATCH).flatMap((name) => readRows(scratch, name));
    await database.transaction((queries) => insert(queries, rows));
    kept.push(...new Set(rows.map(({ name }) => name)));
  }
  await database.query('ANALYZE');
  return kept;
}

/** One version as the tables take it. */
interface SeedRow {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly manifest: string;
  readonly text: Buffer;
  readonly archive: Uint8Array;
}

function readRows(scratch: string, name: string): readonly SeedRow[] {
  const text = readFileSync(join(scratch, name, 'SKILL.md'), 'utf8');
  const parsed = parseSkill(Buffer.from(text), { dir: name });
  if (!parsed.ok) return [];
  const { diagnostics: _, dir: __, file: ___, ...skill } = parsed.skill;
  const manifest = JSON.stringify(skill).replaceAll(String.raw`\u0000`, '');
  const textOf = (version: string): Buffer => Buffer.from(`${text}\nVersion ${version}.\n`);
  // Packing takes most of the time. Only the latest version is downloaded, so the older ones share its archive.
  const newest = { path: 'SKILL.md', executable: false, bytes: textOf(VERSIONS.at(-1) ?? '') };
  const archive = packFiles([newest], 'tar.gz').bytes;
  const description = skill.description.replaceAll('\0', '');
  return VERSIONS.map((version) => ({ name, version, description, manifest, text: textOf(version), archive }));
}

/** One statement for all rows: the columns travel as arrays, bytes as base64. */
async function insert(queries: Queries, rows: readonly SeedRow[]): Promise<void> {
  const column = (read: (row: SeedRow) => string | Uint8Array): readonly string[] =>
    rows.map((row) => {
      const value = read(row);
      return typeof value === 'string' ? value : Buffer.from(value).toString('base64');
    });
  await queries.query(
    `WITH given AS (
         SELECT nth, name, version, description, manifest::jsonb AS manifest, digest, decode(text, 'base64') AS text,
           decode(text_sha, 'base64') AS text_sha, decode(archive, 'base64') AS archive, decode(archive_sha, 'base64') AS archive_sha
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
           WITH ORDINALITY AS r (name, version, description, manifest, digest, text, text_sha, archive, archive_sha, nth)),
       s AS (INSERT INTO skills (scope, name) SELECT 'team', name FROM given GROUP BY name ORDER BY name RETURNING id, name),
       b AS (INSERT INTO blobs (digest, size, content)
             SELECT text_sha, length(text), text FROM given UNION SELECT archive_sha, length(archive), archive FROM given
             ON CONFLICT DO NOTHING),
       v AS (INSERT INTO versions (skill, version, digest, archive, description, manifest, findings, warnings, state, published_by)
             SELECT s.id, version, digest, archive_sha, description, manifest, '[]', '[]', 'published', 'bench'
             FROM given JOIN s USING (name) ORDER BY nth RETURNING id, skill, version),
       f AS (INSERT INTO version_files (version, path, executable, blob)
             SELECT v.id, 'SKILL.md', false, text_sha FROM v JOIN s ON s.id = v.skill JOIN given USING (name, version)),
       t AS (INSERT INTO tags (skill, tag, version) SELECT skill, 'latest', max(id) FROM v GROUP BY skill)
     INSERT INTO log (actor, action, scope, skill, version) SELECT 'bench', 'publish', 'team', name, version FROM given ORDER BY nth`,
    [
      column(({ name }) => name),
      column(({ version }) => version),
      column(({ description }) => description),
      column(({ manifest }) => manifest),
      column(({ text }) => `sha256:${sha(text).toString('hex')}`),
      column(({ text }) => text),
      column(({ text }) => sha(text)),
      column(({ archive }) => archive),
      column(({ archive }) => sha(archive)),
    ],
  );
}
