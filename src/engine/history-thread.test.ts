import { readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, test } from 'vitest';

import { RUNS_SOURCES } from '../../test/support/child.ts';
import { jsonLines, MemoryKeeper, readTranscripts } from '../../test/support/transcripts.ts';
import { makeTree } from '../../test/support/tree.ts';
import { HISTORIES } from '../hosts/all-histories.ts';
import { HOSTS } from '../hosts/all-hosts.ts';
import { openHistoryReader } from '../hosts/history/history-reader.ts';
import { withReaders, type HistoryThreads } from '../hosts/history/history-threads.ts';
import type { ImportOptions } from '../hosts/history/import-history.ts';
import { readBatch, type FileBatch } from '../hosts/history/read-batch.ts';
import { readStamp } from '../platform/files/files.ts';
import { hashWords } from '../select/ranking/request-words.ts';

const PROGRAM = new URL('./history-thread.ts', import.meta.url);
const FOLDER = '.claude/projects/-work-app';
const FILES = 40;
const TEXT = 'Some text of a conversation. '.repeat(10_000);

function threads(count: number, program = PROGRAM): HistoryThreads {
  return { count, program, fromBytes: 0 };
}

/** Uses of a skill, two of them in the file before as well, in the order of time. */
function usesIn(file: number): readonly object[] {
  return Array.from({ length: 7 }, (_, at) => {
    const number = file * 5 + at;
    return {
      type: 'user',
      message: {
        role: 'user',
        content: `<command-message>pdf</command-message>\n<command-name>/s${number}</command-name>`,
      },
      uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      timestamp: new Date(Date.UTC(2026, 0, 5, 10, number)).toISOString(),
      sessionId: `session-${file}`,
      cwd: '/projects/app',
    };
  });
}

/** A home with much to read: what is cut, broken, packed away or no file is there, too. */
function makeHome(): string {
  const talk = { type: 'user', message: { role: 'user', content: TEXT } };
  const files = Array.from({ length: FILES }, (_, at) => [
    `${FOLDER}/f${at}.jsonl`,
    jsonLines(...usesIn(at), talk) + (at % 3 === 0 ? '{"content":"<command-message>\n{"cut":"<command-mess' : ''),
  ]);
  const home = makeTree(Object.fromEntries(files));
  for (const [at, [path = '']] of files.entries()) utimesSync(join(home, path), 1_800_000_000, 1_800_000_000 + at);
  symlinkSync(join(home, FOLDER, 'f0.jsonl'), join(home, FOLDER, 'link.jsonl'));
  writeFileSync(join(home, FOLDER, 'empty.jsonl'), '');
  return home;
}

async function importFrom(home: string, options: Partial<Omit<ImportOptions, 'keeper'>> = {}) {
  const { keeper, imported } = await readTranscripts(home, options);
  return { found: [...keeper.found], files: [...keeper.files], imported };
}

describe('reading transcripts on several threads', () => {
  test.each([
    ['', {}],
    [', with the words of requests', { toWords: hashWords }],
  ])('gives the same events, in the same order, as reading them on one%s', async (_what, options) => {
    const home = makeHome();
    const alone = await importFrom(home, options);
    expect(alone.found).toHaveLength(FILES * 5 + 2);
    expect(await importFrom(home, { ...options, threads: threads(1) })).toEqual(alone);
    expect(await importFrom(home, { ...options, threads: threads(3) })).toEqual(alone);
  });

  test.each([
    ['cannot be loaded', 'import "./nowhere.mjs";'],
    [
      'end when they are asked',
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(3));",
    ],
    [
      'answer with an error',
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ id }) => parentPort.postMessage({ id, error: 'no' }));",
    ],
  ])('is done here where threads %s', async (_what, text) => {
    const home = makeHome();
    const program = pathToFileURL(join(makeTree({ 'thread.mjs': text }), 'thread.mjs'));
    expect(await importFrom(home, { threads: threads(2, program) })).toEqual(await importFrom(home));
  });

  test('keeps to a limit of bytes, and the next look goes on', async () => {
    const home = makeHome();
    const keeper = new MemoryKeeper();
    const bytes = 3_000_000;
    for (let look = 0; look < 8; look += 1) {
      const { imported } = await readTranscripts(home, { keeper, bytes, threads: threads(2) });
      const read = imported.hosts.reduce((sum, host) => sum + host.bytes, 0);
      expect(read).toBeLessThan(bytes + 300_000);
    }
    expect([...keeper.found.keys()].sort()).toEqual((await importFrom(home)).found.map(([id]) => id).sort());
  });

  test('is made up for by the next import if it fails in the middle', async () => {
    const home = makeHome();
    const keeper = new MemoryKeeper();
    keeper.failAt = 0;
    await expect(readTranscripts(home, { keeper, threads: threads(2) })).rejects.toThrow('killed');
    keeper.failAt = Infinity;
    await readTranscripts(home, { keeper, threads: threads(2) });
    expect([...keeper.found]).toEqual((await importFrom(home)).found);
  });

  test.runIf(process.platform === 'linux')('leaves no thread behind', async () => {
    const home = makeHome();
    const countThreads = (): number => readdirSync('/proc/self/task').length;
    const read = (): Promise<unknown> => importFrom(home, { threads: threads(1) });
    await read();
    const before = countThreads();
    for (let round = 0; round < 5; round += 1) await Promise.all([read(), read()]);
    await expect.poll(countThreads).toBeLessThanOrEqual(before);
  });
});

describe('a thread', () => {
  const batchOf = (home: string, until: number): FileBatch => {
    const path = join(home, FOLDER, 'f1.jsonl');
    const stamp = readStamp(path);
    if (stamp === undefined) throw new Error('no file');
    const { mtimeMs, ctimeMs, size, ino } = stamp;
    const file = { path, stamp: { mtimeMs, ctimeMs, size, ino }, reading: undefined };
    return { files: [{ host: 'claude-code', file }], team: 'team', learns: false, until };
  };

  // Node 22 cannot run the sources.
  test.skipIf(!RUNS_SOURCES)('reads what it is asked for as it is read here', async () => {
    const batch = batchOf(makeHome(), Infinity);
    const read = openHistoryReader({ team: 'team', toWords: undefined });
    const here = readBatch(batch, read);
    expect(here).toMatchObject([{ state: 'read', read: { isWhole: true } }]);
    const files = batch.files.map(({ host, file }) => ({ host: HOSTS[host], file }));
    const there = await withReaders(threads(1), batch, async ([ask]) => ask?.(files));
    expect(there).toEqual(here);
  });

  test('knows the history of every host', () => {
    const histories = Object.entries(HOSTS).map(([id, { history }]) => [id, history]);
    expect(HISTORIES).toEqual(Object.fromEntries(histories));
  });

  test('leaves the files for the next time when it is late', () => {
    const read = openHistoryReader({ team: 'team', toWords: undefined });
    expect(readBatch(batchOf(makeHome(), 0), read)).toEqual([{ state: 'left' }]);
  });
});
