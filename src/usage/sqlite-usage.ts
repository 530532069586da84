import type { Diagnostic } from '../model/diagnostic.ts';
import { openDatabase, type Database } from '../platform/database/database.ts';
import type { Row, Sql } from '../platform/database/sqlite.ts';
import { sha256Hex } from '../platform/sha256.ts';
import { keepReadings, readKnownFiles, readReadings } from './file-readings.ts';
import { addLesson, countLessons, forgetLessons, learnFromUses, noteRequest, readLessons } from './lessons.ts';
import { USAGE_SCHEMA } from './usage-schema.ts';
import {
  isCounted,
  isUse,
  SHORTEST_HISTORY_MS,
  USAGE_KINDS,
  type HistoryQuery,
  type ImportBatch,
  type SkillUses,
  type Tally,
  type UsageDetail,
  type UsageEvent,
  type UsageEvents,
  type UsageHistory,
  type UsageScope,
  type UsageStore,
} from './usage-store.ts';

type Warn = (diagnostic: Diagnostic) => void;

/** Keeps the history of use in one SQLite file, which the first event creates. */
export function openSqliteUsage(
  path: string,
  warn: Warn,
  database: Database = openUsageDatabase(path, warn),
): UsageStore {
  return {
    record: (events, { waitMs, learns = false }) =>
      database.write(
        (sql) => {
          recordAll(sql, events.map(toGroup));
          if (learns) learnFromUses(sql, events);
        },
        { waitMs },
      ),
    async uses(scope) {
      const read = await database.read((sql) => readUses(sql, scope));
      return read.ok ? { ok: true, uses: read.value ?? [] } : read;
    },
    async history(query) {
      const read = await database.read((sql) => readHistory(sql, query));
      return read.ok ? { ok: true, history: read.value ?? emptyHistory(query) } : read;
    },
    async import(batch, patience) {
      const importAll = (sql: Sql): number => {
        keepReadings(sql, batch);
        return importEvents(sql, batch.found);
      };
      const written = await database.write(importAll, patience);
      return written.ok ? { ok: true, added: written.value ?? 0 } : written;
    },
    async knownFiles() {
      const read = await database.read(readKnownFiles);
      return read.ok ? { ok: true, files: read.value ?? new Map() } : read;
    },
    async readings(paths) {
      const read = await database.read((sql) => readReadings(sql, paths));
      return read.ok ? { ok: true, readings: read.value ?? [] } : read;
    },
    noteRequest: (request, patience) => database.write((sql) => noteRequest(sql, request), patience),
    async preferredFor(query) {
      const read = await database.read((sql) => readLessons(sql, query));
      return read.ok ? { ok: true, memory: read.value ?? new Map() } : read;
    },
    async learned(scope) {
      const read = await database.read((sql) => countLessons(sql, scope));
      return read.ok ? { ok: true, ...(read.value ?? NOTHING_LEARNED) } : read;
    },
    async forget(scope, patience) {
      const written = await database.write((sql) => forgetLessons(sql, scope), patience);
      database.emptyLog();
      return written.ok ? { ok: true, ...(written.value ?? NOTHING_LEARNED) } : written;
    },
    async close() {
      database.close();
    },
  };
}

/** A broken file is kept under another name, with a warning. */
export function openUsageDatabase(path: string, warn: Warn): Database {
  return openDatabase(path, USAGE_SCHEMA, (kept) => {
    const message = `it was damaged, or not a database of Skillplane; it is kept as ${kept}, and a new one is created`;
    warn({ code: 'USAGE_SET_ASIDE', severity: 'warning', path, message });
  });
}

const NOTHING_LEARNED = { skills: 0, lessons: 0 };

/** With the digest of the one skill, if there is only one. */
interface RecordedEvents extends UsageEvents {
  readonly digest?: string | undefined;
}

function toGroup({ skill, ...event }: UsageEvent): RecordedEvents {
  return { ...event, skills: [skill] };
}

function recordAll(sql: Sql, events: readonly RecordedEvents[]): void {
  const counted = Map.groupBy(events, ({ kind }) => isCounted(kind));
  for (const { skills, ...event } of counted.get(false) ?? [])
    for (const skill of skills) recordOne(sql, { ...event, skill });
  addToDays(sql, counted.get(true) ?? []);
  const newest = events.reduce((latest, { at }) => Math.max(latest, at), 0);
  if (events.length > 0) foldOldestDay(sql, newest);
}

function importEvents(sql: Sql, found: ImportBatch['found']): number {
  const events = takeNew(sql, found, ({ id }) => id).flatMap((identified) => identified.events);
  recordAll(sql, events);
  // An event may come from a hook, which has no request.
  const lessons = found.filter(({ words = [] }) => words.length > 0);
  for (const { words = [], events: used } of takeNew(sql, lessons, ({ id }) => `lesson ${id}`))
    for (const { team, skills, kind, at } of used)
      for (const skill of isUse(kind) ? skills : []) addLesson(sql, { team, skill, words, at });
  return events.reduce((sum, { skills }) => sum + skills.length, 0);
}

/** Hexadecimal digits of eight bytes: two of a million ids are the same once in thirty million histories. */
const ID_DIGITS = 16;

/** Those whose id was not known; it is from now on. In one statement, since most of what is imported has an id of its own. */
function takeNew<T>(sql: Sql, found: readonly T[], idOf: (item: T) => string): readonly T[] {
  const digests = found.map((item) => sha256Hex(idOf(item)).slice(0, ID_DIGITS));
  const added = sql.query(
    'INSERT INTO known (id) SELECT unhex(value) FROM json_each(?) WHERE true ON CONFLICT DO NOTHING RETURNING lower(hex(id)) AS id',
    [JSON.stringify(digests)],
  );
  const fresh = new Set(added.map(({ id }) => id));
  // Deleted, since an id may be found twice.
  return found.filter((_, at) => fresh.delete(digests[at] ?? ''));
}

/** Adds up first: most of what is counted is the same list, in each session of a day. */
function addToDays(sql: Sql, events: readonly UsageEvents[]): void {
  const days = Map.groupBy(events, ({ at, kind, outcome, team, agent }) =>
    JSON.stringify([Math.floor(at / DAY_MS), kind, outcome, team, agent]),
  );
  for (const equal of days.values()) {
    const [first] = equal;
    if (first === undefined) continue;
    const counts = new Map<string, number>();
    const times = new Map<string, number>();
    for (const { skills, count = 1, at } of equal)
      for (const skill of skills) {
        counts.set(skill, (counts.get(skill) ?? 0) + count);
        times.set(skill, Math.max(times.get(skill) ?? 0, at));
      }
    const { at, kind, outcome, team, agent } = first;
    for (const [skill, n] of counts)
      sql.query(
        `INSERT INTO days (day, skill, kind, outcome, team, agent, n, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET n = n + excluded.n, last_at = max(last_at, excluded.last_at)`,
        [Math.floor(at / DAY_MS), skill, kind, outcome, team, agent, n, times.get(skill) ?? at],
      );
  }
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

function readUses(sql: Sql, { team, agent, others = [] }: UsageScope): readonly SkillUses[] {
  if (agent === undefined) return sql.query(`${SUM_OF_USES} WHERE team = ? GROUP BY skill`, [team]).map(toSkillUses);
  const agents = JSON.stringify([agent, ...others]);
  return sql
    .query(`${SUM_OF_USES} WHERE team = ? AND agent IN (SELECT value FROM json_each(?)) GROUP BY skill`, [team, agents])
    .map(toSkillUses);
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
  const details = sql
    .query(
      `SELECT skill, kind, agent, project, CAST(at / ${DAY_MS} AS INTEGER) AS day, sum(n) AS events FROM history
       WHERE at BETWEEN ? AND ? AND (? IS NULL OR skill = ?) AND kind IN (SELECT value FROM json_each(?))
       GROUP BY skill, kind, agent, project, day`,
      [from, until, skill ?? null, skill ?? null, JSON.stringify(USAGE_KINDS.filter(isUse))],
    )
    .flatMap(toDetail);
  return { from, until, buckets, tallies, details, uses: uses.map(toSkillUses) };
}

const WEEK_MS = 7 * 86_400_000;
/** 1970 began on a Thursday, three days after a Monday. */
const MONDAY = 3 * 86_400_000;

function findFirst(sql: Sql): number | undefined {
  const [row] = sql.query(
    'SELECT min(at) AS at FROM (SELECT min(at) AS at FROM events UNION ALL SELECT min(last_at) FROM days)',
  );
  return toTime(row?.['at']);
}

function toTime(value: Row[string] | undefined): number | undefined {
  return value === undefined || value === null ? undefined : Number(value);
}

function toDetail({ skill, kind, agent, project, day: number, events }: Row): readonly UsageDetail[] {
  const known = USAGE_KINDS.find((candidate) => candidate === kind);
  if (known === undefined) return [];
  const day = Number(number) * DAY_MS;
  const week = Math.floor((day + MONDAY) / WEEK_MS) * WEEK_MS - MONDAY;
  const caller = { agent: String(agent), project: String(project), day, week };
  return [{ skill: String(skill), kind: known, ...caller, events: Number(events) }];
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
  return { from: beginningOf({ since, until }, undefined), until, buckets, tallies: [], details: [], uses: [] };
}
