import type { Row, Sql } from '../platform/database/sqlite.ts';
import type { ImportBatch, KnownFiles, Reading } from './usage-store.ts';

/** All files of other programs that were read. */
export function readKnownFiles(sql: Sql): KnownFiles {
  const rows = sql.query(`SELECT path, inode, size, mtime, instr(state, '"learned":true') AS learned FROM readings`);
  return new Map(
    rows.map(({ path, inode, size, mtime, learned }) => [
      String(path),
      { inode: String(inode), size: Number(size), mtimeMs: Number(mtime), isLearned: learned !== 0 },
    ]),
  );
}

/** How far these files were read; unknown ones are left out. */
export function readReadings(sql: Sql, paths: readonly string[]): readonly Reading[] {
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

export function keepReadings(sql: Sql, { readings, gone = [] }: Pick<ImportBatch, 'readings' | 'gone'>): void {
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
