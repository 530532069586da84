/**
 * Skills in a SQLite database, a row for each file:
 * `openSkills({ sources: [sqliteSource(new DatabaseSync('skills.db'))] })`.
 */
import type { DatabaseSync } from 'node:sqlite';

import type { SkillSource } from 'skillplane';

/** An id is never used twice, so the highest one changes with every file that is written. */
export const SQLITE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS skill_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    skill TEXT NOT NULL,
    path TEXT NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (skill, path) ON CONFLICT REPLACE
  )`;

export function sqliteSource(database: DatabaseSync): SkillSource {
  database.exec(SQLITE_SCHEMA);
  const list = database.prepare(
    `SELECT skill, json_group_array(path) AS paths, count(*) || ':' || max(id) AS stamp FROM skill_files GROUP BY skill`,
  );
  const read = database.prepare('SELECT content FROM skill_files WHERE skill = ? AND path = ?');
  const stamp = database.prepare(`SELECT count(*) || ':' || coalesce(max(id), 0) AS stamp FROM skill_files`);
  return {
    id: 'sqlite',
    list: () =>
      list.all().map((row) => {
        const files: string[] = JSON.parse(String(row['paths']));
        return { id: String(row['skill']), files, stamp: String(row['stamp']) };
      }),
    read(skill, path) {
      const content = read.get(skill, path)?.['content'];
      if (!(content instanceof Uint8Array)) throw new Error('there is no such file');
      return content;
    },
    stamp: () => String(stamp.get()?.['stamp']),
  };
}
