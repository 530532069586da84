import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import { settle } from '../../test/support/settle.ts';
import { skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { bytesInMemory } from '../parse/column-file.ts';
import { withLock } from '../platform/files/lock.ts';
import { openIndexBuilder } from '../select/building/index-builder.ts';
import { encodeIndex, openIndex } from '../select/index/index-file.ts';
import { EMPTY_INDEX } from '../select/index/search-index.ts';
import { openSkills, type Skills } from './open-skills.ts';

const SKILLS = 'home/.agent/skills';

async function makeSettledWorld(tree: Tree): Promise<World> {
  const world = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n', ...tree });
  for (const path of Object.keys(tree)) await settle(join(world.root, path));
  return world;
}

const makePdfWorld = (): Promise<World> =>
  makeSettledWorld({
    [`${SKILLS}/pdf/SKILL.md`]: skillText({ description: 'Fill forms.' }, 'Uses qpdf.'),
    [`${SKILLS}/mail/SKILL.md`]: skillText({ description: 'Write letters.' }, 'Uses sendmail.'),
  });

/** Opens, uses and closes, as one process does. */
async function inProcess<T>({ project, home, env }: World, use: (skills: Skills) => T): Promise<Awaited<T>> {
  const skills = await openSkills({ cwd: project, home, env });
  const result = await use(skills);
  await skills[Symbol.asyncDispose]();
  return result;
}

const search =
  (query: string) =>
  async (skills: Skills): Promise<readonly string[]> =>
    (await skills.search({ query })).map(({ name }) => name);

function indexFile({ home }: World): string {
  const dir = join(home, '.agent/cache');
  const names = readdirSync(dir).filter((name) => name.startsWith('search-'));
  expect(names).toHaveLength(1);
  return join(dir, names[0] ?? '');
}

/** The saved index with other instructions for every skill: what is found by them can only come from it. */
async function plantIndex(world: World, body: string): Promise<void> {
  await inProcess(world, search('anything'));
  const file = indexFile(world);
  const bytes = readFileSync(file);
  const header = JSON.parse(bytes.subarray(0, bytes.indexOf('\n')).toString()) as { readonly owner: string };
  // The format comes before the owner.
  const owner = header.owner.slice(header.owner.indexOf(' ') + 1);
  const skills = await inProcess(world, (opened) => opened.catalog().skills);
  const builder = openIndexBuilder(EMPTY_INDEX, skills);
  for (const skill of skills) builder.add(skill, body);
  writeFileSync(file, encodeIndex(builder.build(), owner));
  expect(openIndex(bytesInMemory(readFileSync(file)), owner)).toBeDefined();
}

describe('the search index', () => {
  test('is kept for the next process, which reads no unchanged skill again', async () => {
    const world = await makePdfWorld();
    await plantIndex(world, 'planted');
    expect(await inProcess(world, search('planted'))).toEqual(['mail', 'pdf']);
  });

  test('updates only a changed skill', async () => {
    const world = await makePdfWorld();
    await plantIndex(world, 'planted');
    writeTree(world.root, { [`${SKILLS}/pdf/SKILL.md`]: skillText({ description: 'Fill forms.' }, 'Uses pdftk now.') });
    expect(await inProcess(world, search('planted'))).toEqual(['mail']);
    expect(await inProcess(world, search('pdftk'))).toEqual(['pdf']);
  });

  test('follows a refresh within a process', async () => {
    const world = await makePdfWorld();
    await inProcess(world, async (skills) => {
      expect(await search('sendmail')(skills)).toEqual(['mail']);
      rmSync(join(world.root, SKILLS, 'mail'), { recursive: true });
      writeTree(world.root, { [`${SKILLS}/zip/SKILL.md`]: skillText({ description: 'Pack.' }, 'Uses gzip.') });
      await skills.refresh();
      expect(await search('sendmail')(skills)).toEqual([]);
      expect(await search('gzip')(skills)).toEqual(['zip']);
    });
  });

  test.each([
    ['broken', (bytes: Buffer) => bytes.fill(7, bytes.length >> 1)],
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9)],
    [
      'of another version',
      (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('"owner":"', '$&x'), 'latin1'),
    ],
    ['not an index', () => Buffer.from('{}')],
  ])('is rebuilt if its file is %s', async (_, damage) => {
    const world = await makePdfWorld();
    await plantIndex(world, 'planted');
    const file = indexFile(world);
    writeFileSync(file, damage(readFileSync(file)));
    expect(await inProcess(world, search('qpdf planted'))).toEqual(['pdf']);
    expect(readFileSync(file).length).toBeGreaterThan(100);
    expect(await inProcess(world, search('qpdf'))).toEqual(['pdf']);
  });

  test('is used even if it cannot be saved', async () => {
    const world = await makePdfWorld();
    mkdirSync(join(world.home, '.agent/cache'), { recursive: true });
    await inProcess(world, search('qpdf'));
    const file = indexFile(world);
    rmSync(file);
    mkdirSync(join(file, 'in the way'), { recursive: true });
    expect(await inProcess(world, search('qpdf'))).toEqual(['pdf']);
  });

  test('indexes a thousand new skills on the first search only, and reports progress', async () => {
    const world = await makeLargeWorld();
    await inProcess(world, async (skills) => {
      // Matching does not wait for the instructions: it knows names and descriptions at once.
      expect((await skills.match('matter700x')).suggestions[0]).toMatchObject({ name: 's700' });
      expect((await skills.match('tool700y')).suggestions).toEqual([]);
      const left: number[] = [];
      const found = await skills.search({ query: 'tool700y', onReading: (count) => left.push(count) });
      expect(found[0]).toMatchObject({ name: 's700' });
      expect(found.partial).toBeUndefined();
      expect([left[0], left.at(-1)]).toEqual([1_001, 0]);
      expect(left).toEqual(left.toSorted((a, b) => b - a));
    });
    const again: number[] = [];
    await inProcess(world, (skills) => skills.search({ query: 'x', onReading: (count) => again.push(count) }));
    expect(again).toEqual([]);
  });

  test('answers by names and descriptions while thousands of skills are read, and says so', async () => {
    const world = await makeLargeWorld();
    await inProcess(world, async (skills) => {
      const first = skills.search({ query: 'tool700y' });
      const meanwhile = await skills.search({ query: 'matter700x' });
      expect(meanwhile[0]).toMatchObject({ name: 's700' });
      expect(meanwhile.partial).toMatchObject([{ missing: 'instructions', reason: expect.stringContaining('1001') }]);
      expect(await skills.search({ query: 'tool700y', wait: false })).toHaveLength(0);
      expect((await first)[0]).toMatchObject({ name: 's700' });
      expect((await first).partial).toBeUndefined();
      expect((await skills.search({ query: 'tool700y', wait: false }))[0]).toMatchObject({ name: 's700' });
    });
  });

  test('reads in the background for a search that does not wait, and for one that does', async () => {
    await inProcess(await makeLargeWorld(), async (skills) => {
      expect((await skills.search({ query: 'tool700y', wait: false })).partial).toHaveLength(1);
      const [waiting, alike] = await Promise.all([
        skills.search({ query: 'tool700y', wait: true }),
        skills.search({ query: 'tool701y', wait: true }),
      ]);
      expect([waiting[0]?.name, alike[0]?.name]).toEqual(['s700', 's701']);
    });
  });

  test('leaves the reading to another process that has begun it, and takes over its result', async () => {
    const world = await makeLargeWorld();
    await inProcess(world, async (skills) => {
      await skills.search({ query: 'anything' });
    });
    const file = indexFile(world);
    const whole = readFileSync(file);
    rmSync(file);
    await inProcess(world, async (skills) => {
      const held = Promise.withResolvers<void>();
      const other = withLock(file, async () => {
        await held.promise;
        writeFileSync(file, whole);
        return { ok: true };
      });
      const found = await skills.search({ query: 'matter700x' });
      expect(found[0]).toMatchObject({ name: 's700' });
      expect(found.partial?.[0]?.reason).toContain('another process');
      held.resolve();
      await other;
      const left: number[] = [];
      const after = await skills.search({ query: 'tool700y', onReading: (count) => left.push(count) });
      expect(after[0]).toMatchObject({ name: 's700' });
      expect(left).toEqual([0]);
    });
  });

  test('leaves out skills that vanish while it is built', async () => {
    const world = await makeLargeWorld();
    await inProcess(world, async (skills) => {
      skills.catalog();
      for (let number = 500; number < 1_001; number += 1)
        rmSync(join(world.root, SKILLS, `s${number}`), { recursive: true });
      expect((await skills.search({ query: 'tool400y' }))[0]).toMatchObject({ name: 's400' });
      expect(await skills.search({ query: 'tool700y' })).toHaveLength(0);
    });
  });

  test('leaks no threads, handles or files in a hundred searches and changes', async ({ skip }) => {
    skip(process.platform !== 'linux', 'this needs Linux');
    const world = await makePdfWorld();
    await inProcess(world, async (skills) => {
      const change = async (round: number): Promise<void> => {
        const text = skillText({ description: 'Fill forms.' }, `Uses tool${round}z.`);
        writeTree(world.root, { [`${SKILLS}/pdf/SKILL.md`]: text });
        await skills.refresh();
        expect(await search(`tool${round}z`)(skills)).toEqual(['pdf']);
      };
      await change(0);
      const before = countHeld(world);
      for (let round = 1; round <= 100; round += 1) await change(round);
      const after = countHeld(world);
      expect(after.files).toEqual(before.files);
      // A handle and a thread of the runtime may come and go.
      expect(after.threads).toBeLessThanOrEqual(before.threads + 1);
      expect(after.handles).toBeLessThanOrEqual(before.handles + 2);
    });
  });

  test('gives the files of earlier indexes back, however often thousands of skills change', async ({ skip }) => {
    skip(process.platform !== 'linux', 'this needs Linux');
    const world = await makeLargeWorld();
    await inProcess(world, async (skills) => {
      const change = async (round: number): Promise<void> => {
        writeTree(world.root, largeTree(round));
        await skills.refresh();
        expect((await skills.search({ query: `tool700y${round}` }))[0]).toMatchObject({ name: 's700' });
      };
      await change(0);
      const { handles } = countHeld(world);
      for (let round = 1; round <= 3; round += 1) await change(round);
      const countHandles = (): number => {
        collectGarbage();
        return countHeld(world).handles;
      };
      // A handle of the runtime may come and go.
      await expect.poll(countHandles).toBeLessThanOrEqual(handles + 2);
    });
  });

  test('ends with the process: skills that are only half read are not kept', async () => {
    const world = await makeLargeWorld();
    await inProcess(world, (skills) => skills.search({ query: 'tool700y', wait: false }));
    expect(readdirSync(join(world.home, '.agent/cache')).filter((name) => name.startsWith('search-'))).toEqual([]);
    expect(await inProcess(world, search('tool700y'))).toEqual(['s700']);
  });
});

/** Threads and open files of this process, and files of the cache. */
function countHeld({ home }: World): { threads: number; handles: number; files: readonly string[] } {
  return {
    threads: readdirSync('/proc/self/task').length,
    handles: readdirSync('/proc/self/fd').length,
    files: readdirSync(join(home, '.agent/cache')).toSorted(),
  };
}

/** Frees what can no longer be reached, at once. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

/** One more than are read without yielding. */
const largeTree = (round = 0): Tree =>
  Object.fromEntries(
    Array.from({ length: 1_001 }, (_, number) => [
      `${SKILLS}/s${number}/SKILL.md`,
      skillText({ description: `Handles matter${number}x.` }, `Calls tool${number}y and tool${number}y${round}.`),
    ]),
  );

const makeLargeWorld = (): Promise<World> => makeSettledWorld(largeTree());
