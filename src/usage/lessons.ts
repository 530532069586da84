import type { Row, Sql } from '../platform/database/sqlite.ts';
import {
  isUse,
  type Caller,
  type NotedRequest,
  type LearnedCount,
  type LessonScope,
  type Memory,
  type UsageEvent,
} from './usage-store.ts';

/** After this time a lesson counts half as much. */
const HALF_LIFE_MS: number = 90 * 86_400_000;
/** A use after this time belongs to another request. */
const REQUEST_MS: number = 30 * 60_000;
/** Words by which a skill is remembered; the weakest give way. */
const WORDS_OF_A_SKILL = 256;
/** Skills that are remembered in a team; the one whose last lesson is oldest gives way. */
const MOST_SKILLS = 500;
/** A lesson that weighs less is gone. */
const LEAST_WEIGHT = 0.05;

/** Replaces the caller's previous request. */
export function noteRequest(sql: Sql, { caller, words, at }: NotedRequest): void {
  sql.query('DELETE FROM heard WHERE at < ?', [at - REQUEST_MS]);
  const { team, agent, project, session } = caller;
  sql.query(
    `INSERT OR REPLACE INTO heard (team, agent, project, session, at, words, skills) VALUES (?, ?, ?, ?, ?, ?, '[]')`,
    [team, agent, project, session, at, JSON.stringify(words)],
  );
}

/** A skill that was used after a request serves such requests. Each request gives one lesson to a skill. */
export function learnFromUses(sql: Sql, events: readonly UsageEvent[]): void {
  for (const { skill, kind, outcome, at, ...caller } of events) {
    if (!isUse(kind) || outcome !== 'ok') continue;
    const last = findLastRequest(sql, caller, at);
    if (last === undefined || last.skills.includes(skill)) continue;
    const { team, agent, project } = caller;
    sql.query('UPDATE heard SET skills = ? WHERE team = ? AND agent = ? AND project = ? AND session = ?', [
      JSON.stringify([...last.skills, skill]),
      team,
      agent,
      project,
      last.session,
    ]);
    addLesson(sql, { team, skill, words: last.words, at });
  }
}

interface LastRequest {
  readonly session: string;
  readonly words: readonly number[];
  readonly skills: readonly string[];
}

/** The last request of this session; if there is none, that of the same agent in the same project: a command has no session. */
function findLastRequest(sql: Sql, { team, agent, project, session }: Caller, at: number): LastRequest | undefined {
  const [row] = sql.query(
    `SELECT session, words, skills FROM heard WHERE team = ? AND agent = ? AND project = ? AND at BETWEEN ? AND ?
     ORDER BY session = ? DESC, at DESC LIMIT 1`,
    [team, agent, project, at - REQUEST_MS, at, session],
  );
  if (row === undefined) return undefined;
  // Written by the functions above alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const [words, skills] = [JSON.parse(String(row['words'])), JSON.parse(String(row['skills']))] as [number[], string[]];
  return { session: String(row['session']), words, skills };
}

interface Lesson {
  readonly team: string;
  readonly skill: string;
  readonly words: readonly number[];
  readonly at: number;
}

/** Adds one to each of the words, unless it was asked to forget that time. */
export function addLesson(sql: Sql, { team, skill: called, words, at }: Lesson): void {
  const skill = withoutPlugin(called);
  const forgotten = sql.query(`SELECT 1 FROM forgotten WHERE team = ? AND skill IN ('', ?) AND at >= ?`, [
    team,
    skill,
    at,
  ]);
  if (forgotten.length > 0) return;
  const rows = sql.query('SELECT word, weight, at FROM lessons WHERE team = ? AND skill = ?', [team, skill]);
  const now = rows.reduce((latest, row) => Math.max(latest, Number(row['at'])), at);
  const weights = new Map(rows.map((row) => [Number(row['word']), weightAt(row, now)]));
  const fresh = weightAt({ weight: 1, at }, now);
  for (const word of words) weights.set(word, (weights.get(word) ?? 0) + fresh);
  const kept = [...weights]
    .filter(([, weight]) => weight >= LEAST_WEIGHT)
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, WORDS_OF_A_SKILL);
  sql.query('DELETE FROM lessons WHERE team = ? AND skill = ?', [team, skill]);
  for (const [word, weight] of kept)
    sql.query('INSERT INTO lessons (team, word, skill, weight, at) VALUES (?, ?, ?, ?, ?)', [
      team,
      word,
      skill,
      weight,
      now,
    ]);
  if (rows.length === 0) forgetOldest(sql, team);
}

/** Plugins of hosts put their name before that of a skill. */
function withoutPlugin(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function weightAt({ weight, at }: Row, now: number): number {
  return Number(weight) * 2 ** (-Math.max(0, now - Number(at)) / HALF_LIFE_MS);
}

function forgetOldest(sql: Sql, team: string): void {
  sql.query(
    `DELETE FROM lessons WHERE team = ? AND skill IN (
       SELECT skill FROM lessons WHERE team = ? GROUP BY skill ORDER BY max(at) DESC, skill LIMIT -1 OFFSET ?)`,
    [team, team, MOST_SKILLS],
  );
}

export function readLessons(
  sql: Sql,
  { team, words, at }: { readonly team: string; readonly words: readonly number[]; readonly at: number },
): Memory {
  const memory = new Map<string, Map<number, number>>();
  const rows = sql.query(
    'SELECT word, skill, weight, at FROM lessons WHERE team = ? AND word IN (SELECT value FROM json_each(?))',
    [team, JSON.stringify(words)],
  );
  for (const row of rows) {
    const weight = weightAt(row, at);
    if (weight < LEAST_WEIGHT) continue;
    const skill = String(row['skill']);
    const known = memory.get(skill) ?? new Map<number, number>();
    memory.set(skill, known.set(Number(row['word']), weight));
  }
  return memory;
}

export function countLessons(sql: Sql, { team, skill }: LessonScope): LearnedCount {
  const [row] = sql.query(
    'SELECT count(DISTINCT skill) AS skills, count(*) AS lessons FROM lessons WHERE team = ? AND (? IS NULL OR skill = ?)',
    [team, skill ?? null, skill ?? null],
  );
  return { skills: Number(row?.['skills']), lessons: Number(row?.['lessons']) };
}

/** The last requests are forgotten, too. The bytes are overwritten, not only released. */
export function forgetLessons(sql: Sql, { team, skill, at }: LessonScope & { readonly at: number }): LearnedCount {
  const count = countLessons(sql, { team, skill });
  sql.query('PRAGMA secure_delete = ON');
  sql.query('DELETE FROM lessons WHERE team = ? AND (? IS NULL OR skill = ?)', [team, skill ?? null, skill ?? null]);
  sql.query('DELETE FROM heard WHERE team = ?', [team]);
  sql.query(`UPDATE readings SET state = json_remove(state, '$.asked') WHERE json_valid(state)`);
  sql.query(
    `INSERT INTO forgotten (team, skill, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`,
    [team, skill ?? '', at],
  );
  return count;
}
