import { readdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { cacheFile, removeOldCaches } from './cache-file.ts';

test('every kind and subject has its own file in the cache folder', () => {
  const one = cacheFile('/home/.agent', 'skills', '/a');
  expect(dirname(one)).toBe('/home/.agent/cache');
  expect(one).toMatch(/skills-[0-9a-f]{16}\.cache$/);
  expect(cacheFile('/home/.agent', 'skills', '/a')).toBe(one);
  expect(cacheFile('/home/.agent', 'skills', '/b')).not.toBe(one);
  expect(cacheFile('/home/.agent', 'config', '/a')).not.toBe(one);
});

test('cache files of one kind that were not written for a month are removed, and nothing else', () => {
  const home = makeTree({ 'cache/search-old.cache': '', 'cache/search-new.cache': '', 'cache/skills-old.cache': '' });
  const dir = join(home, 'cache');
  for (const name of ['search-old.cache', 'skills-old.cache']) utimesSync(join(dir, name), 1_000, 1_000);
  removeOldCaches(home, 'search');
  expect(readdirSync(dir).sort()).toEqual(['search-new.cache', 'skills-old.cache']);
  expect(() => removeOldCaches(join(home, 'nowhere'), 'search')).not.toThrow();
});
