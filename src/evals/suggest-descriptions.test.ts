import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeTree, skillText } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { evaluateSkills } from './evaluate-skills.ts';
import { suggestDescriptions } from './suggest-descriptions.ts';

const FORMS = 'project/.agent/skills/forms';
const YAML = 'should_trigger:\n  - where does this receipt belong\n  - a receipt from the taxi yesterday\n';

function makeProject(evals = YAML, body = 'Read the file.'): World {
  return makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'home/.agent/skills/books/SKILL.md': skillText({ name: 'books', description: 'Find out where a book belongs.' }),
    'home/.agent/skills/travel/SKILL.md': skillText({ name: 'travel', description: 'Plan a taxi or a train.' }),
    [`${FORMS}/SKILL.md`]: skillText({ name: 'forms', description: 'Fill out tax papers.' }, body),
    [`${FORMS}/evals/evals.yaml`]: evals,
  });
}

async function open({ project, home, env }: World): Promise<Skills> {
  const skills = await openSkills({ cwd: project, home, env: { ...env, PATH: process.env['PATH'] } });
  onTestFinished(async () => skills[Symbol.asyncDispose]());
  return skills;
}

test('a word of several missed requests is suggested for the description, as a diff that applies', async () => {
  const world = makeProject();
  const path = join(world.root, FORMS);
  const text = readFileSync(join(path, 'SKILL.md'), 'utf8');
  const suggested = await suggestDescriptions(await open(world), path);
  expect(suggested).toMatchObject({
    ok: true,
    requests: 2,
    before: { hit1: 0 },
    after: { hit1: 1 },
    suggestions: [{ skill: 'forms', words: ['receipt'], path: join(path, 'SKILL.md') }],
    without: [],
  });
  if (!suggested.ok) return;
  expect(suggested.suggestions[0]?.better).toHaveLength(2);
  expect(readFileSync(join(path, 'SKILL.md'), 'utf8')).toBe(text);
  const copy = makeTree({ 'forms/SKILL.md': text });
  execFileSync('git', ['apply', '-'], { cwd: copy, input: suggested.suggestions[0]?.diff });
  writeFileSync(join(path, 'SKILL.md'), readFileSync(join(copy, 'forms/SKILL.md')));
  expect(await evaluateSkills(await open(world), path)).toMatchObject({ ranking: { hit1: suggested.after.hit1 } });
});

test('words of a single missed request are suggested only if the instructions contain them', async () => {
  const evals = 'should_trigger:\n  - a receipt for the taxi\n';
  const without = makeProject(evals);
  expect(await suggestDescriptions(await open(without), join(without.root, FORMS))).toMatchObject({
    suggestions: [],
    without: [{ skill: 'forms', reason: expect.stringContaining('no words') }],
  });
  const told = makeProject(evals, 'Enter each receipt in a row.');
  expect(await suggestDescriptions(await open(told), join(told.root, FORMS))).toMatchObject({
    suggestions: [{ words: ['receipt'] }],
  });
});

test('a word that makes another request worse is not suggested for a description', async () => {
  const world = makeProject(`${YAML}should_not_trigger:\n  - receipt\n`);
  const skills = await open(world);
  expect(await suggestDescriptions(skills, join(world.root, FORMS), { threshold: 0.1 })).toMatchObject({
    suggestions: [],
    without: [{ skill: 'forms' }],
  });
});

test('no words are suggested for a full description, or for requests that find their skill', async () => {
  const world = makeProject();
  const path = join(world.root, FORMS, 'SKILL.md');
  writeFileSync(path, skillText({ name: 'forms', description: 'Papers. '.repeat(127).trim() }));
  expect(await suggestDescriptions(await open(world), path)).toMatchObject({
    suggestions: [],
    without: [{ reason: expect.stringContaining('no room') }],
  });
  writeFileSync(path, skillText({ name: 'forms', description: 'File a taxi receipt.' }));
  expect(await suggestDescriptions(await open(world), path)).toMatchObject({ suggestions: [], without: [] });
});

test('suggesting words fails without a request that expects a skill', async () => {
  const world = makeProject('should_not_trigger:\n  - bake a cake\n');
  expect(await suggestDescriptions(await open(world), join(world.root, FORMS))).toMatchObject({
    ok: false,
    code: 'RESOURCE_NOT_FOUND',
  });
});
