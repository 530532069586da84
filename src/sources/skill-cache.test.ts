import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { foundSkill, sourceRoot } from '../../test/support/found.ts';
import { settle } from '../../test/support/settle.ts';
import { makeTree, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import type { Skill } from '../model/skill.ts';
import { bytesInMemory, encodeColumns } from '../parse/column-file.ts';
import { cacheFile } from '../platform/files/cache-file.ts';
import { readStamp } from '../platform/files/files.ts';
import { stampEntries } from '../platform/files/stamp.ts';
import { decodeRows, encodeRowColumns } from './cache-rows.ts';
import { toPlainSkill } from './cached-skill.ts';
import { packListing, type PackedListing, type RootListing } from './root-listing.ts';
import { openRowWriter, type RowContent } from './row-writer.ts';
import { openScanner, type SourceScanner, type SourcesScan } from './scan-sources.ts';

interface Place {
  readonly tree: string;
  readonly root: string;
  readonly agentHome: string;
  readonly cache: string;
}

/** A source of skills whose files are old enough for the cache to keep. */
async function makePlace(files: Tree): Promise<Place> {
  const tree = makeTree(Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/${path}`, text])));
  const root = join(tree, 'skills');
  const agentHome = join(tree, 'agent-home');
  for (const path of [...Object.keys(files), '.']) await settle(join(root, path));
  return { tree, root, agentHome, cache: cacheFile(agentHome, 'skills', root) };
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

const toPlain = (scan: SourcesScan): SourcesScan => ({
  ...scan,
  found: scan.found.map((one) => ({ ...one, skill: toPlainSkill(one.skill) })),
});

const descriptionsOf = ({ found }: SourcesScan): readonly string[] => found.map(({ skill }) => skill.description);

/** Until the entries of folders are kept, by the clock alone. */
function waitForFolders(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

/** The cache with other rows or entries: what comes out can then only come from it. */
async function plant(place: Place, rows: readonly RowContent[], listing?: PackedListing): Promise<void> {
  await fill(place);
  writeFileSync(place.cache, encodeRows(ownerOf(readFileSync(place.cache)), rows, listing));
}

/** These entries, as if the folder had them as it is. */
function listingOf(
  { root }: Place,
  names: readonly string[],
  others: RootListing['others'] = new Map(),
): PackedListing {
  const stamp = stampEntries(root);
  if (stamp === undefined) throw new Error(`${root} has no stamp`);
  return packListing({ names, others }, stamp);
}

/** A row that fits the file as it is, of a skill with this description. */
function rowOf(path: string, key: string, skill: Partial<Skill>): RowContent {
  const stamp = readStamp(path);
  if (stamp === undefined) throw new Error(`there is no ${path}`);
  return { key, stamp, skill: { ...foundSkill('/elsewhere/x').skill, ...skill } };
}

function encodeRows(owner: string, rows: readonly RowContent[], listing?: PackedListing): Buffer {
  const writer = openRowWriter(rows.length);
  for (const row of rows) writer.add(row);
  return Buffer.concat(encodeRowColumns(owner, writer.columns(), listing));
}

function ownerOf(bytes: Buffer): string {
  return JSON.parse(bytes.subarray(0, bytes.indexOf('\n')).toString()).owner;
}

const FIRST = skillText({ description: 'First.', tags: ['t'] });

describe('the mark of names that are in order', () => {
  test('is on plain names of directories that come from the cache file, and on no others', async () => {
    const place = await makePlace({
      'Upper/SKILL.md': skillText({ name: 'Upper' }),
      'a/SKILL.md': skillText({ name: 'a' }),
      'b/SKILL.md': skillText({ name: 'other' }),
      'c/SKILL.md': '',
      'd/skill.md': skillText({ name: 'd' }),
      'd-x/SKILL.md': skillText({ name: 'd-x' }),
    });
    const marksOf = ({ found }: SourcesScan): readonly string[] =>
      found.filter(({ isInOrder }) => isInOrder).map(({ skill }) => skill.id);
    expect(marksOf(await fill(place))).toEqual([]);
    const again = await scanAnew(place);
    expect(again.found.map(({ skill }) => skill.id)).toEqual(['Upper', 'a', 'b', 'c', 'd', 'd-x']);
    expect(marksOf(again)).toEqual(['a', 'd-x']);
    expect(again.found.map((one) => ({ ...one }).isInOrder)).toEqual(again.found.map(() => undefined));
  });
});

describe('the skill cache, within a process,', () => {
  test('does not read an unchanged file twice', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': '' });
    const scanner = open(place);
    const first = await scan(scanner, place);
    const second = await scan(scanner, place);
    expect(second.found[0]?.skill).toBe(first.found[0]?.skill);
    expect(second.diagnostics[0]).toBe(first.diagnostics[0]);
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

describe('the skill cache, in the next process,', () => {
  test('is used for a file whose stamp is unchanged', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    await plant(place, [rowOf(join(place.root, 'a/SKILL.md'), 'a', { description: 'From the cache.' })]);
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
    expect(toPlain(await scanAnew(place))).toEqual(toPlain(first));
  });

  test('is not used for a file that has changed since', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    await fill(place);
    writeFileSync(join(place.root, 'a/SKILL.md'), FIRST.replace('First.', 'Other.'));
    expect(descriptionsOf(await scanAnew(place))).toEqual(['Other.', 'First.']);
  });

  test.each<[string, (whole: Buffer) => Uint8Array | string]>([
    ['garbage', () => 'garbage'],
    ['nothing', () => ''],
    ['a part of it', (whole) => whole.subarray(0, whole.length / 2)],
    ['all but its end', (whole) => whole.subarray(0, -8)],
    ['one wrong byte', (whole) => whole.fill(0x55, whole.length - 3, whole.length - 2)],
    ['another kind of JSON', () => '[]\n'],
    ['null', () => 'null\n'],
    ['another version', (whole) => encodeRows(ownerOf(whole).replace(/^\S+/, '0.0.0-1'), [])],
    ['another root', (whole) => encodeRows(`${ownerOf(whole)}/elsewhere`, [])],
    ['a header without columns', (whole) => encodeColumns(ownerOf(whole), [])],
    ['the content of an earlier version', () => '{"version":"0.1.0-5","root":"/","keys":["a"],"records":[{}]}'],
  ])('is rebuilt with the same results if its file contains %s', async (_what, damage) => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    const first = toPlain(await fill(place));
    const whole = readFileSync(place.cache);
    const damaged = Buffer.from(damage(readFileSync(place.cache)));
    expect(damaged).not.toEqual(whole);
    writeFileSync(place.cache, damaged);
    expect(toPlain(await fill(place))).toEqual(first);
    expect(readFileSync(place.cache)).toEqual(whole);
  });

  test('is used for the entries of an unchanged folder only', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    waitForFolders();
    await plant(place, [], listingOf(place, ['b']));
    expect((await scanAnew(place)).found.map(({ skill }) => skill.id)).toEqual(['b']);
    writeTree(place.root, { 'c/SKILL.md': FIRST });
    expect((await scanAnew(place)).found.map(({ skill }) => skill.id)).toEqual(['a', 'b', 'c']);
  });

  test('is not used for a folder that changed a moment ago', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    waitForFolders();
    await plant(place, [], listingOf(place, ['b']));
    vi.useRealTimers();
    expect((await scanAnew(place)).found.map(({ skill }) => skill.id)).toEqual(['a', 'b']);
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
    waitForFolders();
    const first = await fill(place);
    expect(first.found.map(({ skill, realDir }) => [skill.id, realDir])).toEqual([
      ['a', undefined],
      ['linked', join(place.tree, 'elsewhere')],
    ]);
    expect(first.diagnostics.map(({ code }) => code)).toEqual(['MISPLACED_SKILL', 'LINK_REFUSED']);
    expect(toPlain(await scanAnew(place))).toEqual(toPlain(first));
  });

  test('leads nowhere outside the source through a planted folder entry', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    writeTree(place.tree, { 'secret/SKILL.md': FIRST });
    waitForFolders();
    await plant(place, [], listingOf(place, ['../secret', 'a', 'b/../../secret']));
    expect((await scanAnew(place)).found.map(({ skill }) => skill.dir)).toEqual([join(place.root, 'a')]);
  });

  test('gives nothing outside the source through a planted file entry', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    writeTree(place.tree, { 'secret/SKILL.md': skillText({ description: 'Foreign.' }) });
    const secret = join(place.tree, 'secret/SKILL.md');
    const planted = { id: 'secret', dir: join(place.tree, 'secret'), file: secret, description: 'Planted.' };
    await plant(place, [
      rowOf(join(place.root, 'a/SKILL.md'), 'a', planted),
      rowOf(secret, '../secret', { description: 'Foreign.' }),
    ]);
    const { found } = await scanAnew(place);
    expect(found.map(({ skill, realDir }) => [skill.id, skill.dir, skill.file, realDir])).toEqual([
      ['a', join(place.root, 'a'), join(place.root, 'a/SKILL.md'), undefined],
    ]);
  });

  test('has no entry for a removed skill', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    await fill(place);
    rmSync(join(place.root, 'b'), { recursive: true });
    await fill(place);
    const kept = decodeRows(bytesInMemory(readFileSync(place.cache)), ownerOf(readFileSync(place.cache)));
    expect([kept?.rows.count, kept?.rows.rowOf('a'), kept?.rows.rowOf('b')]).toEqual([1, 0, undefined]);
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
    const second = toPlain(await fill(place));
    expect(toPlain(await scanAnew(place))).toEqual(second);
    const { found } = toPlain(await scanAnew({ ...place, agentHome: join(place.tree, 'no-cache') }));
    expect(second.found).toEqual(found);
  });

  test('is not needed if it cannot be written', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    writeFileSync(place.agentHome, 'a file in the place of the folder');
    expect(descriptionsOf(await fill(place))).toEqual(['First.']);
    expect(descriptionsOf(await fill(place))).toEqual(['First.']);
  });
});
