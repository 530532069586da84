import { utimesSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { skillText, writeTree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills, type Skills } from './open-skills.ts';

const SKILLS = 'home/.agent/skills';

function makeSkills(): World {
  return makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    [`${SKILLS}/ship/SKILL.md`]: skillText(
      { description: 'Ships.', triggers: { verbs: ['deploy'] } },
      'Use helm.\n'.repeat(20),
    ),
    [`${SKILLS}/mail/SKILL.md`]: skillText({ description: 'Write letters.' }, 'Use sendmail.\n'),
    [`${SKILLS}/zip/SKILL.md`]: skillText({ description: 'Pack files.' }, 'Use zip.\n'),
  });
}

async function open({ project, home, env }: World): Promise<Skills> {
  const skills = await openSkills({ cwd: project, home, env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return skills;
}

test('a message that triggers a skill gets its instructions, and a use is recorded', async () => {
  const skills = await open(makeSkills());
  const disclosed = await skills.disclosure.disclose('we are deploying today');
  expect(disclosed).toMatchObject({
    tier: 'instructions',
    why: 'the message matches triggers',
    text: expect.stringContaining('Use helm.'),
    skills: [{ name: 'ship', reasons: [{ kind: 'verb', detail: 'deploy' }, { kind: 'relevance' }] }],
    matches: [{ skill: { name: 'ship' }, score: expect.any(Number) }],
  });
  expect(disclosed.text).not.toContain('sendmail');
  expect([...(await skills.usage.lastUsed(['ship', 'mail'])).keys()]).toEqual(['ship']);
});

test('a message triggers as many skills as the configuration or the caller allows', async () => {
  const world = makeSkills();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const counts = async (): Promise<readonly number[]> => {
    const skills = await open(world);
    const disclosed = await skills.disclosure.disclose('juggle');
    const asked = await skills.match('juggle', { maxSkills: 2 });
    return [(await skills.match('juggle')).matches.length, disclosed.skills.length, asked.matches.length];
  };
  for (const name of names)
    writeTree(world.root, {
      [`${SKILLS}/${name}/SKILL.md`]: skillText(
        { description: name, triggers: { verbs: ['juggle'] } },
        `Do ${name}.\n`,
      ),
    });
  expect(await counts()).toEqual([3, 3, 2]);
  const configure = (line: string): void =>
    writeTree(world.root, { 'home/.agent/config.yaml': `skills:\n  disabledSources: [bundled]\n  ${line}\n` });
  configure('maxSkills: 5');
  expect(await counts()).toEqual([5, 5, 2]);
  configure('maxSkills: 1');
  expect(await counts()).toEqual([1, 1, 2]);
  configure('maxSkills: 0');
  expect((await counts())[0]).toBe(0);
});

test('a triggered skill that does not fit is only named, and no use is recorded', async () => {
  const skills = await open(makeSkills());
  expect(await skills.disclosure.disclose('deploy', { budget: 36 })).toMatchObject({ skills: [], named: ['ship'] });
  expect((await skills.usage.lastUsed(['ship'])).size).toBe(0);
});

const QUIETLY = { recordUse: false, recordMatch: false };

test('a disclosure records neither a use nor a match if the caller says so', async () => {
  const skills = await open(makeSkills());
  expect(await skills.disclosure.disclose('deploy', QUIETLY)).toMatchObject({ tier: 'instructions' });
  expect(await skills.usage.history({ since: 0, until: Number.MAX_SAFE_INTEGER, buckets: 1 })).toMatchObject({
    history: { tallies: [] },
  });
});

test('a message that triggers no skill gets the skills without triggers and suggestions', async () => {
  const skills = await open(makeSkills());
  expect(await skills.disclosure.disclose('a letter, please')).toMatchObject({
    tier: 'catalog',
    text: expect.stringMatching(/mail.*\n.*zip.*\n\n\[1 more skill available\]$/),
    matches: [],
    suggestions: [{ name: 'mail' }],
  });
});

test('a prompt shows skills that are relevant to the message or were used before first', async () => {
  const skills = await open(makeSkills());
  const shownFor = async (message?: string): Promise<readonly string[]> => {
    const { shown, named } = await skills.disclosure.prompt({ guide: false, budget: 27, message });
    return shown.filter((name) => !named.includes(name));
  };
  expect(await shownFor('pack my files')).toContain('zip');
  await skills.usage.record([{ skill: 'mail', kind: 'loaded' }]);
  expect(await shownFor()).toContain('mail');
});

test('the prompt section lists the last used skills, or the newest if none was used', async () => {
  const world = makeSkills();
  for (const [at, name] of ['mail', 'ship', 'zip'].entries())
    utimesSync(join(world.root, SKILLS, name, 'SKILL.md'), 1000 + at, 1000 + at);
  const skills = await open(world);
  expect(await skills.disclosure.promptSection(1)).toMatchObject({ shown: ['zip'], omitted: { length: 2 } });
  await skills.usage.record([{ skill: 'mail', kind: 'loaded' }]);
  expect(await skills.disclosure.promptSection()).toMatchObject({
    text: expect.stringMatching(
      /^## Last used skills\n[\s\S]*mail[\s\S]*\n\n## Recently changed skills\n[\s\S]*zip[\s\S]*ship/,
    ),
    shown: ['mail', 'zip', 'ship'],
    omitted: [],
  });
});

test('a snapshot of the skills stays unchanged, and its delta lists later changes', async () => {
  const world = makeSkills();
  const skills = await open(world);
  const before = await skills.disclosure.snapshot();
  expect(await skills.disclosure.snapshot()).toEqual(before);
  expect(skills.disclosure.delta(before)).toEqual({ added: [], changed: [], removed: [], text: '' });
  writeTree(world.root, {
    [`${SKILLS}/mail/SKILL.md`]: skillText({ description: 'Write other letters.' }),
    [`${SKILLS}/new/SKILL.md`]: skillText({ description: 'Is new.' }),
  });
  await skills.refresh();
  expect(skills.disclosure.delta(before)).toMatchObject({ added: ['new'], changed: ['mail'], removed: [] });
});
