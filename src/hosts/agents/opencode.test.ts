import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, onTestFinished, test } from 'vitest';

import { readTranscripts } from '../../../test/support/transcripts.ts';
import { makeTree } from '../../../test/support/tree.ts';

const START = Date.UTC(2026, 0, 5, 10);

/** The tables are those of OpenCode 1.18.33, without what is not read. */
function openHistory(home: string): {
  database: DatabaseSync;
  put: (id: string, data: object, changed?: number) => void;
} {
  const path = join(home, '.local/share/opencode/opencode.db');
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id text PRIMARY KEY, directory text NOT NULL, version text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text NOT NULL, time_created integer NOT NULL,
      time_updated integer NOT NULL, data text NOT NULL);
    INSERT INTO session VALUES ('ses_1', '/projects/app', '1.18.33');`);
  const insert = database.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)');
  const put = (id: string, data: object, changed = START): unknown =>
    insert.run(id, 'msg_1', 'ses_1', START, changed, JSON.stringify(data));
  return { database, put };
}

const call = (status: string, name = 'pdf'): object => ({
  type: 'tool',
  tool: 'skill',
  callID: 'call_1',
  state: { status, input: { name }, time: { start: START + 5, end: START + 9 } },
});

test('a skill call in the OpenCode database counts once it is completed, even after an earlier import', async () => {
  const home = makeTree();
  const { put } = openHistory(home);
  put('prt_0000000001', call('running'));
  put('prt_0000000002', call('error', 'docx'));
  put('prt_0000000003', { type: 'text', text: '[skillplane] Use the skill `pdf` for this.' });
  put('prt_0000000004', { type: 'text', text: 'about "tool":"skill" and [skillplane] `x`' });
  const { keeper } = await readTranscripts(home);
  expect(keeper.events).toEqual(['hinted pdf']);
  put('prt_0000000001', call('completed'), START + 60_000);
  await readTranscripts(home, { keeper });
  expect(keeper.events).toEqual(['hinted pdf', 'loaded pdf']);
  expect([...keeper.found.values()].at(-1)?.events[0]).toMatchObject({
    project: '/projects/app',
    session: 'ses_1',
    at: START + 5,
  });
  const { imported } = await readTranscripts(home, { keeper });
  expect(imported).toMatchObject({ added: 0 });
});

test('reading an OpenCode database leaves no files behind, and a file that is not a database is reported', async () => {
  const home = makeTree();
  const { database, put } = openHistory(home);
  put('prt_0000000001', call('completed'));
  database.close();
  const folder = join(home, '.local/share/opencode');
  const before = readdirSync(folder);
  expect((await readTranscripts(home)).keeper.events).toEqual(['loaded pdf']);
  expect(readdirSync(folder)).toEqual(before);
  const broken = makeTree({ '.local/share/opencode/opencode.db': 'no database' });
  const { imported } = await readTranscripts(broken);
  expect(imported.hosts.find(({ host }) => host === 'opencode')?.unreadable).toHaveLength(1);
});
