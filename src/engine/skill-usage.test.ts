import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, onTestFinished, test } from 'vitest';

import { jsonLines } from '../../test/support/transcripts.ts';
import { skillText, writeTree } from '../../test/support/tree.ts';
import { DAY, recordIn, START, usageEvent } from '../../test/support/usage-events.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSqliteUsage } from '../usage/sqlite-usage.ts';
import type { UsageEvent } from '../usage/usage-store.ts';
import { openSkills, type Skills } from './open-skills.ts';

const ONLY_OURS = 'skills:\n  disabledSources: [bundled]\n';

function makeSkills(config = ONLY_OURS, variables: Readonly<Record<string, string>> = {}): World {
  const skill = (name: string): string => skillText({ name, description: 'Does it.' });
  return makeWorld(
    {
      'home/.agent/config.yaml': config,
      'home/.agent/skills/pdf/SKILL.md': skill('pdf'),
      'home/.agent/skills/docx/SKILL.md': skill('docx'),
      'home/.agent/skills/forms/SKILL.md': skill('fill-forms'),
    },
    variables,
  );
}

function open({ project, home, env }: World): Promise<Skills> {
  return openSkills({ cwd: project, home, env });
}

function databaseOf({ home }: World): string {
  return join(home, '.agent/skillplane.db');
}

async function openWith(world: World, ...events: readonly UsageEvent[]): Promise<Skills> {
  const store = openSqliteUsage(databaseOf(world), () => undefined);
  await recordIn(store, ...events);
  await store.close();
  const skills = await open(world);
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return skills;
}

function callersIn(world: World): readonly unknown[] {
  const database = new DatabaseSync(databaseOf(world));
  onTestFinished(() => database.close());
  return database.prepare('SELECT team, agent, project, session FROM callers').all();
}

describe('a recorded use', () => {
  test('has team, agent, session and project from the environment', async () => {
    const names = { SKILLPLANE_TEAM: 'blue', SKILLPLANE_AGENT: 'ann', SKILLPLANE_SESSION: 's1' };
    const world = makeSkills(ONLY_OURS, names);
    writeTree(world.project, { 'deep/below/': '' });
    const skills = await openSkills({ cwd: join(world.project, 'deep/below'), home: world.home, env: world.env });
    await skills.usage.record([{ skill: 'pdf', kind: 'loaded' }]);
    await skills[Symbol.asyncDispose]();
    expect(callersIn(world)).toEqual([{ team: 'blue', agent: 'ann', project: world.project, session: 's1' }]);
  });

  test('belongs to the default agent by default, and each opening is a session of its own', async () => {
    const world = makeSkills(ONLY_OURS, { SKILLPLANE_TEAM: '' });
    for (let opening = 0; opening < 2; opening += 1) {
      const skills = await open(world);
      await skills.usage.record([{ skill: 'pdf', kind: 'loaded' }]);
      await skills[Symbol.asyncDispose]();
    }
    const callers = callersIn(world) as readonly { team: string; agent: string; session: string }[];
    expect(callers.map(({ team, agent }) => [team, agent])).toEqual([
      ['default', 'default'],
      ['default', 'default'],
    ]);
    expect(new Set(callers.map(({ session }) => session)).size).toBe(2);
  });
});

describe('the usage history', () => {
  test('is not created by finding, searching or reporting', async () => {
    const world = makeSkills();
    const skills = await open(world);
    skills.find('pdf');
    await skills.search({ query: '' });
    await skills.usage.rank([]);
    await skills.usageReport();
    await skills[Symbol.asyncDispose]();
    expect(readdirSync(join(world.home, '.agent')).filter((name) => name.startsWith('skillplane'))).toEqual([]);
  });

  test.each(['user', 'project'])('is not kept if the %s’s configuration turns it off', async (whose) => {
    const off = 'skills:\n  usage: false\n';
    const world = makeSkills(whose === 'user' ? off : ONLY_OURS);
    if (whose === 'project') writeTree(world.project, { '.agent/config.yaml': off });
    const skills = await open(world);
    await skills.usage.record([{ skill: 'pdf', kind: 'loaded' }]);
    expect(await skills.usage.lastUsed(['pdf'])).toEqual(new Map());
    expect(await skills.usageReport()).toEqual({ ok: true, report: undefined });
    expect(await skills.usageReport({ skill: 'nope' })).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
    await skills[Symbol.asyncDispose]();
    expect(existsSync(databaseOf(world))).toBe(false);
  });

  test('is not read while it is turned off', async () => {
    const world = makeSkills('skills:\n  usage: false\n');
    const skills = await openWith(world, usageEvent({ team: 'default', agent: 'default' }));
    expect(await skills.usage.lastUsed(['pdf'])).toEqual(new Map());
    expect(await skills.usageReport()).toEqual({ ok: true, report: undefined });
  });

  test('is not kept while the configuration cannot be read', async () => {
    const world = makeSkills('skills: [\n');
    const skills = await open(world);
    await skills.usage.record([{ skill: 'pdf', kind: 'loaded' }]);
    await skills[Symbol.asyncDispose]();
    expect(existsSync(databaseOf(world))).toBe(false);
  });

  test.each([
    ['usage: never', false],
    ['scriptTimeout: soon', true],
  ])('with the wrong setting %j is kept: %s', async (line, isKept) => {
    const world = makeSkills(`${ONLY_OURS}  ${line}\n`);
    const skills = await open(world);
    await skills.usage.record([{ skill: 'pdf', kind: 'loaded' }]);
    await skills[Symbol.asyncDispose]();
    expect(existsSync(databaseOf(world))).toBe(isKept);
  });

  test('follows a change of the configuration at once', async () => {
    const world = makeSkills();
    const skills = await open(world);
    writeFileSync(join(world.home, '.agent/config.yaml'), 'skills:\n  usage: false\n');
    await skills.usage.record([{ skill: 'pdf', kind: 'loaded' }]);
    writeFileSync(join(world.home, '.agent/config.yaml'), ONLY_OURS);
    await skills.usage.record([{ skill: 'docx', kind: 'loaded' }]);
    expect([...(await skills.usage.lastUsed(['pdf', 'docx'])).keys()]).toEqual(['docx']);
    await skills[Symbol.asyncDispose]();
  });

  test('is not made by an agent that records nothing, whose order still follows the history', async () => {
    const world = makeSkills();
    const skills = await openWith(world);
    await skills.load('fill-forms');
    const silent = skills.as({ recordUse: false });
    await silent.search('does it');
    await silent.serving.load('pdf');
    await silent.as({ session: 'other' }).only(['pdf']).load('pdf');
    expect([...(await silent.usage.lastUsed(['pdf', 'docx', 'fill-forms'])).keys()]).toEqual(['fill-forms']);
    await skills.load('pdf');
    expect([...(await silent.usage.lastUsed(['pdf', 'fill-forms'])).keys()].toSorted()).toEqual(['fill-forms', 'pdf']);
  });

  test('contains no word of a search request', async () => {
    const world = makeSkills();
    const skills = await open(world);
    const request = 'please fill the extraordinarily confidential form';
    expect((await skills.search({ query: request })).map(({ name }) => name)).toEqual(['fill-forms']);
    await skills[Symbol.asyncDispose]();
    expect(readFileSync(databaseOf(world), 'latin1')).toContain('fill-formssearched');
    for (const word of request.split(' ').filter((part) => part.length > 4))
      expect(readFileSync(databaseOf(world), 'latin1')).not.toContain(word);
  });

  test('is complete when the engine is closed, even if no record was awaited', async () => {
    const world = makeSkills();
    const skills = await open(world);
    for (let time = 0; time < 20; time += 1) void skills.usage.record([{ skill: 'pdf', kind: 'loaded' }]);
    await skills[Symbol.asyncDispose]();
    const again = await openWith(world);
    expect(await again.usageReport()).toMatchObject({ report: { skills: [{ name: 'pdf', uses: 20 }] } });
  });
});

describe('the usage report', () => {
  const until = START + 10 * DAY;
  const since = START;

  test('combines the history with the existing skills', async () => {
    const skills = await openWith(
      makeSkills(`${ONLY_OURS}  disabled: [docx]\n`),
      usageEvent({ at: START + DAY }),
      usageEvent({ skill: 'gone', at: START + DAY }),
      usageEvent({ skill: 'fill-forms', kind: 'searched', at: START + DAY }),
      usageEvent({ skill: 'docx', kind: 'searched', at: START + 11 * DAY }),
    );
    expect(await skills.usageReport({ since, until })).toMatchObject({
      ok: true,
      report: {
        from: since,
        until,
        skills: [
          { name: 'gone', exists: false, uses: 1 },
          { name: 'pdf', exists: true, uses: 1, lastUsed: START + DAY },
          { name: 'fill-forms', uses: 0, searched: 1 },
        ],
        neverUsed: ['fill-forms'],
        searchedNeverLoaded: ['fill-forms'],
      },
    });
  });

  test('of one skill accepts a name or folder, also of a disabled or removed skill', async () => {
    const skills = await openWith(
      makeSkills(`${ONLY_OURS}  disabled: [docx]\n`),
      usageEvent({ skill: 'fill-forms' }),
      usageEvent({ skill: 'gone', at: START - DAY }),
    );
    const reportOf = (skill: string): Promise<unknown> => skills.usageReport({ since, until, skill });
    const forms = { report: { skills: [{ name: 'fill-forms', exists: true }], neverUsed: [] } };
    expect(await reportOf('fill-forms')).toMatchObject(forms);
    expect(await reportOf('forms')).toMatchObject(forms);
    expect(await reportOf('docx')).toMatchObject({ report: { skills: [], neverUsed: ['docx'] } });
    expect(await reportOf('gone')).toMatchObject({ ok: true, report: { skills: [], neverUsed: [] } });
    expect(await reportOf('nope')).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: 'no skill called "nope"; available: docx, fill-forms, pdf',
    });
  });

  test('fails if the history cannot be read', async () => {
    const world = makeSkills();
    writeTree(world.home, { '.agent/skillplane.db/': '' });
    const skills = await open(world);
    expect(await skills.usageReport({ since, until })).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      message: `${databaseOf(world)} cannot be read: it is not a regular file`,
    });
    await skills[Symbol.asyncDispose]();
  });
});

test('ranking skills by use reads other agents’ transcripts first, but a search does not', async () => {
  const world = makeSkills();
  const call = { type: 'tool_use', id: 'toolu_000000001', name: 'Skill', input: { skill: 'pdf' } };
  const result = { type: 'tool_result', tool_use_id: call.id, content: 'ok' };
  const twin = (name: string): string => skillText({ name, description: 'Fill and split PDF forms for people.' });
  writeTree(world.home, {
    '.agent/skills/a/SKILL.md': twin('a-pdf'),
    '.agent/skills/b/SKILL.md': twin('b-pdf'),
    '.claude/projects/-app/s-1.jsonl': jsonLines(
      { sessionId: 's-1', type: 'assistant', message: { id: 'm-1', role: 'assistant', content: [call] } },
      { sessionId: 's-1', type: 'user', uuid: 'u-1', message: { role: 'user', content: [result] } },
    ),
  });
  await using skills = await open(world);
  // Of two that are nearly the same, the one that was used last stands for both.
  const [first] = await skills.search({ query: 'split forms' });
  expect(first?.nearDuplicates).toHaveLength(1);
  const skipImport = true;
  expect([...(await skills.usage.lastUsed(['pdf'], { skipImport })).keys()]).toEqual([]);
  expect([...(await skills.usage.lastUsed(['pdf'])).keys()]).toEqual(['pdf']);
  expect([...(await skills.usage.lastUsed(['pdf'], { skipImport })).keys()]).toEqual(['pdf']);
});
