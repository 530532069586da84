import { createHash } from 'node:crypto';

import { z } from 'zod';

import type { Database, Queries, SqlValue } from '../database/database.ts';

/** Every table that holds something of its own, so that each row comes after those that it refers to. */
const TABLES = [
  'scopes',
  'members',
  'tokens',
  'blobs',
  'skills',
  'versions',
  'version_files',
  'tags',
  'log',
  'uses',
] as const;
type Table = (typeof TABLES)[number];

/** Tables whose ids the database gives out. */
const WITH_IDS: readonly Table[] = ['tokens', 'skills', 'versions', 'log'];
const BATCH = 100;
const FORMAT = 'skillplane-hub backup 1';

/** Writes everything as lines of JSON, as of one moment, while others go on reading and publishing. */
export async function writeBackup(database: Database, write: (line: string) => Promise<void>): Promise<number> {
  return database.transaction(async (queries) => {
    await queries.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const [at] = await queries.query<{ number: number }>('SELECT max(number) AS number FROM migrations');
    await write(`${JSON.stringify({ format: FORMAT, migration: at?.number ?? 0 })}\n`);
    let count = 0;
    for (const table of TABLES) {
      await queries.query(`DECLARE backup NO SCROLL CURSOR FOR SELECT * FROM ${table}`);
      for (;;) {
        const rows = await queries.query<Readonly<Record<string, unknown>>>(`FETCH ${BATCH} FROM backup`);
        for (const row of rows) await write(`${JSON.stringify({ table, row: encodeRow(row) })}\n`);
        count += rows.length;
        if (rows.length < BATCH) break;
      }
      await queries.query('CLOSE backup');
    }
    await write(`${JSON.stringify({ end: count })}\n`);
    return count;
  });
}

/** Fills an empty database from a backup: all of it, or nothing if a line is missing or damaged. */
export async function restoreBackup(database: Database, lines: AsyncIterable<string>): Promise<number> {
  return database.transaction(async (queries) => {
    await refuseFull(queries);
    let count = 0;
    let end: number | undefined;
    let isFirst = true;
    for await (const line of lines) {
      if (line === '') continue;
      const entry = parseLine(line);
      if (isFirst && entry.format !== FORMAT) throw new Error('this is not a backup of a hub');
      isFirst = false;
      end = entry.end ?? end;
      if (entry.table === undefined || entry.row === undefined) continue;
      await insertRow(queries, entry.table, entry.row);
      count += 1;
    }
    if (end !== count) throw new Error('the backup is cut: its end is missing');
    for (const table of WITH_IDS)
      await queries.query(
        `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM ${table}), false)`,
      );
    return count;
  });
}

/** The token that a first start made may be there: it is replaced by those of the backup. */
async function refuseFull(queries: Queries): Promise<void> {
  const [row] = await queries.query<{ count: number }>('SELECT count(*) AS count FROM log');
  if (row?.count !== 0) throw new Error('the database is not empty; a backup is restored into a new one');
  await queries.query('DELETE FROM tokens');
}

const Bytes = z.object({ $bytes: z.base64() }).transform(({ $bytes }) => Buffer.from($bytes, 'base64'));
const Cell = z.union([Bytes, z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
const Line = z.object({
  format: z.string().optional(),
  end: z.number().optional(),
  table: z.enum(TABLES).optional(),
  row: z.record(z.string().regex(/^[a-z_]+$/), Cell).optional(),
});
type Row = Readonly<Record<string, SqlValue>>;

function parseLine(line: string): z.infer<typeof Line> {
  try {
    return Line.parse(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    throw new Error('the backup is damaged: a line cannot be read', { cause: error });
  }
}

function encodeRow(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array
        ? { $bytes: Buffer.from(value).toString('base64') }
        : JSON_COLUMNS.has(name)
          ? JSON.stringify(value)
          : value,
    ]),
  );
}

const JSON_COLUMNS: ReadonlySet<string> = new Set(['manifest', 'findings', 'warnings', 'detail']);

async function insertRow(queries: Queries, table: Table, row: Row): Promise<void> {
  const names = Object.keys(row);
  if (table === 'blobs') checkBlob(row);
  const places = names.map((name, at) => (JSON_COLUMNS.has(name) ? `$${at + 1}::jsonb` : `$${at + 1}`));
  const values = names.map((name) => row[name] ?? null);
  const overriding = WITH_IDS.includes(table) ? ' OVERRIDING SYSTEM VALUE' : '';
  await queries.query(`INSERT INTO ${table} (${names.join(', ')})${overriding} VALUES (${places.join(', ')})`, values);
}

function checkBlob({ digest, content }: Row): void {
  const isWhole =
    digest instanceof Uint8Array &&
    content instanceof Uint8Array &&
    createHash('sha256').update(content).digest().equals(digest);
  if (!isWhole) throw new Error('the backup is damaged: a content does not fit its digest');
}
