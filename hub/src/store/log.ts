import type { Queries } from '../database/database.ts';

/** One act, as the log keeps it for ever. */
export interface LogEntry {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly action: Action;
  readonly scope: string | null;
  readonly skill: string | null;
  readonly version: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export type Action =
  | 'publish'
  | 'approve'
  | 'reject'
  | 'yank'
  | 'unyank'
  | 'tag'
  | 'untag'
  | 'create-scope'
  | 'change-scope'
  | 'grant'
  | 'create-token'
  | 'revoke-token';

export interface Act {
  readonly actor: string;
  readonly action: Action;
  readonly scope?: string | undefined;
  readonly skill?: string | undefined;
  readonly version?: string | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

export const LOG_CHANNEL = 'hub_log';
const LOG_LOCK = 7_236_105;

/**
 * Writes an act and tells all replicas when the transaction commits. Acts commit one after the other, in the order of their
 * ids, so that a replica that has seen one has seen all before it. Call this last in a transaction.
 */
export async function writeLog(queries: Queries, act: Act): Promise<void> {
  const { actor, action, scope = null, skill = null, version = null, detail = {} } = act;
  // The entry takes its id when the lock is there.
  await queries.query(
    `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock($8)),
       entry AS (
         INSERT INTO log (actor, action, scope, skill, version, detail)
         SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::jsonb FROM locked RETURNING id)
     SELECT pg_notify($7, id::text) FROM entry`,
    [actor, action, scope, skill, version, JSON.stringify(detail), LOG_CHANNEL, LOG_LOCK],
  );
}

export interface LogQuery {
  /** Only acts in these scopes; null: all acts, also those that belong to no scope. */
  readonly scopes: readonly string[] | null;
  /** Only acts before this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The newest acts first. */
export async function listLog(queries: Queries, { scopes, before, limit }: LogQuery): Promise<readonly LogEntry[]> {
  const rows = await queries.query<LogRow>(
    `SELECT * FROM log WHERE ($1::text[] IS NULL OR scope = ANY($1)) AND ($2::bigint IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [scopes, before ?? null, limit],
  );
  return rows.map(toEntry);
}

/** The acts after one, the oldest first. */
export async function listLogAfter(queries: Queries, id: number, limit: number): Promise<readonly LogEntry[]> {
  const rows = await queries.query<LogRow>('SELECT * FROM log WHERE id > $1 ORDER BY id LIMIT $2', [id, limit]);
  return rows.map(toEntry);
}

export async function lastLogId(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM log');
  return row?.id ?? 0;
}

type LogRow = Omit<LogEntry, 'at'> & { readonly at: Date };

function toEntry(row: LogRow): LogEntry {
  return { ...row, at: row.at.toISOString() };
}
