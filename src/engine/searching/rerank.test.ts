import { readdirSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { skillText } from '../../../test/support/tree.ts';
import { makeWorld, type World } from '../../../test/support/world.ts';
import { openSkills, type OpenOptions } from '../open-skills.ts';
import type { SkillSearchResults } from '../skill-search.ts';

const QUERY = 'turn paper into numbers';

/** By words, `scan-paper` comes first; a model would know that `ocr-tables` is meant. */
function makeSearched(): World {
  return makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'home/.agent/skills/scan-paper/SKILL.md': skillText({ description: 'Scan paper and file the paper.' }),
    'home/.agent/skills/ocr-tables/SKILL.md': skillText({ description: 'Read tables of paper scans.' }),
    'home/.agent/skills/count-things/SKILL.md': skillText({ description: 'Count numbers of things.' }),
  });
}

async function search({ project, home, env }: World, options: OpenOptions = {}): Promise<SkillSearchResults> {
  await using skills = await openSkills({ cwd: project, home, env, ...options });
  return await skills.search({ query: QUERY });
}

const namesOf = (results: SkillSearchResults): readonly string[] => results.map(({ name }) => name);

/** Open files and timers of this process. */
const countHeld = (): { handles: number; timers: number } => ({
  handles: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
  timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
});

describe('a program’s own reranking model', () => {
  test('orders the search results and says what it moved', async () => {
    const byWords = await search(makeSearched());
    const given: unknown[] = [];
    const results = await search(makeSearched(), {
      rerank(query, candidates) {
        given.push(query, ...candidates.map(({ name }) => name));
        return candidates.map(({ name }) => (name === 'ocr-tables' ? 1 : 0));
      },
    });
    expect(given).toEqual([QUERY, ...namesOf(byWords)]);
    expect(results[0]?.name).toBe('ocr-tables');
    expect(results[0]?.reasons.at(-1)).toMatch(/^moved from place \d to 1 by a model$/);
    expect(results.partial).toBeUndefined();
  });

  test.each<[string, NonNullable<OpenOptions['rerank']>, string]>([
    ['throws', () => Promise.reject(new Error('no weights')), 'no weights'],
    [
      'throws at once',
      () => {
        throw new Error('no weights');
      },
      'no weights',
    ],
    ['returns too few numbers', () => [1], 'one for each candidate'],
    ['returns no numbers', (_, candidates) => candidates.map(() => Number.NaN), 'not a number'],
    ['never ends', () => new Promise(() => undefined), 'did not answer within 20 ms'],
  ])('that %s leaves the search results as they were', async (_, rerank, why) => {
    const byWords = namesOf(await search(makeSearched()));
    const results = await search(makeSearched(), { rerank, rerankTimeoutMs: 20 });
    expect(namesOf(results)).toEqual(byWords);
    expect(results.partial).toMatchObject([{ missing: 'rerank', reason: expect.stringContaining(why) }]);
  });

  test('leaves no handles or timers after a hundred searches, even if it fails or never ends', async () => {
    const { project, home, env } = makeSearched();
    const byWords = namesOf(await search(makeSearched()));
    let asked = 0;
    await using skills = await openSkills({
      cwd: project,
      home,
      env,
      rerankTimeoutMs: 5,
      rerank(_, candidates) {
        asked += 1;
        if (asked % 3 === 1) return candidates.map(({ name }) => (name === 'ocr-tables' ? 1 : 0));
        return asked % 3 === 2 ? Promise.reject(new Error('no weights')) : new Promise(() => undefined);
      },
    });
    const ask = async (): Promise<void> => {
      expect((await skills.search({ query: QUERY }))[0]?.name).toBe('ocr-tables');
      for (const why of ['no weights', 'did not answer']) {
        const results = await skills.search({ query: QUERY });
        expect(namesOf(results)).toEqual(byWords);
        expect(results.partial).toMatchObject([{ missing: 'rerank', reason: expect.stringContaining(why) }]);
      }
    };
    await ask();
    const before = countHeld();
    for (let round = 1; round < 34; round += 1) await ask();
    expect(asked).toBe(102);
    const after = countHeld();
    expect(after.handles).toBeLessThanOrEqual(before.handles + 2);
    expect(after.timers).toBeLessThanOrEqual(before.timers);
  });

  test('gets an abort signal when its time is over', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    await search(makeSearched(), {
      rerankTimeoutMs: 20,
      rerank: (_, __, { signal }) => new Promise(() => signal.addEventListener('abort', resolve)),
    });
    expect(await promise).toBeInstanceOf(Event);
  });
});
