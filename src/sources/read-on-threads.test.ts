import { linkSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, describe, expect, test, vi } from 'vitest';

import { sourceRoot } from '../../test/support/found.ts';
import { settle } from '../../test/support/settle.ts';
import { link, makeTree, skillText } from '../../test/support/tree.ts';
import { cacheFile } from '../platform/files/cache-file.ts';
import { makeTemporaryTree } from '../platform/files/temporary-tree.ts';
import { encodeRows } from './cache-rows.ts';
import { toPlainSkill } from './cached-skill.ts';
import type { BatchRules, Folder } from './read-folders.ts';
import { readOnThreads, type ReadingThreads } from './read-on-threads.ts';
import { NO_LISTING } from './root-listing.ts';
import { openScanner, type SourcesScan } from './scan-sources.ts';

const COUNT = 700;

const KINDS: readonly ((id: string) => string)[] = [
  (id) => skillText({ name: id, description: 'Fills forms.', tags: ['pdf', 'form'] }),
  (id) => skillText({ name: id, description: '表格 — заполняет.', metadata: { requires: 'git' } }),
  () => '# Only a text\n\nWithout anything else.',
  () => '',
  (id) => `---\nname: ${id}\ndescription: "one" and "two": three\n---\nBody`,
  (id) => skillText({ name: id, description: 'Hidden\u200b.', triggers: { patterns: ['^a.*b$', '(?=c)'] } }),
];

const idOf = (at: number): string => `s${String(at).padStart(3, '0')}`;

const tree = makeTemporaryTree({
  ...Object.fromEntries(
    Array.from({ length: COUNT }, (_, at) => [
      `skills/${idOf(at)}/SKILL.md`,
      KINDS[at % KINDS.length]?.(idOf(at)) ?? '',
    ]),
  ),
  'skills/other-spelling/skill.md': skillText({ description: 'Spelled otherwise.' }),
  'skills/nothing/README.md': '',
  'skills/linked': link('s000'),
  'skills/away': link('/etc'),
  'skills/hard/README.md': '',
});
linkSync(join(tree.root, 'skills/s000/SKILL.md'), join(tree.root, 'skills/hard/SKILL.md'));
afterAll(() => tree[Symbol.dispose]());

const root = join(tree.root, 'skills');
const rules: BatchRules = {
  root,
  owner: undefined,
  refuseHardLinks: true,
  readingSteps: 1_000_000,
  patternSteps: 1_000_000,
};
const folders: readonly Folder[] = readdirSync(root).map((id) => ({ id, realDir: join(root, id) }));

async function readWith(threads: ReadingThreads, some: readonly Folder[] = folders): Promise<Buffer> {
  await settle(join(root, 'hard/SKILL.md'));
  return Buffer.concat(encodeRows('me', await readOnThreads(some, rules, threads), NO_LISTING));
}

/** A program for threads, as text. */
function makeProgram(text: string): URL {
  return pathToFileURL(join(makeTree({ 'thread.mjs': text }), 'thread.mjs'));
}

/** Threads of this process that the system knows. */
const countThreads = (): number => readdirSync('/proc/self/task').length;
const countHandles = (): number => readdirSync('/proc/self/fd').length;

describe('reading skills on several threads', () => {
  test('gives the same bytes as reading them on one', async () => {
    const alone = await readWith({ count: 0 });
    expect(await readWith({ count: 1 })).toEqual(alone);
    expect(await readWith({ count: 3 })).toEqual(alone);
  });

  test.each([
    ['cannot be loaded', 'import "./nowhere.mjs";'],
    ['throw', "setImmediate(() => { throw new Error('out of order'); });"],
    [
      'end when they are asked',
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(3));",
    ],
    [
      'answer with an error',
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ id }) => parentPort.postMessage({ id, error: 'no' }));",
    ],
  ])('is done here where threads %s', async (_what, program) => {
    expect(await readWith({ count: 2, program: makeProgram(program) })).toEqual(await readWith({ count: 0 }));
  });

  test.runIf(process.platform === 'linux')(
    'leaves no thread and no handle behind, the hundredth time either',
    async () => {
      const few = folders.slice(0, 2);
      const read = (): Promise<unknown> => readWith({ count: 1 }, few);
      await read();
      const before = { threads: countThreads(), handles: countHandles() };
      for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 5 }, read));
      await expect.poll(countThreads).toBeLessThanOrEqual(before.threads);
      await expect.poll(countHandles).toBeLessThanOrEqual(before.handles + 1);
    },
  );
});

describe('scanning with several threads', () => {
  const toPlain = (scan: SourcesScan): SourcesScan => ({
    ...scan,
    found: scan.found.map((one) => ({ ...one, skill: toPlainSkill(one.skill) })),
  });

  /** The result of a scan, and what it leaves for the next process. */
  async function scan(path: string, threads: ReadingThreads): Promise<readonly [SourcesScan, Buffer]> {
    const agentHome = makeTree();
    const scanner = openScanner({ agentHome, userId: process.getuid?.(), threads });
    // The entries of a folder are kept once it has not changed for some seconds: here always.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    const result = await scanner.scan([sourceRoot(path, { level: 'project' })]);
    scanner.save();
    vi.useRealTimers();
    return [toPlain(result), readFileSync(cacheFile(agentHome, 'skills', path))];
  }

  test('finds the same skills and flaws, and saves the same cache', async () => {
    await settle(join(root, 'hard/SKILL.md'));
    const [alone, saved] = await scan(root, { count: 0 });
    expect(alone.found).toHaveLength(COUNT + 3);
    expect(await scan(root, { count: 2 })).toEqual([alone, saved]);
  });

  test('refuses the same skills where all of them together are too slow to read', async () => {
    const slow = (id: string): string => `---\nname: ${id}\ndescription: Slow.\n${'k: [a] [b]\n'.repeat(600)}---\n`;
    const greedy = (id: string): string =>
      skillText({ name: id, description: 'Greedy.', triggers: { patterns: [`a{999}${id}`, '(?=c)'] } });
    const ids = Array.from({ length: 300 }, (_, at) => idOf(at));
    const files = ids.map((id, at) => [`${id}/SKILL.md`, [slow, greedy, KINDS[0]][at % 3]?.(id) ?? '']);
    const path = makeTree(Object.fromEntries(files));
    await settle(join(path, `${ids.at(-1)}/SKILL.md`));
    const [alone, saved] = await scan(path, { count: 0 });
    const refused = alone.found.filter(({ skill }) => skill.diagnostics.some(({ code }) => code === 'SCAN_LIMIT'));
    const bare = alone.found.filter(({ skill }) =>
      skill.diagnostics.some(({ message }) => message.startsWith('the patterns are not used')),
    );
    expect([refused.length > 0, refused.length < 100, bare.length > 0, bare.length < 100]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await scan(path, { count: 2 })).toEqual([alone, saved]);
  });
});
