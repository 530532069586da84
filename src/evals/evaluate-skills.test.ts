import { existsSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { makeFifo } from '../../test/support/fifo.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { link, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills } from '../engine/open-skills.ts';
import { compareEvals } from './compare-evals.ts';
import { evaluateSkills, type EvaluateSkillsOptions, type SkillEvaluation } from './evaluate-skills.ts';

const HOME = 'home/.agents/skills';

function makeSkills(tree: Tree = {}): World {
  return makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
    [`${HOME}/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'Merge PDF documents.' }),
    [`${HOME}/mail/SKILL.md`]: skillText({ name: 'mail', description: 'Write letters.' }),
    [`${HOME}/off/SKILL.md`]: skillText({ name: 'off', description: 'Fold paper planes.' }),
    ...tree,
  });
}

async function run(world: World, path: string, options?: EvaluateSkillsOptions): ReturnType<typeof evaluateSkills> {
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return evaluateSkills(skills, join(world.root, path), options);
}

async function report(world: World, path: string, options?: EvaluateSkillsOptions): Promise<SkillEvaluation> {
  const outcome = await run(world, path, options);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

const lines = (...cases: readonly object[]): string => cases.map((one) => JSON.stringify(one)).join('\n');
const TRIGGERS = JSON.stringify([
  { query: 'merge these documents', should_trigger: true },
  { query: 'write letters', should_trigger: false },
]);

test('evaluations and comparisons leave no file open, however often they run, even if they fail', async ({ skip }) => {
  skip(process.platform !== 'linux', 'this needs Linux');
  const world = makeSkills({
    [`${HOME}/pdf/evals/evals.json`]: TRIGGERS,
    'project/other.yaml': 'skills:\n  disabled: [mail]\n',
    'project/requests.jsonl': lines({ query: 'merge two documents', gold: 'pdf' }),
    'project/empty.jsonl': lines({ query: 'draw', gold: [] }),
  });
  const open = (): ReturnType<typeof openSkills> =>
    openSkills({ cwd: world.project, home: world.home, env: world.env });
  {
    // Leaves a saved index, which every evaluation then opens.
    await using before = await open();
    await before.search({ query: 'merge documents' });
  }
  await using skills = await open();
  const [evals, other] = [join(world.root, HOME, 'pdf'), join(world.project, 'other.yaml')];
  const runOnce = async (): Promise<void> => {
    expect((await evaluateSkills(skills, evals)).ok).toBe(true);
    expect((await evaluateSkills(skills, evals, { skill: 'paint' })).ok).toBe(false);
    expect((await compareEvals(skills, join(world.project, 'requests.jsonl'), { other })).ok).toBe(true);
    expect((await compareEvals(skills, join(world.project, 'empty.jsonl'), { other })).ok).toBe(false);
  };
  const countOpen = (): number => readdirSync('/proc/self/fd').length;
  await runOnce();
  const before = countOpen();
  for (let round = 0; round < propertyRuns(100); round += 1) await runOnce();
  expect(countOpen()).toBeLessThanOrEqual(before);
});

describe('evaluating a file of requests', () => {
  test('searches only the skills that can be found', async () => {
    const gold = lines(
      { query: 'merge two documents', gold: 'pdf' },
      { query: 'write to my landlord', gold: ['Mail'] },
      { query: 'fold a paper plane', gold: ['off'] },
      { query: 'draw', gold: ['paint'] },
    );
    const world = makeSkills({ 'project/requests.jsonl': `${gold}\nnonsense` });
    expect(await report(world, 'project/requests.jsonl')).toMatchObject({
      file: join(world.project, 'requests.jsonl'),
      requests: 4,
      ranking: { hit1: 0.5, mrr: 0.5 },
      trigger: undefined,
      unknown: [
        { name: 'off', message: 'the skill "off" is disabled, so no request can find it' },
        { name: 'paint', message: 'no skill called "paint"; available: mail, off, pdf' },
      ],
      problems: [{ file: 'requests.jsonl', place: 'line 5', message: 'is not JSON' }],
    });
  });

  test('accepts any number of entries', async () => {
    const world = makeSkills({ 'project/r.jsonl': `{"query": "merge", "gold": "pdf"}\n${'0\n'.repeat(200_000)}` });
    expect((await report(world, 'project/r.jsonl')).problems).toHaveLength(200_000);
  });

  test('accepts a link to the file', async () => {
    const world = makeSkills({
      'project/real.jsonl': lines({ query: 'merge documents', gold: 'pdf' }),
      'home/link.jsonl': link('../project/real.jsonl'),
    });
    expect((await report(world, 'home/link.jsonl')).ranking?.hit1).toBe(1);
  });

  test.each([
    ['missing', 'RESOURCE_NOT_FOUND', 'File not found'],
    ['binary.json', 'PARSE_FAILED', 'it is not UTF-8 text'],
    ['empty.jsonl', 'RESOURCE_NOT_FOUND', 'no requests in this file yet'],
    ['huge.jsonl', 'PATH_REFUSED', 'it is larger than 33554432 bytes'],
    ['fifo.jsonl', 'PATH_REFUSED', 'it is not a regular file'],
    ['folder', 'RESOURCE_NOT_FOUND', 'no .jsonl, .json or .yaml file here'],
    ['triggers.json', 'PARSE_FAILED', 'no entry can be used: entry 1 does not say which skill it is about'],
  ])('fails with the reason for the file %s', async (name, code, message) => {
    const world = makeSkills({
      'project/binary.json': Uint8Array.of(0xff, 0xfe, 0x00),
      'project/empty.jsonl': '\n',
      'project/huge.jsonl': '',
      'project/folder/readme.md': 'x',
      'project/triggers.json': TRIGGERS,
    });
    truncateSync(join(world.project, 'huge.jsonl'), 32 * 1024 * 1024 + 1);
    makeFifo(join(world.project, 'fifo.jsonl'));
    const outcome = await run(world, `project/${name}`);
    expect(outcome).toMatchObject({ ok: false, code });
    expect(outcome.ok ? '' : outcome.message).toContain(`${join(world.project, name)}: ${message}`);
  });

  test('uses the skill that the caller names, which must exist', async () => {
    const world = makeSkills({ 'project/triggers.json': TRIGGERS });
    expect((await report(world, 'project/triggers.json', { skill: 'PDF' })).trigger).toMatchObject({
      truePositives: 1,
      trueNegatives: 1,
    });
    expect(await run(world, 'project/triggers.json', { skill: 'pfd' })).toMatchObject({ code: 'SKILL_NOT_FOUND' });
    expect(await run(world, 'project/triggers.json', { skill: 'off' })).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  });

  test('indexes every skill first, and records no usage', async () => {
    const many = Array.from({ length: 1_001 }, (_, number) => number);
    const world = makeSkills({
      'project/r.jsonl': lines({ query: 'tool700y', gold: 's700' }),
      ...Object.fromEntries(
        many.map((number) => [
          `home/.agent/skills/s${number}/SKILL.md`,
          skillText({ name: `s${number}`, description: 'One of many.' }, `Calls tool${number}y.`),
        ]),
      ),
    });
    await using skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
    const evaluated = await evaluateSkills(skills, join(world.project, 'r.jsonl'));
    expect(evaluated).toMatchObject({ ok: true, ranking: { hit1: 1 } });
    await skills[Symbol.asyncDispose]();
    expect(existsSync(join(world.home, '.agent/skillplane.db'))).toBe(false);
  });

  test('uses the given threshold', async () => {
    const world = makeSkills({ 'project/triggers.json': TRIGGERS });
    const strict = await report(world, 'project/triggers.json', { skill: 'pdf', threshold: 1 });
    expect(strict.trigger).toMatchObject({ threshold: 1, truePositives: 0, falseNegatives: 1 });
  });
});

describe('evaluating a skill’s evals', () => {
  const world = (): World => {
    return makeSkills({
      [`${HOME}/pdf/evals/trigger-evals.json`]: TRIGGERS,
      [`${HOME}/pdf/evals/evals.json`]: JSON.stringify({
        skill_name: 'renamed-since',
        evals: [{ id: 1, prompt: 'merge documents', expected_output: 'One file.', files: [] }],
      }),
      [`${HOME}/pdf/evals/schema.json`]: '{"type": "object"}',
      [`${HOME}/pdf/evals/notes.md`]: 'not read',
      [`${HOME}/pdf/evals/deep/more.json`]: TRIGGERS,
      [`${HOME}/pdf/evals/evals/more.json`]: TRIGGERS,
      [`${HOME}/pdf/evals/old.json/more.txt`]: 'not read',
      [`${HOME}/pdf/own.json`]: TRIGGERS,
    });
  };

  test.each(['pdf', 'pdf/SKILL.md', 'pdf/evals'])('runs all eval files for the path %s', async (path) => {
    expect(await report(world(), `${HOME}/${path}`)).toMatchObject({
      requests: 2,
      ranking: { hit1: 1 },
      trigger: { truePositives: 1, trueNegatives: 1 },
      unknown: [],
      problems: [{ file: 'schema.json', place: 'all of it' }],
    });
  });

  test.each(['own.json', 'evals/trigger-evals.json', 'evals/deep/more.json'])(
    'takes %s as evals of the skill it lies in',
    async (path) => {
      expect(await report(world(), `${HOME}/pdf/${path}`)).toMatchObject({ requests: 1, ranking: { hit1: 1 } });
    },
  );

  test('is refused for a broken skill', async () => {
    const broken = world();
    writeTree(broken.root, { [`${HOME}/pdf/SKILL.md`]: '' });
    expect(await run(broken, `${HOME}/pdf`)).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
  });

  test('does not follow a link out of the folder', async () => {
    const linked = world();
    writeTree(linked.root, {
      'project/secret.json': TRIGGERS,
      [`${HOME}/pdf/evals/link.json`]: link('../../../../../project/secret.json'),
    });
    const { problems } = await report(linked, `${HOME}/pdf`);
    expect(problems).toContainEqual({
      file: 'link.json',
      place: 'all of it',
      message: 'it is a link that leaves the skill',
    });
  });

  test('does not follow an evals folder that is a link', async () => {
    const linked = makeSkills({
      'project/elsewhere/t.json': TRIGGERS,
      [`${HOME}/mail/evals`]: link('../../../../project/elsewhere'),
    });
    expect(await run(linked, `${HOME}/mail`)).toMatchObject({ ok: false, code: 'RESOURCE_NOT_FOUND' });
  });

  test('accepts a folder anywhere whose files name the skill', async () => {
    const named = { skill_name: 'mail', queries: [{ query: 'write a letter', should_trigger: true }] };
    const elsewhere = makeSkills({ 'project/checks/mail.json': JSON.stringify(named) });
    expect(await report(elsewhere, 'project/checks')).toMatchObject({ trigger: { recall: 1 } });
  });
});

describe('evaluating a skill outside all sources', () => {
  const checkout = (description: string, name = 'planes'): Tree => ({
    [`project/${name}/SKILL.md`]: skillText({ name, description }, '# Planes\n\nMind the origami creases.\n'),
    [`project/${name}/evals/triggers.json`]: JSON.stringify([{ query: 'origami creases', should_trigger: true }]),
  });

  test('searches the skill together with the others', async () => {
    const found = await report(makeSkills(checkout('Fold paper.')), 'project/planes');
    expect(found).toMatchObject({ ranking: { hit1: 1 }, trigger: { recall: 1 }, unknown: [] });
  });

  test('replaces the listed skill of the same name', async () => {
    const world = makeSkills(checkout('Fold planes.', 'mail'));
    expect(await report(world, 'project/mail')).toMatchObject({ ranking: { hit1: 1 } });
    writeTree(world.root, { 'project/mail/evals/triggers.json': lines({ query: 'write letters', gold: 'mail' }) });
    expect(await report(world, 'project/mail')).toMatchObject({ ranking: { hit1: 0 } });
  });

  test('works even if its name is disabled', async () => {
    const world = makeSkills({ [`${HOME}/off/evals/t.json`]: '[{"query": "paper planes", "should_trigger": true}]' });
    expect(await report(world, `${HOME}/off`)).toMatchObject({ ranking: { hit1: 1 }, unknown: [] });
  });

  test('records no usage', async () => {
    const world = makeSkills(checkout('Fold paper.'));
    await report(world, 'project/planes');
    expect(existsSync(join(world.home, '.agent/skillplane.db'))).toBe(false);
  });

  test('fails if its file cannot be read', async () => {
    const world = makeSkills({
      'project/planes/SKILL.md/': '',
      'project/planes/evals/triggers.json': '[{"query": "planes", "should_trigger": true}]',
    });
    const message = `${join(world.project, 'planes/SKILL.md')}: it is not a regular file`;
    expect(await run(world, 'project/planes')).toMatchObject({ ok: false, code: 'STORE_FAILED', message });
  });
});
