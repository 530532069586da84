import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import { DAY, START } from '../../test/support/usage-events.ts';
import { openSqliteUsage } from './sqlite-usage.ts';
import type { Caller } from './usage-store.ts';
import { Usage, type UsageOptions } from './usage.ts';

const ANN: Caller = { team: 'team', agent: 'ann', project: '/project', session: 'one' };
const MINUTE = 60_000;

interface Learning {
  readonly path: string;
  readonly usage: Usage;
  /** Moves the clock. */
  readonly pass: (ms: number) => void;
  readonly open: (given?: Partial<UsageOptions>) => Usage;
}

/** A usage that learns, with words of one letter each as numbers. */
function makeLearning(): Learning {
  const path = join(makeTree(), 'skillplane.db');
  let time = START;
  const open = (given: Partial<UsageOptions> = {}): Usage => {
    const usage = new Usage({
      caller: ANN,
      clock: () => time,
      readSettings: () => ({ isKept: true, isLearning: true }),
      toWords: async (request) => request.split(' ').map((word) => word.codePointAt(0) ?? 0),
      path,
      openStore: async (warn) => openSqliteUsage(path, warn),
      ...given,
    });
    onTestFinished(() => usage.close());
    return usage;
  };
  return { path, usage: open(), open, pass: (ms) => void (time += ms) };
}

async function recalled(usage: Usage, request: string): Promise<object> {
  const memory = await usage.preferredFor(request);
  return Object.fromEntries(
    [...memory].map(([skill, words]) => [
      skill,
      Object.fromEntries([...words].map(([word, weight]) => [String.fromCodePoint(word), Number(weight.toFixed(2))])),
    ]),
  );
}

const load = (usage: Usage, skill: string): Promise<void> => usage.record([{ skill, kind: 'loaded' }]);

test('using a skill after a request learns the words of the request, once per skill', async () => {
  const { usage } = makeLearning();
  await load(usage, 'before');
  await usage.noteRequest('a b');
  await load(usage, 'pdf');
  await usage.record([{ skill: 'pdf', kind: 'ran' }]);
  await usage.record([
    { skill: 'found', kind: 'searched' },
    { skill: 'failed', kind: 'ran', outcome: 'failed' },
  ]);
  await usage.noteRequest('b c');
  await load(usage, 'pdf');
  expect(await recalled(usage, 'a b c d')).toEqual({ pdf: { a: 1, b: 2, c: 1 } });
  expect(await recalled(usage, 'd')).toEqual({});
});

test('a request is learned from for half an hour, and by its own session first', async () => {
  const { usage, open, pass } = makeLearning();
  const other = open({ caller: { ...ANN, session: 'two' } });
  await usage.noteRequest('a');
  pass(MINUTE);
  await other.noteRequest('b');
  await load(usage, 'of-one');
  expect(await recalled(usage, 'a b')).toEqual({ 'of-one': { a: 1 } });
  const command = open({ caller: { ...ANN, session: 'three' } });
  await load(command, 'of-a-command');
  expect(await recalled(usage, 'b')).toEqual({ 'of-a-command': { b: 1 } });
  const elsewhere = open({ caller: { ...ANN, project: '/other' } });
  await load(elsewhere, 'elsewhere');
  pass(31 * MINUTE);
  await load(usage, 'later');
  expect(await recalled(usage, 'a b')).toEqual({ 'of-one': { a: 1 }, 'of-a-command': { b: 1 } });
});

test('learned words fade with time, and only the strongest of many are kept', async () => {
  const { usage, pass } = makeLearning();
  await usage.noteRequest('a');
  await load(usage, 'pdf');
  pass(90 * DAY);
  expect(await recalled(usage, 'a')).toEqual({ pdf: { a: 0.5 } });
  await usage.noteRequest('a');
  await load(usage, 'pdf');
  expect(await recalled(usage, 'a')).toEqual({ pdf: { a: 1.5 } });
  const many = Array.from({ length: 300 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(' ');
  await usage.noteRequest(many);
  await load(usage, 'pdf');
  expect(await usage.learned()).toEqual({ ok: true, learned: { skills: 1, lessons: 256 } });
  expect(await recalled(usage, 'a')).toEqual({ pdf: { a: 1.5 } });
  pass(10 * 365 * DAY);
  expect(await recalled(usage, 'a')).toEqual({});
});

test('lessons are kept for 500 skills, and the oldest give way', async () => {
  const { usage, pass } = makeLearning();
  for (let at = 0; at < 503; at += 1) {
    await usage.noteRequest('a');
    await load(usage, `skill-${at}`);
    pass(MINUTE);
  }
  expect(await usage.learned()).toEqual({ ok: true, learned: { skills: 500, lessons: 500 } });
  expect((await usage.preferredFor('a')).has('skill-2')).toBe(false);
  expect((await usage.preferredFor('a')).has('skill-3')).toBe(true);
});

test('with learning off, nothing is noted, learned or recalled', async () => {
  const { usage, open } = makeLearning();
  await usage.noteRequest('a');
  const off = open({ readSettings: () => ({ isKept: true, isLearning: false }) });
  await load(off, 'pdf');
  await off.noteRequest('b');
  expect(await off.learned()).toEqual({ ok: true, learned: undefined });
  await load(usage, 'docx');
  expect(await recalled(usage, 'a b')).toEqual({ docx: { a: 1 } });
  expect(await recalled(off, 'a b')).toEqual({});
});

const read = (id: string, at: number, words: readonly number[]): object => ({
  id,
  words,
  events: [{ ...ANN, skills: ['plugin:pdf'], kind: 'loaded', outcome: 'ok', at }],
});

test('a use read from a transcript is learned from once, even if a hook reported it first', async () => {
  const { usage } = makeLearning();
  const found = [read('x', START, [97])] as never[];
  const told = [
    { id: 'x', events: [{ ...ANN, skills: ['pdf'], kind: 'loaded', outcome: 'ok', at: START }] },
  ] as never[];
  await usage.import({ found: told, readings: [] });
  await usage.import({ found, readings: [] });
  await usage.import({ found, readings: [] });
  expect(await recalled(usage, 'a')).toEqual({ pdf: { a: 1 } });
});

test('forgotten lessons are erased from the file and not learned again from old transcripts', async () => {
  const { usage, path, open, pass } = makeLearning();
  const reading = { path: '/t', inode: '1', size: 1, mtimeMs: 1, offset: 1 };
  const asked = JSON.stringify({ learned: true, asked: { words: [98], skills: [] } });
  await usage.import({ found: [], readings: [{ ...reading, state: asked }] });
  for (const skill of ['pdf', 'docx']) {
    await usage.noteRequest('\u{10ABCD} b');
    await load(usage, skill);
  }
  expect(await usage.forget('pdf')).toEqual({ ok: true, skills: 1, lessons: 2 });
  expect(await recalled(usage, 'b')).toEqual({ docx: { b: 1 } });
  expect(await usage.forget()).toEqual({ ok: true, skills: 1, lessons: 2 });
  expect(await usage.readings([reading.path])).toMatchObject({
    readings: [{ state: JSON.stringify({ learned: true }) }],
  });
  await load(usage, 'pdf');
  await usage.import({ found: [read('old', START - 1, [97]), read('new', START + 1, [98])] as never[], readings: [] });
  expect(await recalled(usage, 'a b')).toEqual({ pdf: { b: 1 } });
  pass(MINUTE);
  expect(await open({ readSettings: () => ({ isKept: true, isLearning: false }) }).forget()).toEqual({
    ok: true,
    skills: 1,
    lessons: 1,
  });
  // 0x10ABCD as SQLite stores an integer, and as text.
  const names = readdirSync(dirname(path)).filter((name) => {
    const bytes = readFileSync(join(dirname(path), name), 'latin1');
    return bytes.includes('\u0010\u00AB\u00CD') || bytes.includes(String(0x10abcd));
  });
  expect(names).toEqual([]);
});
