import { parseJson } from '../../model/json.ts';
import { openForeignDatabase } from '../../platform/database/database.ts';
import type { IdentifiedEvents } from '../../usage/usage-store.ts';
import type { DatabaseHistory } from './host-history.ts';
import { numberAt } from './json-value.ts';
import { hasLearned, type FilePart, type HistoryFile, type TranscriptOptions } from './read-transcript.ts';
import { Session } from './session.ts';

/** How long before its use a request may have come. */
const REQUEST_MS = 1_800_000;

/** Reads the rows that are new or changed since the last reading. Undefined if the database cannot be read now. */
export function readDatabase(
  history: DatabaseHistory,
  file: HistoryFile,
  options: Omit<TranscriptOptions, 'isEnough'>,
): FilePart | undefined {
  const { path, stamp, reading: before } = file;
  const opened = openForeignDatabase(path);
  if (!opened.ok) return undefined;
  const isSame = before?.inode === String(stamp.ino);
  const learns = options.toWords !== undefined;
  const isKnown = isSame && (!learns || hasLearned(before));
  const since = isKnown ? numberAt(parseJson(before.state), 'changed') : 0;
  // A request may have been read before its use: events that are known count once.
  const asked = learns ? opened.value.read((sql) => sql.query(history.requests, [since - REQUEST_MS])) : undefined;
  const rows = asked?.ok === true ? asked : opened.value.read((sql) => sql.query(history.query, [since]));
  opened.value.close();
  if (!rows.ok) return undefined;
  const found: IdentifiedEvents[] = [];
  const emit = (events: IdentifiedEvents): unknown => found.push(events);
  const sessions = new Map<string, Session>();
  let changed = since;
  for (const { id, session: name, cwd, changed: at, role = '', data } of rows.value) {
    const row = {
      id: String(id),
      session: String(name),
      cwd: String(cwd),
      changed: Number(at),
      role: String(role),
      data: parseJson(String(data)),
    };
    const session =
      sessions.get(row.session) ?? new Session({ ...options, emit, changedAt: Math.trunc(stamp.mtimeMs) });
    sessions.set(row.session, session);
    history.read(row, session);
    changed = Math.max(changed, row.changed);
  }
  const state = JSON.stringify(learns ? { changed, learned: true } : { changed });
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
