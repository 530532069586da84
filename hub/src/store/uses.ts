import type { Queries } from '../database/database.ts';

/** How often a version was used in a week, by whom and with which program. */
export interface Use {
  /** The Monday, as in 2026-11-16. */
  readonly week: string;
  readonly scope: string;
  readonly skill: string;
  readonly version: string;
  readonly person: string;
  /** The agent program, such as claude-code. */
  readonly host: string;
  /** One installation of a person: each has sums of its own. */
  readonly client: string;
  readonly count: number;
}

/** Sets counts: a client sends the sum of a week again whenever it grows, so that nothing is counted twice. */
export async function saveUses(queries: Queries, uses: readonly Use[]): Promise<void> {
  await writeUses(queries, uses, 'greatest(uses.count, excluded.count)');
}

/** How many counts of these weeks a person has. */
export async function countUses(queries: Queries, person: string, since: string): Promise<number> {
  const [row] = await queries.query<{ readonly count: number }>(
    'SELECT count(*)::int AS count FROM uses WHERE person = $1 AND week >= $2::date',
    [person, since],
  );
  return row?.count ?? 0;
}

/** Adds to the counts: for uses that the hub itself sees. A count stays at the most that its column can hold. */
export async function addUse(queries: Queries, use: Use): Promise<void> {
  await writeUses(queries, [use], 'least(uses.count::bigint + excluded.count, 2147483647)::int');
}

async function writeUses(queries: Queries, uses: readonly Use[], sum: string): Promise<void> {
  const column = (name: keyof Use): readonly string[] => uses.map((use) => String(use[name]));
  await queries.query(
    `INSERT INTO uses (week, scope, skill, version, person, host, client, count)
     SELECT * FROM unnest($1::date[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[])
     ON CONFLICT (week, scope, skill, version, person, host, client) DO UPDATE SET count = ${sum}`,
    [
      column('week'),
      column('scope'),
      column('skill'),
      column('version'),
      column('person'),
      column('host'),
      column('client'),
      column('count'),
    ],
  );
}

export interface UseQuery {
  /** Null: every scope. */
  readonly scopes: readonly string[] | null;
  /** The first week. */
  readonly since: string;
}

/** Uses of all people together. Their names are for owners: see `listUsers`. */
export interface UseSum extends Omit<Use, 'person' | 'client'> {
  readonly people: number;
}

/** Sums by week, skill, version and program. */
export async function sumUses(queries: Queries, query: UseQuery): Promise<readonly UseSum[]> {
  return queries.query(
    `SELECT ${WEEK}, scope, skill, version, host, ${SUMS} FROM uses WHERE ${WANTED}
     GROUP BY week, scope, skill, version, host ORDER BY week, scope, skill, version, host`,
    [query.scopes, query.since],
  );
}

/** Uses of a version in the whole period. */
export interface VersionUses {
  readonly scope: string;
  readonly skill: string;
  readonly version: string;
  readonly lastWeek: string;
  readonly count: number;
  readonly people: number;
}

export async function sumVersions(queries: Queries, query: UseQuery): Promise<readonly VersionUses[]> {
  return queries.query(
    `SELECT scope, skill, version, ${LAST_WEEK}, ${SUMS} FROM uses WHERE ${WANTED}
     GROUP BY scope, skill, version ORDER BY scope, skill, version`,
    [query.scopes, query.since],
  );
}

/** A team's week. */
export interface TeamWeek {
  readonly week: string;
  readonly scope: string;
  readonly skills: number;
  readonly count: number;
  readonly people: number;
}

export async function sumWeeks(queries: Queries, query: UseQuery): Promise<readonly TeamWeek[]> {
  return queries.query(
    `SELECT ${WEEK}, scope, count(DISTINCT skill)::int AS skills, ${SUMS} FROM uses WHERE ${WANTED}
     GROUP BY week, scope ORDER BY week, scope`,
    [query.scopes, query.since],
  );
}

/** A person's use of one version. */
export interface User extends Omit<VersionUses, 'people' | 'scope'> {
  readonly person: string;
}

export async function listUsers(queries: Queries, scope: string, since: string): Promise<readonly User[]> {
  return queries.query(
    `SELECT person, skill, version, ${LAST_WEEK}, sum(count) AS count FROM uses WHERE ${WANTED}
     GROUP BY person, skill, version ORDER BY person, skill, version`,
    [[scope], since],
  );
}

const WEEK = `to_char(week, 'YYYY-MM-DD') AS week`;
const LAST_WEEK = `to_char(max(week), 'YYYY-MM-DD') AS "lastWeek"`;
/** Sums are `bigint`: an `int` would overflow, and the query would fail for everyone. */
const SUMS = 'sum(count) AS count, count(DISTINCT person)::int AS people';
const WANTED = '($1::text[] IS NULL OR scope = ANY($1)) AND week >= $2::date';
