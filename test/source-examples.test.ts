import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, describe, expect, test } from 'vitest';

import { POSTGRES_SCHEMA, POSTGRES_WRITE, postgresSource } from '../examples/postgres-source.ts';
import { sqliteSource } from '../examples/sqlite-source.ts';
import { createDatabase, HAS_POSTGRES, NO_POSTGRES, startPostgres } from '../hub/test/support/postgres.ts';
import { sourceContract, type SourceUnderTest } from '../src/engine/source-contract.ts';
import type { DefinedSkill } from '../src/sources/memory-source.ts';

type Skills = readonly DefinedSkill[];

/** The pool of the package pg, which only the hub has. */
interface Pool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  end(): Promise<void>;
}

const ofHub = createRequire(new URL('../hub/package.json', import.meta.url));

function listFiles(skills: Skills): readonly (readonly [skill: string, path: string, content: Buffer])[] {
  return skills.flatMap(({ id, files }) =>
    Object.entries(files).map(([path, content]) => [id, path, toBuffer(content)] as const),
  );
}

function toBuffer(content: string | Uint8Array): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
}

function inSqlite(skills: Skills): SourceUnderTest {
  const database = new DatabaseSync(':memory:');
  const source = sqliteSource(database);
  const replace = (next: Skills): void => {
    database.exec('DELETE FROM skill_files');
    const insert = database.prepare('INSERT INTO skill_files (skill, path, content) VALUES (?, ?, ?)');
    for (const file of listFiles(next)) insert.run(...file);
  };
  replace(skills);
  return { source, replace, close: () => database.close() };
}

describe('the example source over SQLite', () => {
  test.for([...sourceContract(inSqlite)])('$title', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  test('tells by its stamp that a file was written again', async () => {
    const database = new DatabaseSync(':memory:');
    const source = sqliteSource(database);
    const { signal } = new AbortController();
    const write = (): unknown => database.exec(`INSERT INTO skill_files (skill, path, content) VALUES ('a', 'b', 'c')`);
    write();
    const before = await source.stamp?.(signal);
    expect(await source.stamp?.(signal)).toBe(before);
    write();
    expect(await source.stamp?.(signal)).not.toBe(before);
    database.close();
  });
});

const server = HAS_POSTGRES ? startPostgres() : undefined;
afterAll(() => server?.[Symbol.dispose]());

async function inPostgres(skills: Skills): Promise<SourceUnderTest> {
  // `require` is untyped; this is the package of that name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { Pool } = ofHub('pg') as { readonly Pool: new (options: { readonly connectionString: string }) => Pool };
  const pool = new Pool({ connectionString: createDatabase(server?.dir ?? '') });
  await pool.query(POSTGRES_SCHEMA);
  const replace = async (next: Skills): Promise<void> => {
    await pool.query('DELETE FROM skill_files');
    for (const file of listFiles(next)) await pool.query(POSTGRES_WRITE, [...file]);
  };
  await replace(skills);
  return {
    source: postgresSource(pool),
    replace,
    close: () => pool.end(),
  };
}

describe('the example source over PostgreSQL', () => {
  test.for([...sourceContract(inPostgres)])('$title', async ({ run }, { skip }) => {
    skip(!HAS_POSTGRES, NO_POSTGRES);
    await expect(run()).resolves.toBeUndefined();
  });
});
