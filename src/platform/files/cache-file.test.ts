import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { cacheFile, removeOldCaches, parseJsonSafely, computeCached } from './cache-file.ts';

/** A computation that counts how often it was really done. */
function counted(): { readonly times: () => number; readonly compute: () => Promise<{ readonly count: number }> } {
  let count = 0;
  return {
    times: () => count,
    compute: async () => {
      count += 1;
      return { count };
    },
  };
}

describe('a cached computation', () => {
  test('runs once for the same input', async () => {
    const file = join(makeTree(), 'cache/x.json');
    const { times, compute } = counted();
    expect(await computeCached(file, 'input', compute)).toEqual({ count: 1 });
    expect(await computeCached(file, 'input', compute)).toEqual({ count: 1 });
    expect(times()).toBe(1);
  });

  test('runs again for another input, and keeps only the last one', async () => {
    const file = join(makeTree(), 'x.json');
    const { compute } = counted();
    expect(await computeCached(file, 'one', compute)).toEqual({ count: 1 });
    expect(await computeCached(file, 'two', compute)).toEqual({ count: 2 });
    expect(await computeCached(file, 'one', compute)).toEqual({ count: 3 });
  });

  test.each([
    ['garbage', () => 'garbage'],
    ['nothing', () => ''],
    ['another kind of JSON', () => '[1, 2]'],
    ['a truncated file', (text: string) => text.slice(0, -3)],
    ['another version', (text: string) => text.replace(/"version":"[^"]*"/, '"version":"0.0.0"')],
    ['another input', (text: string) => text.replace('"input":"input"', '"input":"other"')],
    ['no value', (text: string) => text.replace('"value"', '"worth"')],
  ])('runs again if the cache file contains %s', async (_what, damage) => {
    const file = join(makeTree(), 'x.json');
    const { compute } = counted();
    await computeCached(file, 'input', compute);
    const written = readFileSync(file, 'utf8');
    expect(damage(written)).not.toBe(written);
    writeFileSync(file, damage(written));
    expect(await computeCached(file, 'input', compute)).toEqual({ count: 2 });
    expect(await computeCached(file, 'input', compute)).toEqual({ count: 2 });
  });

  test('gives its result even if the cache cannot be written', async () => {
    const file = join(makeTree({ cache: 'a file in the place of the folder' }), 'cache/x.json');
    const { compute } = counted();
    expect(await computeCached(file, 'input', compute)).toEqual({ count: 1 });
    expect(await computeCached(file, 'input', compute)).toEqual({ count: 2 });
  });
});

test('every kind and subject has its own file in the cache folder', () => {
  const one = cacheFile('/home/.agent', 'skills', '/a');
  expect(dirname(one)).toBe('/home/.agent/cache');
  expect(one).toMatch(/skills-[0-9a-f]{16}\.cache$/);
  expect(cacheFile('/home/.agent', 'skills', '/a')).toBe(one);
  expect(cacheFile('/home/.agent', 'skills', '/b')).not.toBe(one);
  expect(cacheFile('/home/.agent', 'config', '/a')).not.toBe(one);
});

test('parsing invalid JSON safely gives undefined', () => {
  expect(parseJsonSafely('{"a": [1]}')).toEqual({ a: [1] });
  expect(parseJsonSafely('{')).toBeUndefined();
  expect(parseJsonSafely('')).toBeUndefined();
});

test('cache files of one kind that were not written for a month are removed, and nothing else', () => {
  const home = makeTree({ 'cache/search-old.cache': '', 'cache/search-new.cache': '', 'cache/skills-old.cache': '' });
  const dir = join(home, 'cache');
  for (const name of ['search-old.cache', 'skills-old.cache']) utimesSync(join(dir, name), 1_000, 1_000);
  removeOldCaches(home, 'search');
  expect(readdirSync(dir).sort()).toEqual(['search-new.cache', 'skills-old.cache']);
  expect(() => removeOldCaches(join(home, 'nowhere'), 'search')).not.toThrow();
});
