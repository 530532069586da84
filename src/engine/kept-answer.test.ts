import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { makeWorld, type World } from '../../test/support/world.ts';
import { readEnvironment } from '../platform/environment.ts';
import { exists, isWritable, listDirectory, readOwnText, readStamp, realPath } from '../platform/files/files.ts';
import { openKeptAnswer, type AnswerKeeper } from './kept-answer.ts';

/** Everything was written long ago, by the clock alone. */
function letTimePass(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
}

afterEach(() => void vi.useRealTimers());

function open({ environment }: World, question = 'show'): AnswerKeeper {
  return openKeptAnswer([question], environment);
}

function record(kept: AnswerKeeper, look: () => unknown, ...pieces: readonly string[]): void {
  using recording = kept.record();
  look();
  for (const piece of pieces) recording.add(Buffer.from(piece));
  recording.keep();
}

function replay(kept: AnswerKeeper): string | undefined {
  const pieces: Uint8Array[] = [];
  return kept.replay((piece) => pieces.push(piece)) ? Buffer.concat(pieces).toString() : undefined;
}

function listAnswers({ home }: World): readonly string[] {
  const dir = join(home, '.agent/cache');
  return readdirSync(dir).filter((name) => name.startsWith('answer-'));
}

describe('an answer is kept', () => {
  test('and given again in another process, byte for byte', () => {
    const world = makeWorld({ 'home/a.txt': 'a' });
    letTimePass();
    record(open(world), () => readOwnText(join(world.home, 'a.txt')), '{"é":', '1', '', '}\n');
    expect(replay(open(world))).toBe('{"é":1}\n');
    expect(replay(open(world, 'another question'))).toBeUndefined();
  });

  test('for one home, folder and program alone', () => {
    const world = makeWorld();
    letTimePass();
    record(open(world), () => undefined, 'x');
    const elsewhere = { ...world.environment, cwd: world.home };
    expect(replay(openKeptAnswer(['show'], elsewhere))).toBeUndefined();
    expect(replay(open(world))).toBe('x');
  });

  test('unless something it looked at was written a moment ago', () => {
    const world = makeWorld({ 'home/a.txt': 'a' });
    record(open(world), () => readStamp(join(world.home, 'a.txt')), 'x');
    expect(replay(open(world))).toBeUndefined();
  });

  test('unless it looked at something in a way that cannot be checked later', () => {
    const world = makeWorld({ 'home/a.txt': 'a' });
    letTimePass();
    record(open(world), () => isWritable(join(world.home, 'a.txt')), 'x');
    expect(replay(open(world))).toBeUndefined();
  });

  test('unless all variables were read', () => {
    const world = makeWorld();
    letTimePass();
    const spread = (): unknown => ({ ...readEnvironment({ env: world.env }).variables });
    record(open(world), spread, 'x');
    expect(replay(open(world))).toBeUndefined();
  });

  test('eight at most, the newest', () => {
    const world = makeWorld();
    letTimePass();
    for (let at = 0; at < 12; at += 1) record(open(world, `question ${at}`), () => undefined, String(at));
    expect(listAnswers(world)).toHaveLength(8);
    expect(replay(open(world, 'question 11'))).toBe('11');
  });

  test('only while it is recorded: later looks do not count', () => {
    const world = makeWorld({ 'home/a.txt': 'a', 'home/b.txt': 'b' });
    letTimePass();
    record(open(world), () => readStamp(join(world.home, 'a.txt')), 'x');
    readStamp(join(world.home, 'b.txt'));
    rmSync(join(world.home, 'b.txt'));
    expect(replay(open(world))).toBe('x');
  });

  test('but not if its file is damaged', () => {
    const world = makeWorld();
    letTimePass();
    record(open(world), () => undefined, 'some text');
    const [name = ''] = listAnswers(world);
    const file = join(world.home, '.agent/cache', name);
    const bytes = readFileSync(file);
    bytes[bytes.indexOf('some')] = 'S'.charCodeAt(0);
    writeFileSync(file, bytes);
    expect(replay(open(world))).toBeUndefined();
    writeFileSync(file, bytes.subarray(0, 40));
    expect(replay(open(world))).toBeUndefined();
  });
});

describe('an answer is made anew after', () => {
  interface Change {
    readonly look: (world: World) => unknown;
    readonly change: (world: World) => void;
  }

  const at = ({ home }: World, path: string): string => join(home, path);

  test.each<[string, Change]>([
    [
      'a file got another text of the same length',
      {
        look: (world) => readStamp(at(world, 'a.txt')),
        change: (world) => writeFileSync(at(world, 'a.txt'), 'b'),
      },
    ],
    [
      'the permissions of a file changed',
      {
        look: (world) => readOwnText(at(world, 'a.txt')),
        change: (world) => chmodSync(at(world, 'a.txt'), 0o600),
      },
    ],
    [
      'a file was replaced by another one',
      {
        look: (world) => readOwnText(at(world, 'a.txt')),
        change: (world) => renameSync(at(world, 'folder/in.txt'), at(world, 'a.txt')),
      },
    ],
    [
      'a file is gone',
      { look: (world) => readStamp(at(world, 'a.txt')), change: (world) => rmSync(at(world, 'a.txt')) },
    ],
    [
      'a file is there that was missing',
      {
        look: (world) => readOwnText(at(world, 'new.txt')),
        change: (world) => writeFileSync(at(world, 'new.txt'), ''),
      },
    ],
    [
      'a folder has one more entry',
      {
        look: (world) => listDirectory(at(world, 'folder')),
        change: (world) => writeFileSync(at(world, 'folder/new.txt'), ''),
      },
    ],
    [
      'a missing folder is there',
      {
        look: (world) => listDirectory(at(world, 'missing')),
        change: (world) => mkdirSync(at(world, 'missing')),
      },
    ],
    [
      'a folder above a missing one became a file',
      {
        look: (world) => listDirectory(at(world, 'folder/missing')),
        change: (world) => {
          rmSync(at(world, 'folder'), { recursive: true });
          writeFileSync(at(world, 'folder'), '');
        },
      },
    ],
    [
      'a link leads to another place',
      {
        look: (world) => realPath(at(world, 'link')),
        change: (world) => {
          rmSync(at(world, 'link'));
          symlinkSync(at(world, 'other'), at(world, 'link'));
        },
      },
    ],
    [
      'what was a folder is none',
      {
        look: (world) => exists(at(world, 'other')),
        change: (world) => rmSync(at(world, 'other'), { recursive: true }),
      },
    ],
  ])('%s', (_, { look, change }) => {
    const world = makeWorld({ 'home/a.txt': 'a', 'home/folder/in.txt': 'b', 'home/other/': '' });
    symlinkSync(at(world, 'folder'), at(world, 'link'));
    letTimePass();
    record(open(world), () => look(world), 'x');
    expect(replay(open(world))).toBe('x');
    change(world);
    expect(replay(open(world))).toBeUndefined();
  });

  test('a variable that was read changed, and not after another one did', () => {
    const world = makeWorld({}, { SKILLS: 'here' });
    letTimePass();
    record(open(world), () => readEnvironment({ env: world.env }).variables['SKILLS'], 'x');
    const changed = (variables: Readonly<Record<string, string>>): string | undefined =>
      replay(openKeptAnswer(['show'], { ...world.environment, variables: { ...world.env, ...variables } }));
    expect(changed({ OTHER: 'y' })).toBe('x');
    expect(changed({ SKILLS: 'there' })).toBeUndefined();
  });
});
