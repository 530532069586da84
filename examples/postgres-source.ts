/**
 * Skills in PostgreSQL, a row for each file: `openSkills({ sources: [postgresSource(new pg.Pool())] })`.
 */
import type { SkillSource } from 'skillplane';

/** An id is never used twice, so the highest one changes with every file that is written. */
export const POSTGRES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS skill_files (
    id bigint GENERATED ALWAYS AS IDENTITY,
    skill text NOT NULL,
    path text NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (skill, path)
  )`;

/** Writes a file, in place of the one that is there. */
export const POSTGRES_WRITE = `
  INSERT INTO skill_files (skill, path, content) VALUES ($1, $2, $3)
  ON CONFLICT (skill, path) DO UPDATE SET id = DEFAULT, content = EXCLUDED.content`;

/** A pool or client of the package pg. */
interface Database {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

export function postgresSource(database: Database): SkillSource {
  return {
    id: 'postgres',
    async list() {
      const { rows } = await database.query(
        `SELECT skill, array_agg(path) AS files, count(*) || ':' || max(id) AS stamp FROM skill_files GROUP BY skill`,
      );
      return rows.map(({ skill, files, stamp }) => {
        return { id: String(skill), files: Array.isArray(files) ? files.map(String) : [], stamp: String(stamp) };
      });
    },
    async read(skill, path) {
      const { rows } = await database.query('SELECT content FROM skill_files WHERE skill = $1 AND path = $2', [
        skill,
        path,
      ]);
      const content = rows[0]?.['content'];
      if (!(content instanceof Uint8Array)) throw new Error('there is no such file');
      return content;
    },
    async stamp() {
      const { rows } = await database.query(`SELECT count(*) || ':' || coalesce(max(id), 0) AS stamp FROM skill_files`);
      return String(rows[0]?.['stamp']);
    },
  };
}
