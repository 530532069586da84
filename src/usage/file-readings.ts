import type { Row, Sql } from '../platform/database/sqlite.ts';
import type { ImportBatch, KnownFile, KnownFiles, Reading } from './usage-store.ts';

/** How far the files of other programs were read. */
export interface FileReadings {
  known(sql: Sql): KnownFiles;
  of(sql: Sql, paths: readonly string[]): readonly Reading[];
  keep(sql: Sql, batch: Pick<ImportBatch, 'readings' | 'gone'>): void;
}

/** Keeps the known files in memory, by connection: a process that looks again mostly finds that nothing has changed. */
export function openFileReadings(): FileReadings {
  const seen = new WeakMap<Sql, { readonly version: unknown; readonly files: KnownFiles }>();
  return {
    known(sql) {
      // Changes when another connection writes; what this one writes is forgotten below.
      const version = sql.query('PRAGMA data_version')[0]?.['data_version'];
      const before = seen.get(sql);
      const files = before !== undefined && before.version === version ? before.files : readKnownFiles(sql);
      seen.set(sql, { version, files });
      return files;
    },
    of: readReadings,
    keep(sql, batch) {
      seen.delete(sql);
      keepReadings(sql, batch);
    },
  };
}

/**
 * In one row: an object for each of thousands would take longer than the look at the files themselves. Times are texts with all
 * their digits, since older versions of SQLite write a number in JSON with 15 of them.
 */
function readKnownFiles(sql: Sql): KnownFiles {
  const [row] = sql.query(
    `SELECT json_group_array(path) AS paths, json_group_array(inode) AS inodes, json_group_array(size) AS sizes,
       json_group_array(printf('%!.17g', mtime)) AS times, json_group_array(instr(state, '"learned":true')) AS learned FROM readings`,
  );
  const column = (name: string): readonly unknown[] => {
    const values: unknown = JSON.parse(String(row?.[name]));
    return Array.isArray(values) ? values : [];
  };
  const [inodes, sizes, times, learned] = [column('inodes'), column('sizes'), column('times'), column('learned')];
  const files = new Map<string, KnownFile>();
  for (const [at, path] of column('paths').entries())
    files.set(String(path), {
      inode: String(inodes[at]),
      size: Number(sizes[at]),
      mtimeMs: Number(times[at]),
      isLearned: learned[at] !== 0,
    });
  return files;
}

function readReadings(sql: Sql, paths: readonly string[]): readonly Reading[] {
  return sql
    .query('SELECT * FROM readings WHERE path IN (SELECT value FROM json_each(?))', [JSON.stringify(paths)])
    .map(toReading);
}

function toReading({ path, inode, size, mtime, offset, state }: Row): Reading {
  return {
    path: String(path),
    inode: String(inode),
    size: Number(size),
    mtimeMs: Number(mtime),
    offset: Number(offset),
    state: String(state),
  };
}

function keepReadings(sql: Sql, { readings, gone = [] }: Pick<ImportBatch, 'readings' | 'gone'>): void {
  for (const { path, inode, size, mtimeMs, offset, state } of readings)
    sql.query('INSERT OR REPLACE INTO readings (path, inode, size, mtime, offset, state) VALUES (?, ?, ?, ?, ?, ?)', [
      path,
      inode,
      size,
      mtimeMs,
      offset,
      state,
    ]);
  for (const path of gone) sql.query('DELETE FROM readings WHERE path = ?', [path]);
}
