import type { Row, Sql } from '../platform/database/database.ts';
import { openUsageFile, type UsageFile, type Warn } from './usage-file.ts';
import {
  isUse,
  SHORTEST_HISTORY_MS,
  USAGE_KINDS,
  type HistoryQuery,
  type SkillUses,
  type Tally,
  type UsageEvent,
  type UsageHistory,
  type UsageScope,
  type UsageStore,
} from './usage-store.ts';

/** Keeps the history of use in one SQLite file, which the first event creates. */
export function openSqliteUsage(path: string, warn: Warn): UsageStore {
  return toUsageStore(openUsageFile(path, warn));
}

export function toUsageStore(file: UsageFile): UsageStore {
  return {
    record: (events, patience) => file.write((sql) => recordAll(sql, events), patience),
    async uses(scope) {
      const read = await file.read((sql) => readUses(sql, scope));
      return read.ok ? { ok: true, uses: read.value ?? [] } : read;
    },
    async history(query) {
      const read = await file.read((sql) => readHistory(sql, query));
      return read.ok ? { ok: true, history: read.value ?? emptyHistory(query) } : read;
    },
    async close() {
      file.close();
    },
  };
}

function recordAll(sql: Sql, events: readonly UsageEvent[]): void {
  for (const event of events) recordOne(sql, event);
  foldOldestDay(sql, Math.max(...events.map(({ at }) => at)));
}

function recordOne(sql: Sql, { skill, digest = '', kind, outcome, at, ...caller }: UsageEvent): void {
  const { team, agent, project, session } = caller;
  const [row] = sql.query(
    `INSERT INTO callers (team, agent, project, session, last_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at) RETURNING id`,
    [team, agent, project, session, at],
  );
  sql.query(
    `INSERT INTO events (at, skill, kind, outcome, caller, digest, n) VALUES (?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET n = n + 1`,
    [at, skill, kind, outcome, Number(row?.['id']), digest],
  );
  if (!isUse(kind)) return;
  sql.query(
    `INSERT INTO uses (team, agent, skill, uses, first_used, last_used) VALUES (?, ?, ?, 1, ?, ?)
     ON CONFLICT DO UPDATE SET uses = uses + 1,
       first_used = min(first_used, excluded.first_used), last_used = max(last_used, excluded.last_used)`,
    [team, agent, skill, at, at],
  );
}

const DAY_MS = 86_400_000;
/** How long events keep their details. */
const KEPT_MS: number = 180 * DAY_MS;

/** Folds one day of old events into counts. Only one day per call, so that no agent waits long. */
function foldOldestDay(sql: Sql, newest: number): void {
  const oldest = toTime(sql.query('SELECT min(at) AS at FROM events')[0]?.['at']);
  if (oldest === undefined || oldest > newest - KEPT_MS) return;
  const day = Math.floor(oldest / DAY_MS);
  const end = (day + 1) * DAY_MS;
  sql.query(
    `INSERT INTO days (day, skill, kind, outcome, team, agent, n, last_at)
     SELECT ?, skill, kind, outcome, team, agent, sum(n), max(at) FROM events JOIN callers ON id = caller
     WHERE at < ? GROUP BY skill, kind, outcome, team, agent
     ON CONFLICT DO UPDATE SET n = n + excluded.n, last_at = max(last_at, excluded.last_at)`,
    [day, end],
  );
  sql.query('DELETE FROM events WHERE at < ?', [end]);
  sql.query('DELETE FROM callers WHERE last_at < (SELECT min(at) FROM events)');
}

function readUses(sql: Sql, { team, agent }: UsageScope): readonly SkillUses[] {
  if (agent === undefined) return sql.query(`${SUM_OF_USES} WHERE team = ? GROUP BY skill`, [team]).map(toSkillUses);
  return sql.query(`${SUM_OF_USES} WHERE team = ? AND agent = ? GROUP BY skill`, [team, agent]).map(toSkillUses);
}

const SUM_OF_USES =
  'SELECT skill, sum(uses) AS uses, min(first_used) AS first_used, max(last_used) AS last_used FROM uses';

function toSkillUses({ skill, uses, first_used: first, last_used: last }: Row): SkillUses {
  return { skill: String(skill), uses: Number(uses), firstUsed: Number(first), lastUsed: Number(last) };
}

function readHistory(sql: Sql, { since, until, buckets, skill }: HistoryQuery): UsageHistory {
  const from = beginningOf({ since, until }, findFirst(sql));
  const tallies = sql
    .query(
      // Parameters are floating-point numbers, hence the cast.
      `SELECT skill, kind, outcome, min(CAST((at - ?) * ? / ? AS INTEGER), ?) AS bucket, sum(n) AS events
       FROM history WHERE at BETWEEN ? AND ? AND (? IS NULL OR skill = ?) GROUP BY skill, kind, outcome, bucket`,
      [from, buckets, Math.max(1, until - from), buckets - 1, from, until, skill ?? null, skill ?? null],
    )
    .flatMap(toTally);
  const uses = sql.query(`${SUM_OF_USES} WHERE ? IS NULL OR skill = ? GROUP BY skill`, [skill ?? null, skill ?? null]);
  return { from, until, buckets, tallies, uses: uses.map(toSkillUses) };
}

function findFirst(sql: Sql): number | undefined {
  const [row] = sql.query(
    'SELECT min(at) AS at FROM (SELECT min(at) AS at FROM events UNION ALL SELECT min(last_at) FROM days)',
  );
  return toTime(row?.['at']);
}

function toTime(value: Row[string] | undefined): number | undefined {
  return value === undefined || value === null ? undefined : Number(value);
}

function toTally({ skill, kind, outcome, bucket, events }: Row): readonly Tally[] {
  const known = USAGE_KINDS.find((candidate) => candidate === kind);
  if (known === undefined) return [];
  const result = outcome === 'failed' ? 'failed' : 'ok';
  return [{ skill: String(skill), kind: known, outcome: result, bucket: Number(bucket), events: Number(events) }];
}

function beginningOf({ since, until }: Pick<HistoryQuery, 'since' | 'until'>, first: number | undefined): number {
  return since ?? Math.min(first ?? until, until - SHORTEST_HISTORY_MS);
}

function emptyHistory({ since, until, buckets }: HistoryQuery): UsageHistory {
  return { from: beginningOf({ since, until }, undefined), until, buckets, tallies: [], uses: [] };
}
