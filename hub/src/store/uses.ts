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
  readonly count: number;
}

/** Sets counts: a client sends the sum of a week again whenever it grows, so that nothing is counted twice. */
export async function saveUses(queries: Queries, uses: readonly Use[]): Promise<void> {
  for (const { week, scope, skill, version, person, host, count } of uses)
    await queries.query(
      `INSERT INTO uses (week, scope, skill, version, person, host, count) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (week, scope, skill, version, person, host) DO UPDATE SET count = greatest(uses.count, excluded.count)`,
      [week, scope, skill, version, person, host, count],
    );
}

export interface UseQuery {
  /** Null: every scope. */
  readonly scopes: readonly string[] | null;
  /** The first week. */
  readonly since: string;
}

/** Sums by week, skill, version and host. Names of people stay with those who may ask for them. */
export async function sumUses(
  queries: Queries,
  { scopes, since }: UseQuery,
): Promise<readonly (Omit<Use, 'person'> & { readonly people: number })[]> {
  return queries.query(
    `SELECT to_char(week, 'YYYY-MM-DD') AS week, scope, skill, version, host, sum(count)::int AS count,
       count(DISTINCT person)::int AS people
     FROM uses WHERE ($1::text[] IS NULL OR scope = ANY($1)) AND week >= $2::date
     GROUP BY week, scope, skill, version, host ORDER BY week, scope, skill, version, host`,
    [scopes, since],
  );
}
