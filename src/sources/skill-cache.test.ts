import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { sourceRoot } from '../../test/support/found.ts';
import { settle } from '../../test/support/settle.ts';
import { makeTree, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import type { Skill } from '../model/skill.ts';
import { readStamp } from '../platform/files/files.ts';
import { openScanner, type SourceScanner, type SourcesScan } from './scan.ts';
import type { ReadSkill } from './skill-cache.ts';

interface Place {
  readonly tree: string;
  readonly root: string;
  readonly agentHome: string;
}

/** A source of skills whose files are old enough for the cache to keep. */
async function makePlace(files: Tree): Promise<Place> {
  const tree = makeTree(Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/${path}`, text])));
  const root = join(tree, 'skills');
  const agentHome = join(tree, 'agent-home');
  for (const path of [...Object.keys(files), '.']) await settle(join(root, path));
  return { tree, root, agentHome };
}

/** A scanner as every new process opens one. */
function open({ agentHome }: Place): SourceScanner {
  return openScanner({ agentHome, userId: process.getuid?.() });
}

const scan = (scanner: SourceScanner, { root }: Place): Promise<SourcesScan> => scanner.scan([sourceRoot(root)]);

/** Scans as the next process would. */
const scanAnew = (place: Place): Promise<SourcesScan> => scan(open(place), place);

async function fill(place: Place): Promise<SourcesScan> {
  const scanner = open(place);
  const result = await scan(scanner, place);
  scanner.save();
  return result;
}

const descriptionsOf = ({ found }: SourcesScan): readonly string[] => found.map(({ skill }) => skill.description);

/** The content of the cache file. */
interface Saved {
  readonly owner: string;
  readonly read: readonly ReadSkill[];
}

function cacheOf({ agentHome }: Place): string {
  const [name = 'none'] = readdirSync(join(agentHome, 'cache'));
  return join(agentHome, 'cache', name);
}

/** Changes the cache file: what comes out can then only come from it. */
async function plant(place: Place, change: (saved: Saved) => Saved): Promise<void> {
  await fill(place);
  writeFileSync(cacheOf(place), JSON.stringify(change(JSON.parse(readFileSync(cacheOf(place), 'utf8')) as Saved)));
}

const withSkill = (one: ReadSkill, changes: Partial<Skill>): ReadSkill => ({
  ...one,
  skill: { ...one.skill, ...changes },
});

const FIRST = skillText({ description: 'First.', tags: ['t'] });

describe('the skill cache, within a process,', () => {
  test('does not read an unchanged file twice', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': '' });
    const scanner = open(place);
    const first = await scan(scanner, place);
    const second = await scan(scanner, place);
    expect(second.found[0]?.skill).toBe(first.found[0]?.skill);
    expect(second.found[1]?.skill).toBe(first.found[1]?.skill);
  });

  test('reads a file again if its text, size, time or inode has changed', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    const file = join(place.root, 'a/SKILL.md');
    const scanner = open(place);
    await scan(scanner, place);
    const { mtimeMs = 0 } = readStamp(file) ?? {};

    // The same size, and the time set back to what it was: the time of the change itself cannot be.
    writeFileSync(file, FIRST.replace('First.', 'Other.'));
    utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
    expect(descriptionsOf(await scan(scanner, place))).toEqual(['Other.']);

    writeFileSync(file, FIRST.replace('First.', 'Longer than before.'));
    expect(descriptionsOf(await scan(scanner, place))).toEqual(['Longer than before.']);

    writeFileSync(join(place.tree, 'new'), FIRST.replace('First.', 'Moved in.'));
    renameSync(join(place.tree, 'new'), file);
    expect(descriptionsOf(await scan(scanner, place))).toEqual(['Moved in.']);
  });

  test('does not keep a file that changed a moment ago', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    const file = join(place.root, 'a/SKILL.md');
    const scanner = open(place);
    for (let round = 0; round < 50; round += 1) {
      const description = `Round ${String(round).padStart(2, '0')}.`;
      writeFileSync(file, skillText({ description }));
      expect(descriptionsOf(await scan(scanner, place))).toEqual([description]);
    }
  });

  test('notices removed and new skills', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    const scanner = open(place);
    await scan(scanner, place);
    rmSync(join(place.root, 'a'), { recursive: true });
    writeTree(place.root, { 'b/SKILL.md': FIRST });
    expect((await scan(scanner, place)).found.map(({ skill }) => skill.id)).toEqual(['b']);
  });

  test('finds every new skill at once, however fast they come', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    const scanner = open(place);
    for (let round = 0; round < 50; round += 1) {
      writeTree(place.root, { [`b${round}/SKILL.md`]: FIRST });
      expect((await scan(scanner, place)).found).toHaveLength(round + 2);
    }
  });
});

test('skills are frozen, whether they were read or come from the cache', async () => {
  const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': '' });
  const isFrozen = ({ found }: SourcesScan): boolean =>
    found.every(({ skill }) => [skill, ...Object.values(skill)].every((value) => Object.isFrozen(value)));
  expect(isFrozen(await fill(place))).toBe(true);
  expect(isFrozen(await scanAnew(place))).toBe(true);
});

describe('the skill cache, in the next process,', () => {
  test('is used for a file whose stamp is unchanged', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    await plant(place, ({ owner, read }) => ({
      owner,
      read: read.map((one) => withSkill(one, { description: 'From the cache.' })),
    }));
    expect(descriptionsOf(await scanAnew(place))).toEqual(['From the cache.']);
  });

  test('gives the same skills and diagnostics as the files', async () => {
    const place = await makePlace({
      'a/SKILL.md': FIRST,
      'b/SKILL.md': skillText({ name: 'Bad Name', description: 'x'.repeat(2000), metadata: { requires: 'git' } }),
      'broken/SKILL.md': '',
      'c/skill.md': FIRST,
    });
    const first = await fill(place);
    expect(readdirSync(join(place.agentHome, 'cache'))).toHaveLength(1);
    expect(await scanAnew(place)).toEqual(first);
  });

  test('is not used for a file that has changed since', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    await fill(place);
    writeFileSync(join(place.root, 'a/SKILL.md'), FIRST.replace('First.', 'Other.'));
    expect(descriptionsOf(await scanAnew(place))).toEqual(['Other.', 'First.']);
  });

  test.each<[string, (whole: string) => string]>([
    ['garbage', () => 'garbage'],
    ['nothing', () => ''],
    ['a part of it', (whole) => whole.slice(0, whole.length / 2)],
    ['all but its end', (whole) => whole.slice(0, -1)],
    ['one wrong byte at its end', (whole) => `${whole.slice(0, -1)}U`],
    ['another kind of JSON', () => '[]'],
    ['null', () => 'null'],
    ['another version', (whole) => whole.replace(/"owner":"\S+ /, '"owner":"0.0.0-1 ')],
    ['another root', (whole) => whole.replace('/skills', '/elsewhere')],
    ['no skills', (whole) => whole.replace('"read"', '"rows"')],
  ])('is rebuilt with the same results if its file contains %s', async (_what, damage) => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    const first = await fill(place);
    const whole = readFileSync(cacheOf(place), 'utf8');
    expect(damage(whole)).not.toBe(whole);
    writeFileSync(cacheOf(place), damage(whole));
    expect(await fill(place)).toEqual(first);
    expect(readFileSync(cacheOf(place), 'utf8')).toBe(whole);
  });

  test('gives the same result for links, loose files and hidden folders', async () => {
    const place = await makePlace({
      'a/SKILL.md': FIRST,
      '.hidden/SKILL.md': FIRST,
      'SKILL.md': FIRST,
      'notes.txt': '',
    });
    writeTree(place.tree, { 'elsewhere/SKILL.md': FIRST });
    symlinkSync(join(place.tree, 'elsewhere'), join(place.root, 'linked'));
    symlinkSync(join(place.tree, 'nowhere'), join(place.root, 'dangling'));
    const first = await fill(place);
    expect(first.found.map(({ skill, realDir }) => [skill.id, realDir])).toEqual([
      ['a', join(place.root, 'a')],
      ['linked', join(place.tree, 'elsewhere')],
    ]);
    expect(first.diagnostics.map(({ code }) => code)).toEqual(['MISPLACED_SKILL', 'LINK_REFUSED']);
    expect(await scanAnew(place)).toEqual(first);
  });

  test('gives nothing outside the source through a planted skill', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    writeTree(place.tree, { 'secret/SKILL.md': skillText({ description: 'Foreign.' }) });
    const dir = join(place.tree, 'secret');
    const planted = { id: 'secret', dir, description: 'Planted.' };
    await plant(place, ({ owner, read }) => ({
      owner,
      read: [
        ...read.map((one) => withSkill(one, planted)),
        ...read.map((one) => withSkill(one, { ...planted, file: join(dir, 'SKILL.md') })),
      ],
    }));
    const { found } = await scanAnew(place);
    expect(found.map(({ skill, realDir }) => [skill.id, skill.dir, skill.file, skill.description, realDir])).toEqual([
      ['a', join(place.root, 'a'), join(place.root, 'a/SKILL.md'), 'First.', join(place.root, 'a')],
    ]);
  });

  test('has no entry for a removed skill', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    await fill(place);
    rmSync(join(place.root, 'b'), { recursive: true });
    await fill(place);
    const { read } = JSON.parse(readFileSync(cacheOf(place), 'utf8')) as Saved;
    expect(read.map(({ skill }) => skill.id)).toEqual(['a']);
  });

  test('is of no use to a source of another name or level in the same folder', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    await fill(place);
    const root = sourceRoot(place.root, { id: 'custom:0', group: 'Custom', level: 'project' });
    const { found } = await open(place).scan([root]);
    expect(found).toMatchObject([{ skill: { source: 'custom:0', group: 'Custom', level: 'project' } }]);
  });

  test('still gives the unchanged skills after one of them changed', async () => {
    const place = await makePlace({
      'a/SKILL.md': FIRST,
      'b/SKILL.md': skillText({ name: 'Bad Name', description: '名 x', tags: ['u'], metadata: { requires: 'git' } }),
      'broken/SKILL.md': '',
    });
    await fill(place);
    writeFileSync(join(place.root, 'a/SKILL.md'), FIRST.replace('First.', 'Other.'));
    await settle(join(place.root, 'a/SKILL.md'));
    const second = await fill(place);
    expect(await scanAnew(place)).toEqual(second);
    const { found } = await scanAnew({ ...place, agentHome: join(place.tree, 'no-cache') });
    expect(second.found).toEqual(found);
  });

  test('is not needed if it cannot be written', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    writeFileSync(place.agentHome, 'a file in the place of the folder');
    expect(descriptionsOf(await fill(place))).toEqual(['First.']);
    expect(descriptionsOf(await fill(place))).toEqual(['First.']);
  });
});
