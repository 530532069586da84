import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Database } from './database.ts';

/** A numbered SQL file of the migrations folder. */
interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** Any number serves, as long as all replicas take the same one. */
const LOCK = 7_236_104;

/**
 * Brings the tables to the newest form. Replicas that start at the same time wait for each other. Refuses a database that a
 * newer hub has changed already.
 */
export async function migrate(database: Database, dir: string): Promise<readonly string[]> {
  const migrations = readMigrations(dir);
  const newest = migrations.at(-1)?.number ?? 0;
  return database.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await queries.query(
      'CREATE TABLE IF NOT EXISTS migrations (number int PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())',
    );
    const [row] = await queries.query<{ at: number | null }>('SELECT max(number) AS at FROM migrations');
    const done = row?.at ?? 0;
    if (done > newest)
      throw new Error(`the database is at version ${done}, and this hub knows ${newest}; start a newer skillplane-hub`);
    const missing = migrations.filter(({ number }) => number > done);
    for (const { number, name, sql } of missing) {
      for (const statement of splitStatements(sql)) await queries.query(statement);
      await queries.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [number, name]);
    }
    return missing.map(({ name }) => name);
  });
}

function readMigrations(dir: string): readonly Migration[] {
  return readdirSync(dir)
    .filter((name) => /^\d{3}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ number: Number(name.slice(0, 3)), name, sql: readFileSync(join(dir, name), 'utf8') }));
}

/** A statement ends with a semicolon at the end of a line, except inside of `$$`. */
function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let open = '';
  for (const line of sql.split('\n').filter((text) => !text.startsWith('--'))) {
    open += `${line}\n`;
    const isQuoted = (open.split('$$').length - 1) % 2 === 1;
    if (!isQuoted && line.trimEnd().endsWith(';')) {
      statements.push(open.trim());
      open = '';
    }
  }
  return open.trim() === '' ? statements : [...statements, open.trim()];
}
