import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { jsonLines } from '../../test/support/transcripts.ts';
import { skillText, writeTree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills, type Skills } from './open-skills.ts';

const REQUEST = 'numbers for the quarterly zebra report';

function makeLearner(config = 'skills:\n  learn: true\n  disabledSources: [bundled]\n', project = ''): World {
  const skill = (name: string, description: string): string => skillText({ name, description });
  return makeWorld({
    'home/.agent/config.yaml': config,
    ...(project === '' ? {} : { 'project/.agent/config.yaml': project }),
    'home/.agent/skills/charts/SKILL.md': skill('charts', 'Draw charts of numbers for a report.'),
    'home/.agent/skills/slides/SKILL.md': skill('slides', 'Make slides for a report to the board.'),
    'home/.agent/skills/tables/SKILL.md': skill('tables', 'Format tables of numbers.'),
  });
}

/** One process after the other, as commands are. */
async function inProcess<T>({ project, home, env }: World, use: (skills: Skills) => Promise<T>): Promise<T> {
  const skills = await openSkills({ cwd: project, home, env });
  const result = await use(skills);
  await skills[Symbol.asyncDispose]();
  return result;
}

const firstFor = (request: string) => async (skills: Skills) =>
  (await skills.search({ query: request, recordUse: false }))[0];

test('learning is off by default: searches and loads change nothing', async () => {
  const world = makeLearner('skills:\n  disabledSources: [bundled]\n');
  await inProcess(world, async (skills) => {
    await skills.search({ query: REQUEST });
    await skills.load('slides');
    expect(await skills.usage.learned()).toEqual({ ok: true, learned: undefined });
  });
  expect(await inProcess(world, firstFor(REQUEST))).toMatchObject({ name: 'charts' });
});

test('a skill that was loaded after a search comes first for similar requests, also in the next process', async () => {
  const world = makeLearner();
  expect(await inProcess(world, firstFor(REQUEST))).toMatchObject({ name: 'charts' });
  for (let round = 0; round < 3; round += 1) {
    await inProcess(world, (skills) => skills.search({ query: REQUEST }));
    await inProcess(world, (skills) => skills.load('slides'));
  }
  const learned = await inProcess(world, firstFor(REQUEST));
  expect(learned).toMatchObject({ name: 'slides' });
  expect(learned?.reasons[0]).toBe('chosen before for similar requests, 3 times');
  await inProcess(world, async (skills) => {
    expect(await skills.usageReport()).toMatchObject({ learned: { skills: 1 } });
    expect(await skills.usage.forget()).toMatchObject({ ok: true, skills: 1 });
  });
  expect(await inProcess(world, firstFor(REQUEST))).toMatchObject({ name: 'charts' });
});

test('a skill loaded after a matched message is learned, but not after a trial match', async () => {
  const world = makeLearner();
  await inProcess(world, async (skills) => {
    await skills.match('an unrelated walrus', { recordMatch: false });
    await skills.load('tables');
    expect(await skills.usage.learned()).toMatchObject({ learned: { skills: 0 } });
    await skills.match(REQUEST);
    await skills.load('slides');
    expect([...(await skills.usage.preferredFor(REQUEST)).keys()]).toEqual(['slides']);
  });
});

test('learning writes no word of a request into any file', async () => {
  const world = makeLearner();
  await inProcess(world, async (skills) => {
    await skills.search({ query: REQUEST });
    await skills.load('slides');
  });
  const folder = join(world.home, '.agent');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('skills'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((text) => /zebra|quarterly/i.test(text))).toEqual([]);
});

test('a project can turn learning off, but not on', async () => {
  const on = makeLearner('skills:\n  disabledSources: [bundled]\n', 'skills:\n  learn: true\n');
  await inProcess(on, async (skills) => {
    expect(await skills.usage.learned()).toEqual({ ok: true, learned: undefined });
    expect(skills.catalog().diagnostics).toContainEqual(
      expect.objectContaining({ code: 'CONFIG_IGNORED', field: 'learn' }),
    );
  });
  const off = makeLearner(undefined, 'skills:\n  learn: false\n');
  await inProcess(off, async (skills) =>
    expect(await skills.usage.learned()).toEqual({ ok: true, learned: undefined }),
  );
});

test('learning uses other agents’ transcripts, including those imported before it was turned on', async () => {
  const world = makeLearner('skills:\n  disabledSources: [bundled]\n');
  const base = { cwd: '/projects/app', sessionId: 's-1' };
  const turn = (nth: number): readonly object[] => [
    { ...base, type: 'user', uuid: `u-${nth}-000000000000`, message: { role: 'user', content: REQUEST } },
    {
      ...base,
      type: 'assistant',
      message: {
        id: `m-${nth}`,
        role: 'assistant',
        content: [{ type: 'tool_use', id: `toolu_00000000${nth}`, name: 'Skill', input: { skill: 'office:slides' } }],
      },
    },
    {
      ...base,
      type: 'user',
      uuid: `r-${nth}-000000000000`,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_00000000${nth}`, content: 'ok' }] },
    },
  ];
  writeTree(world.home, { '.claude/projects/-app/s-1.jsonl': jsonLines(...turn(1), ...turn(2), ...turn(3)) });
  await inProcess(world, (skills) => skills.importHistory());
  expect(await inProcess(world, firstFor(REQUEST))).toMatchObject({ name: 'charts' });
  writeTree(world.home, { '.agent/config.yaml': 'skills:\n  learn: true\n  disabledSources: [bundled]\n' });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  expect(await skills.importHistory()).toMatchObject({ imported: { added: 0 } });
  const [first] = await skills.search({ query: REQUEST, recordUse: false });
  expect(first).toMatchObject({ name: 'slides' });
  expect(first?.reasons[0]).toBe('chosen before for similar requests, 3 times');
  expect(await skills.importHistory()).toMatchObject({ imported: { hosts: [{ read: 0 }, {}, {}, {}, {}, {}] } });
});
