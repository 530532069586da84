import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { sourceRoot } from '../../test/support/found.ts';
import { settle } from '../../test/support/settle.ts';
import { makeTree, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { cacheFile } from '../platform/files/cache-file.ts';
import { readStamp } from '../platform/files/files.ts';
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
  for (const path of Object.keys(files)) await settle(join(root, path));
  return { tree, root, agentHome, cache: cacheFile(agentHome, 'skills', root) };
}

/** A scanner as every new process opens one. */
function open({ agentHome }: Place): SourceScanner {
  return openScanner({ agentHome, userId: process.getuid?.() });
}

const scan = (scanner: SourceScanner, { root }: Place): Promise<SourcesScan> => scanner.scan([sourceRoot(root)]);

/** What the next process finds. */
const scanAnew = (place: Place): Promise<SourcesScan> => scan(open(place), place);

async function fill(place: Place): Promise<SourcesScan> {
  const scanner = open(place);
  const result = await scan(scanner, place);
  scanner.save();
  return result;
}

const descriptionsOf = ({ found }: SourcesScan): readonly string[] => found.map(({ skill }) => skill.description);

/** The cache's own content with other entries: what comes out can then only come from it. */
async function plant(place: Place, entries: readonly unknown[]): Promise<void> {
  await fill(place);
  writeFileSync(place.cache, withEntries(readFileSync(place.cache, 'utf8'), entries));
}

/** An entry that fits the file as it is. */
function entryOf(path: string, key: string, record: unknown): readonly unknown[] {
  const stamp = readStamp(path);
  return [key, [stamp?.mtimeMs, stamp?.ctimeMs, stamp?.size, stamp?.ino], record];
}

function withEntries(text: string, entries: readonly unknown[]): string {
  const rows: readonly (readonly unknown[])[] = entries.map((entry) => (Array.isArray(entry) ? entry : [entry]));
  const [keys, records] = [0, 2].map((column) => rows.map((row) => row[column] ?? null));
  const stamps = rows.flatMap((row) => row[1] ?? [null, null, null, null]);
  return JSON.stringify({ ...JSON.parse(text), keys, stamps, records });
}

const FIRST = skillText({ description: 'First.', tags: ['t'] });

describe('within a process', () => {
  test('an unchanged file is not read twice: the second look gives the very same record', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': '' });
    const scanner = open(place);
    const first = await scan(scanner, place);
    const second = await scan(scanner, place);
    expect(second.found[0]?.skill).toBe(first.found[0]?.skill);
    expect(second.diagnostics[0]).toBe(first.diagnostics[0]);
  });

  test('a file is read again when its text, its size, its time or its inode has changed', async () => {
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

  test('a file that changed a moment ago is not kept: it might change again without a new stamp', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    const file = join(place.root, 'a/SKILL.md');
    const scanner = open(place);
    for (let round = 0; round < 50; round += 1) {
      const description = `Round ${String(round).padStart(2, '0')}.`;
      writeFileSync(file, skillText({ description }));
      expect(descriptionsOf(await scan(scanner, place))).toEqual([description]);
    }
  });

  test('a skill that is gone is gone, and one that came is there', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    const scanner = open(place);
    await scan(scanner, place);
    rmSync(join(place.root, 'a'), { recursive: true });
    writeTree(place.root, { 'b/SKILL.md': FIRST });
    expect((await scan(scanner, place)).found.map(({ skill }) => skill.id)).toEqual(['b']);
  });
});

describe('the next process', () => {
  test('trusts the cache where the stamp fits', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    await plant(place, [entryOf(join(place.root, 'a/SKILL.md'), 'a', { description: 'From the cache.' })]);
    expect(descriptionsOf(await scanAnew(place))).toEqual(['From the cache.']);
  });

  test('gets the same skills and the same flaws from it as from the files', async () => {
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

  test('reads a file that has changed since', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    await fill(place);
    writeFileSync(join(place.root, 'a/SKILL.md'), FIRST.replace('First.', 'Other.'));
    expect(descriptionsOf(await scanAnew(place))).toEqual(['Other.', 'First.']);
  });

  test.each([
    ['garbage', () => 'garbage'],
    ['nothing', () => ''],
    ['a part of it', (text: string) => text.slice(0, text.length / 2)],
    ['another kind of JSON', () => '[]'],
    ['null', () => 'null'],
    ['no entries', (text: string) => text.replace('"records"', '"other"')],
    ['another version', (text: string) => text.replace(/"version":"[^"]*"/, '"version":"0.0.0"')],
    ['another root', (text: string) => text.replace('/skills"', '/elsewhere"')],
    ['entries that are none', (text: string) => withEntries(text, [null, 5, 'x', []])],
    ['an entry without a stamp', (text: string) => withEntries(text, [['a', null, { description: 'Planted.' }]])],
    ['an entry without a record', (text: string) => withEntries(text, [['a', [0, 0, 0, 0], null]])],
  ])('finds %s in the cache’s place, and rebuilds it with the same results', async (_what, damage) => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    const first = await fill(place);
    const whole = readFileSync(place.cache, 'utf8');
    expect(damage(whole)).not.toBe(whole);
    writeFileSync(place.cache, damage(whole));
    expect(await fill(place)).toEqual(first);
    expect(JSON.parse(readFileSync(place.cache, 'utf8'))).toEqual(JSON.parse(whole));
  });

  test('finds a record with the right stamp that is none, and reads the file', async () => {
    for (const record of [null, 5, 'text']) {
      const place = await makePlace({ 'a/SKILL.md': FIRST });
      await plant(place, [entryOf(join(place.root, 'a/SKILL.md'), 'a', record)]);
      expect(descriptionsOf(await scanAnew(place))).toEqual(['First.']);
    }
  });

  test('reads nothing outside the source through a planted entry, and takes no place from it', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    writeTree(place.tree, { 'secret/SKILL.md': skillText({ description: 'Foreign.' }) });
    const secret = join(place.tree, 'secret/SKILL.md');
    const record = { id: 'secret', dir: join(place.tree, 'secret'), file: secret, description: 'Planted.' };
    await plant(place, [
      entryOf(join(place.root, 'a/SKILL.md'), 'a', record),
      entryOf(secret, '../secret', { description: 'Foreign.' }),
    ]);
    const { found } = await scanAnew(place);
    expect(found.map(({ skill, realDir }) => [skill.id, skill.dir, skill.file, realDir])).toEqual([
      ['a', join(place.root, 'a'), join(place.root, 'a/SKILL.md'), join(place.root, 'a')],
    ]);
  });

  test('has no entry for a skill that is gone', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST, 'b/SKILL.md': FIRST });
    await fill(place);
    rmSync(join(place.root, 'b'), { recursive: true });
    await fill(place);
    expect(readFileSync(place.cache, 'utf8')).not.toContain('"b"');
  });

  test('does without a cache that cannot be written', async () => {
    const place = await makePlace({ 'a/SKILL.md': FIRST });
    writeFileSync(place.agentHome, 'a file in the place of the folder');
    expect(descriptionsOf(await fill(place))).toEqual(['First.']);
    expect(descriptionsOf(await fill(place))).toEqual(['First.']);
  });
});
