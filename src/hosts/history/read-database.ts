import { openForeignDatabase } from '../../platform/database/database.ts';
import type { IdentifiedEvents } from '../../usage/usage-store.ts';
import type { DatabaseHistory } from './host-history.ts';
import { numberAt, parseJson } from './json-value.ts';
import type { FileRead, FileToRead, ReadTools } from './read-file.ts';
import { Session } from './session.ts';

/** Reads the rows that are new or changed since the last reading. Undefined if the database cannot be read now. */
export function readDatabase(history: DatabaseHistory, file: FileToRead, tools: ReadTools): FileRead | undefined {
  const { path, stamp, reading: before } = file;
  const opened = openForeignDatabase(path);
  if (!opened.ok) return undefined;
  const isSame = before?.inode === String(stamp.ino);
  const since = isSame ? numberAt(parseJson(before.state), 'changed') : 0;
  const rows = opened.value.read((sql) => sql.query(history.query, [since]));
  opened.value.close();
  if (!rows.ok) return undefined;
  const found: IdentifiedEvents[] = [];
  const emit = (events: IdentifiedEvents): unknown => found.push(events);
  const sessions = new Map<string, Session>();
  let changed = since;
  for (const { id, session: name, cwd, changed: at, data } of rows.value) {
    const row = {
      id: String(id),
      session: String(name),
      cwd: String(cwd),
      changed: Number(at),
      data: parseJson(String(data)),
    };
    const session =
      sessions.get(row.session) ?? new Session({ ...tools, emit, changedAt: Math.trunc(stamp.mtimeMs) }, '');
    sessions.set(row.session, session);
    history.read(row, session);
    changed = Math.max(changed, row.changed);
  }
  const state = JSON.stringify({ changed });
  const reading = {
    path,
    inode: String(stamp.ino),
    size: stamp.size,
    mtimeMs: stamp.mtimeMs,
    offset: stamp.size,
    state,
  };
  return { found, reading, bytes: stamp.size, badLines: 0, isWhole: true };
}
