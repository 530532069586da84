import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import { RUNS_SOURCES, sourceUrl, startModule } from '../../../test/support/child.ts';
import { skillText } from '../../../test/support/tree.ts';
import { makeWorld, type World } from '../../../test/support/world.ts';
import { openSkills } from '../open-skills.ts';

/** Enough that progress is reported. */
const COUNT = 600;
const SKILLS = 'home/.agent/skills';

function makeLargeWorld(): World {
  const skills = Array.from({ length: COUNT }, (_, number) => [
    `${SKILLS}/s${number}/SKILL.md`,
    skillText({ description: `Handles matter${number}x.` }, `Calls tool${number}y.`),
  ]);
  return makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    ...Object.fromEntries(skills),
  });
}

/** Searches, and kills itself when as many skills are left as it was told, or in the middle of writing the index. */
const SEARCH_AND_DIE = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { openSkills } from '${sourceUrl('engine/open-skills.ts')}';
  const { moment, ...options } = JSON.parse(process.argv[1]);
  const die = () => process.kill(process.pid, 'SIGKILL');
  const write = fs.writeSync;
  let pieces = Infinity;
  fs.writeSync = (...given) => {
    pieces -= 1;
    if (pieces === 0) die();
    return write(...given);
  };
  syncBuiltinESMExports();
  const skills = await openSkills(options);
  await skills.search({ query: 'anything', onReading(left) {
    if (moment === 'begun' || (moment === 'half' && left < ${COUNT}) || (moment === 'read' && left === 0)) die();
    if (moment === 'writing' && left === 0) pieces = 3;
  } });
`;

async function searchAndDie({ project, home, env }: World, moment: string): Promise<void> {
  const child = startModule(SEARCH_AND_DIE, [JSON.stringify({ moment, cwd: project, home, env })]);
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
}

async function search({ project, home, env }: World, query: string): Promise<readonly string[]> {
  await using skills = await openSkills({ cwd: project, home, env });
  const found = await skills.search({ query });
  expect(found.partial).toBeUndefined();
  return found.map(({ name }) => name);
}

/** Files of the cache that are of no use to anyone. */
const leftovers = ({ home }: World): readonly string[] =>
  readdirSync(join(home, '.agent/cache')).filter((name) => !name.endsWith('.cache'));

describe('a process killed while it builds the search index', () => {
  beforeEach(({ skip }) => skip(!RUNS_SOURCES, 'this version of Node.js cannot run the sources directly'));

  test.each([
    ['before it reads skills for the index', 'begun'],
    ['with half of the skills read', 'half'],
    ['with all skills read', 'read'],
  ])('%s does not affect the next process and leaves nothing behind', async (_, moment) => {
    const world = makeLargeWorld();
    await searchAndDie(world, moment);
    expect(await search(world, 'tool300y')).toEqual(['s300']);
    expect(await search(world, 'matter599x')).toEqual(['s599']);
    expect(leftovers(world)).toEqual([]);
  });

  test('during the write leaves a file that is ignored, and that the next process removes', async () => {
    const world = makeLargeWorld();
    await searchAndDie(world, 'writing');
    expect(leftovers(world)).toEqual([expect.stringMatching(/^\.skillplane-.*\.tmp$/)]);
    expect(await search(world, 'tool300y')).toEqual(['s300']);
    expect(leftovers(world)).toEqual([]);
  });
});
