import type { SkillDefinition } from 'skillplane';
import type { AuditFinding } from 'skillplane/audit';

import type { Queries } from '../database/database.ts';
import { digestOf, insertRows, saveBlobs, showDigest } from './blobs.ts';
import { toStoredJson } from './storable.ts';

export type VersionState = 'waiting' | 'published' | 'rejected' | 'yanked';

/** A skill as its SKILL.md defines it, without a place. */
export type Manifest = Omit<SkillDefinition, 'diagnostics' | 'dir' | 'file'>;

/** One version of a skill, without its files. */
export interface Version {
  readonly id: number;
  readonly scope: string;
  readonly name: string;
  readonly version: string;
  /** Of its files: the same digest that a lock has of an installed copy. */
  readonly digest: string;
  /** Of its archive. */
  readonly archive: string;
  readonly description: string;
  readonly manifest: Manifest;
  readonly findings: readonly AuditFinding[];
  readonly warnings: readonly string[];
  readonly state: VersionState;
  /** Why it was rejected or yanked. */
  readonly reason: string | null;
  readonly publishedBy: string;
  readonly publishedAt: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  /** The reviewer who let readers see it; null if the policy of its scope did. */
  readonly approvedBy: string | null;
  /** The tag that its publisher asked for; null for `latest`, if it is the newest. */
  readonly tag: string | null;
}

/** A version that is about to be kept. */
export interface NewVersion extends Pick<
  Version,
  | 'scope'
  | 'name'
  | 'version'
  | 'digest'
  | 'description'
  | 'manifest'
  | 'findings'
  | 'warnings'
  | 'state'
  | 'publishedBy'
  | 'tag'
> {
  readonly files: readonly { readonly path: string; readonly executable: boolean; readonly bytes: Uint8Array }[];
  readonly archiveBytes: Uint8Array;
}

/**
 * Keeps a version. Returns the one that has its number already, if there is one: then nothing is kept. Two that publish the
 * same number at once wait for each other here.
 */
export async function saveVersion(queries: Queries, given: NewVersion): Promise<{ existing?: Version }> {
  const skill = await lockSkill(queries, given);
  const existing = await findVersion(queries, given);
  if (existing !== undefined) return { existing };
  await saveBlobs(queries, [given.archiveBytes, ...given.files.map(({ bytes }) => bytes)]);
  const [row] = await queries.query<{ id: number }>(
    `INSERT INTO versions (skill, version, digest, archive, description, manifest, findings, warnings, state, published_by, tag)
     VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb, $9, $10, $11) RETURNING id`,
    [
      skill,
      given.version,
      given.digest,
      digestOf(given.archiveBytes),
      given.description,
      JSON.stringify(given.manifest),
      toStoredJson(given.findings),
      toStoredJson(given.warnings),
      given.state,
      given.publishedBy,
      given.tag,
    ],
  );
  await insertRows(
    queries,
    'INSERT INTO version_files (version, path, executable, blob)',
    given.files.map(({ path, executable, bytes }) => [row?.id ?? null, path, executable, digestOf(bytes)]),
  );
  return {};
}

/** The row of a skill, which this transaction alone may change. */
async function lockSkill(queries: Queries, { scope, name }: SkillKey): Promise<number> {
  await queries.query('INSERT INTO skills (scope, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [scope, name]);
  const [row] = await queries.query<{ id: number }>('SELECT id FROM skills WHERE scope = $1 AND name = $2 FOR UPDATE', [
    scope,
    name,
  ]);
  if (row === undefined) throw new Error('an inserted skill was not found');
  return row.id;
}

export interface SkillKey {
  readonly scope: string;
  readonly name: string;
}

export interface VersionKey extends SkillKey {
  readonly version: string;
}

export async function findVersion(
  queries: Queries,
  { scope, name, version }: VersionKey,
): Promise<Version | undefined> {
  const [found] = await selectVersions(queries, 's.scope = $1 AND s.name = $2 AND v.version = $3', [
    scope,
    name,
    version,
  ]);
  return found;
}

/** In the order in which they were published. */
export async function listVersions(queries: Queries, { scope, name }: SkillKey): Promise<readonly Version[]> {
  return selectVersions(queries, 's.scope = $1 AND s.name = $2', [scope, name]);
}

/** Versions that wait for a person, the oldest first. Scopes null: everywhere. */
export async function listWaiting(queries: Queries, scopes: readonly string[] | null): Promise<readonly Version[]> {
  return selectVersions(queries, `v.state = 'waiting' AND ($1::text[] IS NULL OR s.scope = ANY($1))`, [scopes]);
}

/** A version as far as readers choose between versions: without what only its latest one needs. */
export type ListedRow = Pick<
  Version,
  'id' | 'scope' | 'name' | 'version' | 'digest' | 'archive' | 'state' | 'reason' | 'publishedBy' | 'publishedAt'
>;

/** Every version that readers may see or were once given, of these skills or of all. A first start reads all of them, so the rows are small. */
export async function listServed(queries: Queries, keys?: readonly SkillKey[]): Promise<readonly ListedRow[]> {
  const rows = await queries.query<Omit<ListedRow, 'publishedAt'> & { readonly publishedAt: number }>(
    `SELECT v.id, s.scope, s.name, v.version, v.digest, 'sha256:' || encode(v.archive, 'hex') AS archive, v.state, v.reason,
       v.published_by AS "publishedBy", floor(extract(epoch FROM v.published_at) * 1000)::float8 AS "publishedAt"
     FROM versions v JOIN skills s ON s.id = v.skill
     WHERE v.state IN ('published', 'yanked') AND ${WANTED} ORDER BY v.id`,
    wantedOf(keys),
  );
  return rows.map((row) => ({ ...row, publishedAt: new Date(row.publishedAt).toISOString() }));
}

/** Only these skills, or all if the first value is null. */
const WANTED = '($1::text[] IS NULL OR (s.scope, s.name) IN (SELECT * FROM unnest($1::text[], $2::text[])))';

function wantedOf(keys: readonly SkillKey[] | undefined): readonly (readonly string[] | null)[] {
  return [keys?.map(({ scope }) => scope) ?? null, keys?.map(({ name }) => name) ?? null];
}

/** The manifests of versions, by id. */
export async function readManifests(queries: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, Manifest>> {
  const rows = await queries.query<{ id: number; manifest: Manifest }>(
    'SELECT id, manifest FROM versions WHERE id = ANY($1::bigint[])',
    [ids.map(String)],
  );
  return new Map(rows.map(({ id, manifest }) => [id, manifest]));
}

export interface Decision extends VersionKey {
  readonly state: VersionState;
  readonly from: VersionState;
  readonly reason: string | null;
  readonly by: string;
}

/** Changes the state of a version if it still has the one it is expected to have. */
export async function decideVersion(queries: Queries, decision: Decision): Promise<boolean> {
  const { scope, name, version, state, from, reason, by } = decision;
  const changed = await queries.query<{ id: number }>(
    `UPDATE versions v SET state = $4, reason = $5, decided_by = $6, decided_at = now(),
       approved_by = CASE WHEN $7 = 'waiting' AND $4 = 'published' THEN $6 ELSE approved_by END
     FROM skills s WHERE s.id = v.skill AND s.scope = $1 AND s.name = $2 AND v.version = $3 AND v.state = $7 RETURNING v.id`,
    [scope, name, version, state, reason, by, from],
  );
  return changed.length > 0;
}

/** Tags of these skills, or of all: names that move between versions. */
export async function listTags(queries: Queries, keys?: readonly SkillKey[]): Promise<readonly Tag[]> {
  return queries.query<Tag>(
    `SELECT s.scope, s.name, t.tag, v.version FROM tags t JOIN skills s ON s.id = t.skill JOIN versions v ON v.id = t.version
     WHERE ${WANTED} ORDER BY s.scope, s.name, t.tag`,
    wantedOf(keys),
  );
}

export interface Tag extends VersionKey {
  readonly tag: string;
}

export async function setTag(queries: Queries, { scope, name, version, tag }: Tag): Promise<void> {
  await queries.query(
    `INSERT INTO tags (skill, tag, version)
     SELECT s.id, $4, v.id FROM skills s JOIN versions v ON v.skill = s.id
     WHERE s.scope = $1 AND s.name = $2 AND v.version = $3
     ON CONFLICT (skill, tag) DO UPDATE SET version = excluded.version`,
    [scope, name, version, tag],
  );
}

/** Was there such a tag? */
export async function removeTag(queries: Queries, { scope, name, tag }: Omit<Tag, 'version'>): Promise<boolean> {
  const removed = await queries.query<{ tag: string }>(
    `DELETE FROM tags t USING skills s WHERE s.id = t.skill AND s.scope = $1 AND s.name = $2 AND t.tag = $3 RETURNING t.tag`,
    [scope, name, tag],
  );
  return removed.length > 0;
}

export interface VersionFile {
  readonly path: string;
  readonly executable: boolean;
  readonly size: number;
  readonly digest: string;
}

/** Sorted by path. */
export async function listFiles(queries: Queries, version: number): Promise<readonly VersionFile[]> {
  const rows = await queries.query<{ path: string; executable: boolean; size: number; blob: Uint8Array }>(
    `SELECT f.path, f.executable, b.size, f.blob FROM version_files f JOIN blobs b ON b.digest = f.blob
     WHERE f.version = $1 ORDER BY f.path COLLATE "C"`,
    [version],
  );
  return rows.map(({ blob, ...file }) => ({ ...file, digest: showDigest(blob) }));
}

async function selectVersions(
  queries: Queries,
  where: string,
  values: readonly (string | readonly string[] | null)[],
): Promise<readonly Version[]> {
  const rows = await queries.query<VersionRow>(
    `SELECT v.id, s.scope, s.name, v.version, v.digest, v.archive, v.description, v.manifest, v.findings, v.warnings, v.state,
       v.reason, v.published_by, v.published_at, v.decided_by, v.decided_at, v.approved_by, v.tag
     FROM versions v JOIN skills s ON s.id = v.skill WHERE ${where} ORDER BY v.id`,
    values,
  );
  return rows.map(({ archive, published_by, published_at, decided_by, decided_at, approved_by, ...row }) => ({
    ...row,
    archive: showDigest(archive),
    publishedBy: published_by,
    publishedAt: published_at.toISOString(),
    decidedBy: decided_by,
    decidedAt: decided_at?.toISOString() ?? null,
    approvedBy: approved_by,
  }));
}

type VersionRow = Omit<
  Version,
  'archive' | 'publishedBy' | 'publishedAt' | 'decidedBy' | 'decidedAt' | 'approvedBy'
> & {
  readonly archive: Uint8Array;
  readonly published_by: string;
  readonly published_at: Date;
  readonly decided_by: string | null;
  readonly decided_at: Date | null;
  readonly approved_by: string | null;
};
