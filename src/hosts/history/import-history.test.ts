import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { jsonLines, MemoryKeeper, readTranscripts } from '../../../test/support/transcripts.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { openSqliteUsage } from '../../usage/sqlite-usage.ts';

const FOLDER = '.claude/projects/-work-app';

function use(number: number, skill = 'pdf'): object {
  return {
    type: 'user',
    message: {
      role: 'user',
      content: `<command-message>${skill}</command-message>\n<command-name>/${skill}</command-name>`,
    },
    uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    timestamp: new Date(Date.UTC(2026, 0, 5, 10, number)).toISOString(),
    sessionId: 'session-1',
    cwd: '/projects/app',
  };
}

function makeHome(files: Readonly<Record<string, string>>): { home: string; path: (name: string) => string } {
  const tree = Object.fromEntries(Object.entries(files).map(([name, content]) => [`${FOLDER}/${name}.jsonl`, content]));
  const home = makeTree(tree);
  return { home, path: (name) => join(home, FOLDER, `${name}.jsonl`) };
}

describe('a second import of agent transcripts', () => {
  test('skips unchanged files and reads only the new lines of files that have grown', async () => {
    const { home, path } = makeHome({ a: jsonLines(use(1), use(2)), b: jsonLines(use(3)) });
    const { keeper } = await readTranscripts(home);
    const second = await readTranscripts(home, { keeper });
    expect(second.imported).toMatchObject({ added: 0, hosts: [{ files: 2, read: 0, bytes: 0 }, {}, {}, {}, {}, {}] });
    const added = jsonLines(use(4));
    appendFileSync(path('b'), added);
    const third = await readTranscripts(home, { keeper });
    expect(third.imported).toMatchObject({ added: 1, hosts: [{ read: 1, bytes: added.length }, {}, {}, {}, {}, {}] });
    expect(keeper.found.size).toBe(4);
  });

  test('continues in the middle of a tool call and of a half-written line', async () => {
    const call = {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 'toolu_0000000001', name: 'Skill', input: { skill: 'pdf' } }] },
    };
    const result = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_0000000001' }] } };
    const lines = jsonLines({ ...use(1), ...call }, { ...use(2), ...result });
    const cut = lines.indexOf('tool_result');
    const { home, path } = makeHome({ a: lines.slice(0, cut) });
    const { keeper } = await readTranscripts(home);
    expect(keeper.events).toEqual([]);
    appendFileSync(path('a'), lines.slice(cut));
    await readTranscripts(home, { keeper });
    expect(keeper.events).toEqual(['loaded pdf']);
  });

  test('rereads a file that was rewritten, truncated or replaced, and counts nothing twice', async () => {
    const { home, path } = makeHome({ a: jsonLines(use(1), use(2)) });
    const { keeper } = await readTranscripts(home);
    writeFileSync(path('a'), jsonLines(use(9), use(8), use(1), use(2)));
    await readTranscripts(home, { keeper });
    expect(keeper.found.size).toBe(4);
    truncateSync(path('a'), 0);
    appendFileSync(path('a'), jsonLines(use(7)));
    await readTranscripts(home, { keeper });
    expect(keeper.found.size).toBe(5);
    writeFileSync(`${path('a')}.new`, jsonLines(use(7), use(1), use(6), use(5), use(4)));
    renameSync(`${path('a')}.new`, path('a'));
    await readTranscripts(home, { keeper });
    expect(keeper.found.size).toBe(8);
  });

  test('forgets deleted files but keeps their events; importing one host forgets no files of others', async () => {
    const { home, path } = makeHome({ a: jsonLines(use(1)), b: jsonLines(use(2)) });
    const { keeper } = await readTranscripts(home);
    await readTranscripts(home, { keeper, hosts: ['codex'], isAll: false });
    expect(keeper.files.size).toBe(2);
    rmSync(path('a'));
    await readTranscripts(home, { keeper });
    expect([...keeper.files.keys()]).toEqual([path('b')]);
    expect(keeper.found.size).toBe(2);
  });
});

describe('an import of agent transcripts with a limit', () => {
  test('on bytes reads the newest file first, stops within it, and continues there next time', async () => {
    const lines = Array.from({ length: 4_000 }, (_, at) => use(at));
    const { home, path } = makeHome({ old: jsonLines(use(5_000)), new: jsonLines(...lines) });
    utimesSync(path('old'), 1, 1);
    const first = await readTranscripts(home, { bytes: 300_000 });
    const { keeper } = first;
    expect(first.imported.hosts[0]).toMatchObject({ read: 1, left: 2 });
    expect(keeper.found.size).toBeGreaterThan(100);
    expect(keeper.found.size).toBeLessThan(4_000);
    for (let look = 0; look < 10; look += 1) await readTranscripts(home, { keeper, bytes: 300_000 });
    expect(keeper.found.size).toBe(4_001);
    expect((await readTranscripts(home, { keeper })).imported.hosts[0]).toMatchObject({ read: 0, left: 0 });
  });

  test('on time stops when the time is up and forgets no file that it did not reach', async () => {
    const { home } = makeHome({ a: jsonLines(use(1)), b: jsonLines(use(2)) });
    let time = 0;
    const { keeper } = await readTranscripts(home);
    const late = await readTranscripts(home, { keeper, ms: 3, clock: () => (time += 1) });
    expect(late.imported).toMatchObject({ added: 0 });
    expect(keeper.files.size).toBe(2);
  });
});

describe('an import of agent transcripts', () => {
  test('that fails halfway is completed by the next one without duplicates', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [
        `f${at}`,
        jsonLines(...Array.from({ length: 1_500 }, (_none, line) => use(at * 1_500 + line))),
      ]),
    );
    const { home } = makeHome(files);
    const keeper = new MemoryKeeper();
    keeper.failAt = 1;
    await expect(readTranscripts(home, { keeper })).rejects.toThrow('killed');
    const before = keeper.found.size;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(7_500);
    keeper.failAt = Infinity;
    await readTranscripts(home, { keeper });
    expect(keeper.found.size).toBe(7_500);
  });

  test('keeps a long transcript part by part, so that a failure loses only the last part', async () => {
    const { home } = makeHome({ a: jsonLines(...Array.from({ length: 3_000 }, (_, at) => use(at))) });
    const keeper = new MemoryKeeper();
    keeper.failAt = 2;
    await expect(readTranscripts(home, { keeper })).rejects.toThrow('killed');
    const before = keeper.found.size;
    expect(before).toBeGreaterThanOrEqual(1_000);
    expect(before).toBeLessThan(3_000);
    keeper.failAt = Infinity;
    const { imported } = await readTranscripts(home, { keeper });
    expect(imported.added).toBe(3_000 - before);
    expect(imported.hosts[0]).toMatchObject({ files: 1, read: 1, left: 0 });
  });

  test('lets other work of the process run between two files', async () => {
    const { home } = makeHome(
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, jsonLines(use(at))])),
    );
    let turns = 0;
    let timer = setImmediate(function turn() {
      turns += 1;
      timer = setImmediate(turn);
    });
    await readTranscripts(home);
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  test('counts the lines that are not valid JSON and reads the others', async () => {
    const { home, path } = makeHome({
      a: `${JSON.stringify(use(1)).slice(0, -9)}\n{"content":"<command-message>\n${jsonLines(use(2))}`,
    });
    const { keeper, imported } = await readTranscripts(home);
    expect(keeper.found.size).toBe(1);
    expect(imported.hosts[0]).toMatchObject({ badLines: 2 });
    expect(readFileSync(path('a'), 'utf8')).toContain('command-message');
  });
});

test('importing transcripts stores events and offsets in the database, but no text of the conversation', async () => {
  const secret = 'my-secret-request';
  const line = {
    ...use(1),
    message: {
      role: 'user',
      content: `<command-message>pdf</command-message>\n<command-name>/pdf</command-name>\n<command-args>${secret}</command-args>`,
    },
  };
  const { home } = makeHome({ a: jsonLines(line, { ...use(2), toolUseResult: secret }) });
  const path = join(makeTree(), 'usage.db');
  const store = openSqliteUsage(path, ({ message }) => {
    throw new Error(message);
  });
  onTestFinished(() => store.close());
  const patience = { waitMs: 1_000 };
  const keeper = Object.assign(new MemoryKeeper(), {
    knownFiles: () => store.knownFiles(),
    readings: (paths: readonly string[]) => store.readings(paths),
    import: (batch: Parameters<typeof store.import>[0]) => store.import(batch, patience),
  });
  expect((await readTranscripts(home, { keeper })).imported.added).toBe(2);
  expect((await readTranscripts(home, { keeper })).imported.added).toBe(0);
  await store.close();
  for (const ending of ['', '-wal']) expect(readIfThere(`${path}${ending}`)).not.toContain(secret);
});

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
