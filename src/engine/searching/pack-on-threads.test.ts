import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { afterAll, describe, expect, test } from 'vitest';

import { makeTree, skillText } from '../../../test/support/tree.ts';
import type { Skill } from '../../model/skill.ts';
import { makeTemporaryTree } from '../../platform/files/temporary-tree.ts';
import { openIndexBuilder } from '../../select/building/index-builder.ts';
import { encodeIndex, encodeIndexInPieces } from '../../select/index/index-file.ts';
import { EMPTY_INDEX } from '../../select/index/search-index.ts';
import { fromFile } from '../../sources/from-file.ts';
import { placeSkill } from '../../sources/placement.ts';
import { packOnThreads, type PackingOptions } from './pack-on-threads.ts';

const COUNT = 1_200;

const WORDS = ['pdf', 'form', 'deploy', 'café', '表格', 'node.js', 'C++', 'übersicht', 'merge', 'chart'];

const tree = makeTemporaryTree(
  Object.fromEntries(Array.from({ length: COUNT }, (_, number) => [`s${number}/SKILL.md`, textOf(number)])),
);
afterAll(() => tree[Symbol.dispose]());

function textOf(number: number): string {
  const words = WORDS.filter((_, at) => (number * (at + 3)) % 7 < 3).join(' ');
  return skillText(
    { name: `s${number}`, description: `Does ${words}.` },
    `# Part ${number % 9}\n\n${words} tool${number}y.`,
  );
}

function readSkills(): readonly Skill[] {
  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  return numbers.flatMap((number) => {
    const read = fromFile(`${tree.root}/s${number}/SKILL.md`);
    const stamp = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: number };
    return read.ok ? [placeSkill(read.skill, { source: 'user', group: 'User', level: 'user' }, stamp)] : [];
  });
}

async function buildWith(skills: readonly Skill[], options: Partial<PackingOptions>): Promise<Uint8Array> {
  const builder = openIndexBuilder(EMPTY_INDEX, skills);
  const signal = new AbortController().signal;
  await packOnThreads(builder.missing, (part) => builder.addPacked(part), { signal, ...options });
  expect(Buffer.concat(encodeIndexInPieces(builder.build(), 'x'))).toEqual(
    Buffer.from(encodeIndex(builder.build(), 'x')),
  );
  return encodeIndex(builder.build(), 'x');
}

/** Threads of this process that the system knows. */
const countThreads = (): number => readdirSync('/proc/self/task').length;
const countHandles = (): number => readdirSync('/proc/self/fd').length;

describe('reading skills on several threads', () => {
  const skills = readSkills();

  test('gives the same bytes as reading them on one', async () => {
    const alone = await buildWith(skills, { threads: 1 });
    expect(await buildWith(skills, { threads: 2 })).toEqual(alone);
    expect(await buildWith(skills, { threads: 3 })).toEqual(alone);
  });

  test('is done here where the threads cannot be started, or fail', async () => {
    const alone = await buildWith(skills, { threads: 1 });
    expect(await buildWith(skills, { threads: 2, program: pathToFileURL('/nowhere/thread.js') })).toEqual(alone);
    const broken = makeTree({ 'thread.mjs': "setImmediate(() => { throw new Error('out of order'); });" });
    expect(await buildWith(skills, { threads: 2, program: pathToFileURL(`${broken}/thread.mjs`) })).toEqual(alone);
  });

  test('says how many are left, from all down to none', async () => {
    const left: number[] = [];
    await buildWith(skills, { threads: 2, onLeft: (count) => left.push(count) });
    expect([left[0], left.at(-1)]).toEqual([COUNT, 0]);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
  });

  test('ends when it is told to', async () => {
    const stop = new AbortController();
    const onLeft = (): void => stop.abort();
    const parts: unknown[] = [];
    for (const threads of [2, 1])
      await packOnThreads(skills, (part) => parts.push(part), { signal: stop.signal, threads, onLeft });
    expect(parts).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'leaves no thread and no handle behind, the twentieth time either',
    async () => {
      const few = skills.slice(0, 2);
      const signal = new AbortController().signal;
      const pack = (): Promise<unknown> => packOnThreads(few, () => undefined, { signal, threads: 2 });
      await pack();
      const before = { threads: countThreads(), handles: countHandles() };
      for (let round = 0; round < 20; round += 1) await pack();
      expect(countThreads()).toBeLessThanOrEqual(before.threads);
      expect(countHandles()).toBeLessThanOrEqual(before.handles + 1);
    },
  );
});
