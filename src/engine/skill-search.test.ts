import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { settle } from '../../test/support/settle.ts';
import { skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { decodeIndex, encodeIndex } from '../select/index/index-file.ts';
import { buildIndex, EMPTY_INDEX } from '../select/index/search-index.ts';
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
  const index = buildIndex(EMPTY_INDEX, skills, { readBody: () => body });
  writeFileSync(file, Buffer.concat(encodeIndex(index, owner)));
  expect(decodeIndex(readFileSync(file), owner)).toBeDefined();
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

  test('reads hundreds of new skills on the first search only, and reports progress', async () => {
    const world = await makeLargeWorld();
    const left: number[] = [];
    const onReading = (count: number): void => void left.push(count);
    await inProcess(world, async (skills) => {
      expect((await skills.search({ query: 'tool300y', onReading }))[0]).toMatchObject({ name: 's300' });
    });
    expect([left[0], left.at(-1)]).toEqual([MANY, 0]);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    left.length = 0;
    await inProcess(world, (skills) => skills.search({ query: 'x', onReading }));
    expect(left).toEqual([]);
  });

  test('is complete for every search and match that is asked while skills are read', async () => {
    await inProcess(await makeLargeWorld(), async (skills) => {
      const [first, second, matched] = await Promise.all([
        skills.search({ query: 'tool300y' }),
        skills.search({ query: 'tool301y' }),
        skills.match('tool302y'),
      ]);
      expect([first[0]?.name, second[0]?.name, matched.suggestions[0]?.name]).toEqual(['s300', 's301', 's302']);
    });
  });

  test('lets other work of the process run while many skills are read', async () => {
    await inProcess(await makeLargeWorld(), async (skills) => {
      let turns = 0;
      let next: NodeJS.Immediate | undefined;
      const turn = (): void => {
        turns += 1;
        next = setImmediate(turn);
      };
      await skills.search({ query: 'tool300y', onReading: () => next ?? turn() });
      clearImmediate(next);
      expect(turns).toBeGreaterThan(MANY / 50);
    });
  });

  test('leaves out skills that vanish while it is built', async () => {
    const world = await makeLargeWorld();
    await inProcess(world, async (skills) => {
      skills.catalog();
      for (let number = 250; number < MANY; number += 1)
        rmSync(join(world.root, SKILLS, `s${number}`), { recursive: true });
      expect((await skills.search({ query: 'tool200y' }))[0]).toMatchObject({ name: 's200' });
      expect(await skills.search({ query: 'tool300y' })).toHaveLength(0);
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

  test('is not kept if the skills are closed while it is built', async () => {
    const world = await makeLargeWorld();
    await inProcess(world, async (skills) => {
      const begun = Promise.withResolvers<unknown>();
      const searching = skills.search({ query: 'tool300y', onReading: begun.resolve });
      await begun.promise;
      const [refused] = await Promise.allSettled([searching, skills[Symbol.asyncDispose]()]);
      expect(refused).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('closed') } });
    });
    expect(readdirSync(join(world.home, '.agent/cache')).filter((name) => name.startsWith('search-'))).toEqual([]);
    expect(await inProcess(world, search('tool300y'))).toEqual(['s300']);
  });
});

/** Threads and open files of this process, and files in the agent folder. */
function countHeld({ home }: World): { threads: number; handles: number; files: readonly string[] } {
  return {
    threads: readdirSync('/proc/self/task').length,
    handles: readdirSync('/proc/self/fd').length,
    files: readdirSync(join(home, '.agent'), { recursive: true, encoding: 'utf8' }).toSorted(),
  };
}

/** Enough that progress is reported. */
const MANY = 501;

const makeLargeWorld = (): Promise<World> =>
  makeSettledWorld(
    Object.fromEntries(
      Array.from({ length: MANY }, (_, number) => [
        `${SKILLS}/s${number}/SKILL.md`,
        skillText({ description: `Handles matter${number}x.` }, `Calls tool${number}y.`),
      ]),
    ),
  );

test('a search for the exact name of a skill that cannot be used says so, except to a model', async () => {
  const world = await makePdfWorld();
  writeTree(world.root, { 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [pdf]\n' });
  const asked = (query: string, view?: 'model') =>
    inProcess(world, async (skills) => (await skills.search({ query, view })).unusable);
  expect(await asked('PDF')).toEqual({ name: 'pdf', status: 'disabled', reasons: ['disabled by you (config.yaml)'] });
  expect([await asked('pdf', 'model'), await asked('mail'), await asked('pdf forms')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
