import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import type { Failure } from '../../model/outcome.ts';
import type { FileContent } from '../../parse/digest.ts';
import { openSyncQueue } from '../../platform/files/sync-queue.ts';
import { openStager, type StagerOptions } from './open-stager.ts';

const COUNT = 150;

const all = Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 251));

/** The bytes are parts of one buffer. */
const contentsOf = (at: number): readonly FileContent[] => [
  { path: 'SKILL.md', executable: false, bytes: all.subarray(at, at + 2_000) },
  { path: 'scripts/deep/run.sh', executable: true, bytes: all.subarray(0, at) },
  { path: 'empty', executable: false, bytes: all.subarray(at, at) },
];

interface Staged {
  readonly failed: ReadonlyMap<string, Failure>;
  readonly files: Readonly<Record<string, readonly [mode: string, content: string]>>;
}

async function stage(options: Partial<StagerOptions>, blocked: readonly string[] = []): Promise<Staged> {
  const root = makeTree();
  for (const name of blocked) mkdirSync(join(root, name));
  using sync = openSyncQueue();
  await using stager = await openStager(COUNT, { sync, ...options });
  for (let at = 0; at < COUNT; at += 1) await stager.add({ dir: join(root, String(at)), contents: contentsOf(at) });
  const written = await stager.flush();
  if (!written.ok) throw new Error(written.message);
  const failed = new Map([...written.failed].map(([dir, failure]) => [dir.slice(root.length + 1), failure]));
  return { failed, files: describeTree(root) };
}

function describeTree(root: string): Staged['files'] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    paths.map((path) => {
      const stats = lstatSync(join(root, path));
      const content = stats.isFile() ? readFileSync(join(root, path), 'hex') : '';
      return [path, [stats.mode.toString(8), content]];
    }),
  );
}

const HERE = { many: Number.POSITIVE_INFINITY };
const THREAD = { many: 1 };

const makeProgram = (text: string): URL => pathToFileURL(join(makeTree({ 'program.mjs': text }), 'program.mjs'));

describe('skills are written', () => {
  test('by a thread as they are here: the same files with the same modes', async () => {
    const here = await stage(HERE);
    expect(Object.keys(here.files)).toHaveLength(COUNT * 6);
    expect(here.files['7/scripts/deep/run.sh']).toEqual(['100755', all.subarray(0, 7).toString('hex')]);
    expect(await stage(THREAD)).toEqual(here);
  });

  test('except those whose folder exists already, which stays as it is, and which are named', async () => {
    const blocked = ['0', '3', '149'];
    const here = await stage(HERE, blocked);
    const there = await stage(THREAD, blocked);
    expect([...there.failed.keys()].sort()).toEqual(blocked.toSorted());
    expect(there.failed.get('3')?.message).toContain('could not be created');
    expect(there.files).toEqual(here.files);
    expect(there.files['3/SKILL.md']).toBeUndefined();
  });

  test.each([
    ['cannot be started', "import '/no/such/program.mjs';"],
    ['ends at once', 'process.exit(3);'],
    [
      'fails at every request',
      "import { parentPort as p } from 'node:worker_threads'; p.on('message', ({ id }) => p.postMessage({ id }));",
    ],
    [
      'ends in the middle of its work',
      `
        import { parentPort } from 'node:worker_threads';
        import { mkdirSync, writeFileSync } from 'node:fs';
        parentPort.on('message', ({ request: { into } }) => {
          mkdirSync(into);
          writeFileSync(into + '/half', '');
          process.exit(0);
        });`,
    ],
  ])('here if the thread %s', async (_case, text) => {
    expect(await stage({ many: 1, program: makeProgram(text) })).toEqual(await stage(HERE));
  });
});
