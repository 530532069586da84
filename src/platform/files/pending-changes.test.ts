import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeTree, type Tree } from '../../../test/support/tree.ts';
import { fail } from '../../model/outcome.ts';
import { renderToken, withLock } from './lock.ts';
import {
  finishHeldChanges,
  finishPendingChanges,
  hasPendingChanges,
  makeChange,
  VACANT,
  inodeAndCtime,
  type PlannedChange,
} from './pending-changes.ts';

/** An update as the installer plans it: the old folder goes out, the new one in, and two files are replaced. */
const BEFORE: Tree = {
  'root/pdf/SKILL.md': 'old',
  'root/.state/new/SKILL.md': 'new',
  'root/.state/older/x': '',
  'home/lock': 'old lock',
  'home/lock.new': 'new lock',
  'home/config.new': 'new config',
};
const AFTER = {
  'home/config': 'new config',
  'home/lock': 'new lock',
  'root/.state/kept/SKILL.md': 'old',
  'root/pdf/SKILL.md': 'new',
};

function plan(dir: string): PlannedChange {
  const at = (path: string): string => join(dir, path);
  return {
    guards: [at('home/lock'), at('home/config')],
    moves: [
      { kind: 'out', from: at('root/pdf'), to: at('root/.state/kept') },
      { kind: 'in', from: at('root/.state/new'), to: at('root/pdf') },
      { kind: 'in', from: at('home/lock.new'), to: at('home/lock') },
      { kind: 'in', from: at('home/config.new'), to: at('home/config') },
    ],
    discard: [at('root/.state/older')],
    prepared: [at('home/lock.new'), at('home/config.new')],
  };
}

function filesOf(dir: string): Readonly<Record<string, string>> {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path.slice(dir.length + 1), readFileSync(path, 'utf8')]));
}

function record(dir: string, change: unknown): void {
  mkdirSync(join(dir, 'home/pending'), { recursive: true });
  writeFileSync(join(dir, 'home/pending/1-x.json'), JSON.stringify(change));
}

describe('a pending change of files', () => {
  test('is made as a whole and leaves nothing else behind', () => {
    const dir = makeTree(BEFORE);
    expect(makeChange(join(dir, 'home'), plan(dir))).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual(AFTER);
    expect(hasPendingChanges(join(dir, 'home'))).toBe(false);
  });

  test.each([0, 1, 2, 3, 4])('of which %i renames were made is completed by the next process', async (made) => {
    const dir = makeTree(BEFORE);
    const change = plan(dir);
    record(dir, { version: 1, ...change });
    for (const { from, to } of change.moves.slice(0, made)) renameSync(from, to);
    expect(hasPendingChanges(join(dir, 'home'))).toBe(true);
    expect(await finishPendingChanges(join(dir, 'home'))).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual(AFTER);
  });

  test('that was made but not yet forgotten does nothing a second time', async () => {
    const dir = makeTree(BEFORE);
    makeChange(join(dir, 'home'), plan(dir));
    // By now the folder was changed again.
    writeFileSync(join(dir, 'root/pdf/SKILL.md'), 'newer');
    record(dir, { version: 1, ...plan(dir) });
    expect(await finishPendingChanges(join(dir, 'home'))).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual({ ...AFTER, 'root/pdf/SKILL.md': 'newer' });
  });

  test('that meets a folder in its way is undone, and its prepared files are removed', () => {
    const dir = makeTree({ ...BEFORE, 'home/config/x': '' });
    const { moves, ...rest } = plan(dir);
    const [out, into, lock, config] = moves;
    if (out === undefined || into === undefined || lock === undefined || config === undefined) throw new Error();
    const failed = makeChange(join(dir, 'home'), { ...rest, moves: [out, into, config, lock] });
    expect(failed).toMatchObject({ ok: false, message: expect.stringContaining('nothing was changed') });
    const { 'home/lock.new': _lock, 'home/config.new': _config, ...untouched } = BEFORE;
    expect(filesOf(dir)).toEqual({ ...untouched, 'home/config/x': '' });
    expect(hasPendingChanges(join(dir, 'home'))).toBe(false);
  });

  test('that already replaced a file is not undone but completed as soon as possible', async () => {
    const dir = makeTree({ ...BEFORE, 'home/config/x': '' });
    const failed = makeChange(join(dir, 'home'), plan(dir));
    expect(failed).toMatchObject({ ok: false, message: expect.stringContaining('will try again') });
    expect(filesOf(dir)['home/lock']).toBe('new lock');
    expect(await finishPendingChanges(join(dir, 'home'))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    renameSync(join(dir, 'home/config'), join(dir, 'elsewhere'));
    expect(await finishPendingChanges(join(dir, 'home'))).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual({ ...AFTER, 'elsewhere/x': '' });
  });

  test('that cannot be recorded is not begun', () => {
    const dir = makeTree({ ...BEFORE, 'home/pending': 'in the way' });
    expect(makeChange(join(dir, 'home'), plan(dir))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    const { 'home/lock.new': _lock, 'home/config.new': _config, ...untouched } = BEFORE;
    expect(filesOf(dir)).toEqual({ ...untouched, 'home/pending': 'in the way' });
  });
});

describe('a recorded change of files', () => {
  test.each([
    'garbage',
    {},
    { version: 2, guards: [], moves: [], discard: [], prepared: [] },
    { version: 1, guards: [], moves: [{ kind: 'away', from: 'a', to: 'b' }], discard: [], prepared: [] },
    { version: 1, guards: [1], moves: [], discard: [], prepared: [] },
  ])('that cannot be read is reported and left alone: %j', async (content) => {
    const dir = makeTree();
    record(dir, content);
    const finished = await finishPendingChanges(join(dir, 'home'));
    expect(finished).toMatchObject({
      ok: false,
      message: expect.stringContaining('1-x.json cannot be read as a change'),
    });
    expect(hasPendingChanges(join(dir, 'home'))).toBe(true);
  });

  test('waits until the locks on all its files are free', async () => {
    for (const held of ['lock', 'config']) {
      const dir = makeTree(BEFORE);
      record(dir, { version: 1, ...plan(dir) });
      writeFileSync(join(dir, `home/${held}.lock`), renderToken());
      const failed = await finishPendingChanges(join(dir, 'home'), { patienceMs: 0 });
      expect(failed).toMatchObject({ ok: false, message: expect.stringMatching(/^process \d+ holds /) });
      expect(filesOf(dir)['home/lock']).toBe('old lock');
    }
  });

  test('that its own process completed while we waited is not made again', async () => {
    const dir = makeTree({ 'root/pdf/SKILL.md': 'removed, and installed again', 'home/': '' });
    const [from, to] = [join(dir, 'root/pdf'), join(dir, 'root/trash')];
    const guards = [join(dir, 'home/lock')];
    record(dir, { version: 1, guards, moves: [{ kind: 'out', from, to }], discard: [to], prepared: [] });
    const held = await withLock(join(dir, 'home/lock'), async () => {
      const finishing = finishPendingChanges(join(dir, 'home'));
      rmSync(join(dir, 'home/pending/1-x.json'));
      return { ok: true, finishing: { wait: () => finishing } };
    });
    expect(await (held.ok ? held.finishing.wait() : held)).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual({ 'root/pdf/SKILL.md': 'removed, and installed again' });
  });

  test('is completed before a process that holds the locks changes its files again', () => {
    const dir = makeTree(BEFORE);
    const change = plan(dir);
    record(dir, { version: 1, ...change });
    expect(finishHeldChanges(join(dir, 'home'), change.guards.slice(1))).toEqual({ ok: true });
    expect(hasPendingChanges(join(dir, 'home'))).toBe(true);
    expect(finishHeldChanges(join(dir, 'home'), change.guards)).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual(AFTER);
  });

  test('is left to the process that took over the lock', () => {
    const dir = makeTree(BEFORE);
    let steps = 0;
    const lost = makeChange(join(dir, 'home'), plan(dir), () => {
      steps += 1;
      // The process stands still after each step.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
      return steps < 3 ? { ok: true } : fail('STORE_FAILED', 'another process took over the lock');
    });
    expect(lost).toMatchObject({ ok: false, message: expect.stringContaining('another process took over') });
    expect(hasPendingChanges(join(dir, 'home'))).toBe(true);
    expect(finishHeldChanges(join(dir, 'home'), plan(dir).guards)).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual(AFTER);
  });

  test('in a deleted project blocks nothing and does not recreate the project', async () => {
    const dir = makeTree({ 'home/': '' });
    record(dir, { version: 1, ...plan(dir), guards: [join(dir, 'project/.agent/lock')] });
    expect(await finishPendingChanges(join(dir, 'home'))).toEqual({ ok: true });
    expect(existsSync(join(dir, 'project'))).toBe(false);
  });
});

describe('a path in a planned change of files', () => {
  const planned = (dir: string): PlannedChange => {
    const at = (path: string): string => join(dir, path);
    return {
      guards: [at('home/lock')],
      moves: [
        { kind: 'out', from: at('root/old'), to: at('root/.trash'), found: inodeAndCtime(at('root/old')) },
        { kind: 'in', from: at('root/.new'), to: at('root/free'), found: VACANT },
        { kind: 'in', from: at('root/.text'), to: at('root/text'), found: inodeAndCtime(at('root/text')) },
      ],
      discard: [at('root/.trash'), at('root/.new'), at('root/.text')],
      prepared: [],
    };
  };
  const TREE: Tree = {
    'home/lock': '',
    'root/old/SKILL.md': 'ours',
    'root/.new/SKILL.md': 'ours',
    'root/.text': 'ours',
    'root/text': 'before',
  };

  test('is left alone if others changed it meanwhile, and nothing of ours is left behind', async () => {
    const dir = makeTree(TREE);
    record(dir, { version: 1, ...planned(dir) });
    const at = (path: string): string => join(dir, 'root', path);
    rmSync(at('old'), { recursive: true });
    for (const name of ['old', 'free']) mkdirSync(at(name));
    for (const name of ['old/SKILL.md', 'free/SKILL.md', 'text']) writeFileSync(at(name), 'theirs');
    expect(await finishPendingChanges(join(dir, 'home'))).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual({
      'home/lock': '',
      'root/free/SKILL.md': 'theirs',
      'root/old/SKILL.md': 'theirs',
      'root/text': 'theirs',
    });
  });

  test('is changed as planned if no one else touched it', async () => {
    const dir = makeTree(TREE);
    record(dir, { version: 1, ...planned(dir) });
    expect(await finishPendingChanges(join(dir, 'home'))).toEqual({ ok: true });
    expect(filesOf(dir)).toEqual({ 'home/lock': '', 'root/free/SKILL.md': 'ours', 'root/text': 'ours' });
  });
});
