import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { skillText, writeTree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { compareEvals } from './compare-evals.ts';

const FORMS = 'project/.agent/skills/forms';
const EVALS =
  'should_trigger:\n  - reconcile my bank statement\n  - balance the ledger\nshould_not_trigger:\n  - bake a cake\n';

function makeProject(): World {
  return makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'home/.agent/skills/books/SKILL.md': skillText({
      name: 'books',
      description: 'Read a bank statement or a ledger.',
    }),
    [`${FORMS}/SKILL.md`]: skillText({ name: 'forms', description: 'Fill out tax papers.' }),
    [`${FORMS}/evals/evals.yaml`]: EVALS,
  });
}

function git(cwd: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8' }).trim();
}

async function open({ project, home, env }: World): Promise<Skills> {
  const skills = await openSkills({ cwd: project, home, env: { ...env, PATH: process.env['PATH'] } });
  onTestFinished(async () => skills[Symbol.asyncDispose]());
  return skills;
}

const BETTER = 'Reconcile a bank statement, balance a ledger, fill out tax papers.';

test('comparing evals runs them on a skill at an earlier commit', async () => {
  const world = makeProject();
  rmSync(join(world.project, '.git'), { recursive: true, force: true });
  git(world.project, 'init', '-q');
  git(world.project, 'add', '-A');
  git(world.project, 'commit', '-qm', 'first');
  const first = git(world.project, 'rev-parse', 'HEAD');
  writeTree(world.root, { [`${FORMS}/SKILL.md`]: skillText({ name: 'forms', description: BETTER }) });
  const skills = await open(world);
  const path = join(world.root, FORMS);
  const compared = await compareEvals(skills, path, { other: 'HEAD' });
  expect(compared).toMatchObject({ ok: true, other: first, requests: 2, worse: [] });
  expect(compared).toMatchObject({ figures: { hit1: { before: 0, after: 1, difference: 1, isNoise: false } } });
  expect(await compareEvals(skills, path, { other: 'nowhere' })).toMatchObject({ ok: false });
  expect(await compareEvals(skills, path, { other: '--upload-pack=x' })).toMatchObject({ ok: false });
});

test('comparing evals without a repository refuses a commit, but accepts another configuration', async () => {
  const world = makeProject();
  writeTree(world.root, {
    [`${FORMS}/SKILL.md`]: skillText({ name: 'forms', description: 'Statement and ledger papers.' }),
    'other.yaml': 'skills:\n  disabled: [books]\n',
    'bad.yaml': 'skills: [',
    'wrong.yaml': 'skills:\n  learn: perhaps\n',
    'unknown.yaml': 'skills:\n  disable: [books]\n',
    'empty.yaml': 'disabled: [books]\n',
  });
  rmSync(join(world.project, '.git'), { recursive: true, force: true });
  const skills = await open(world);
  const path = join(world.root, FORMS);
  expect(await compareEvals(skills, path, { other: 'HEAD' })).toMatchObject({ ok: false, code: 'RESOURCE_NOT_FOUND' });
  for (const name of ['bad.yaml', 'wrong.yaml', 'unknown.yaml', 'empty.yaml'])
    expect(await compareEvals(skills, path, { other: join(world.root, name) })).toMatchObject({
      ok: false,
      code: 'CONFIG_INVALID',
    });
  const compared = await compareEvals(skills, path, { other: join(world.root, 'other.yaml') });
  expect(compared).toMatchObject({ ok: true, requests: 2, figures: { hit1: { before: 1 } } });
});
