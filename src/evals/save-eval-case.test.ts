import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { evaluateSkills } from './evaluate-skills.ts';
import {
  planEvalCase,
  removeEvalCase,
  saveEvalCase,
  type EvalCaseChange,
  type SkillEvalCase,
} from './save-eval-case.ts';

const PDF = skillText({ name: 'pdf', description: 'Fill in PDF forms.' }, 'Fill it.');
const OWN = 'home/.agent/skills/pdf';
const CASE: SkillEvalCase = { request: 'fill in "this" form: #1', skill: 'pdf', shouldTrigger: true };

async function open(tree: Tree): Promise<Skills & { readonly home: string }> {
  const { project, home, env } = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    ...tree,
  });
  return Object.assign(await openSkills({ cwd: project, home, env }), { home });
}

async function done(outcome: ReturnType<typeof saveEvalCase>): Promise<EvalCaseChange> {
  const made = await outcome;
  if (!made.ok) throw new Error(made.message);
  return made;
}

const LINE = String.raw`{"query":"fill in \"this\" form: #1","skill":"pdf","should_trigger":true}`;

test('an eval case of your own skill is saved in its evals and can be removed without a trace', async () => {
  await using skills = await open({ [`${OWN}/SKILL.md`]: PDF });
  const file = join(skills.home, '.agent/skills/pdf/evals/requests.jsonl');
  const planned = await done(planEvalCase(skills, CASE));
  expect(planned).toMatchObject({ file, isWhole: true, isChanged: true, diff: expect.stringContaining(`+${LINE}\n`) });
  expect(existsSync(file)).toBe(false);
  expect(await done(saveEvalCase(skills, CASE))).toEqual(planned);
  expect(readFileSync(file, 'utf8')).toBe(`${LINE}\n`);
  expect(await evaluateSkills(skills, file)).toMatchObject({ ok: true, requests: 1 });
  expect(await done(saveEvalCase(skills, CASE))).toMatchObject({ isChanged: false });
  await done(removeEvalCase(skills, CASE));
  expect(existsSync(join(skills.home, '.agent/skills/pdf/evals'))).toBe(false);
});

test('saving an eval case keeps every other line of the file as it is', async () => {
  const text = '{"query": "a form",  "gold": ["pdf"]}\n\n{"note": "mine"}';
  await using skills = await open({ [`${OWN}/SKILL.md`]: PDF, [`${OWN}/evals/requests.jsonl`]: text });
  const { file } = await done(saveEvalCase(skills, CASE));
  const horse = { ...CASE, request: 'draw a horse', shouldTrigger: false };
  await done(saveEvalCase(skills, horse));
  const horseLine = '{"query":"draw a horse","skill":"pdf","should_trigger":false}';
  expect(readFileSync(file, 'utf8')).toBe(`${text}\n${LINE}\n${horseLine}\n`);
  await done(removeEvalCase(skills, CASE));
  await done(removeEvalCase(skills, horse));
  expect(readFileSync(file, 'utf8')).toBe(`${text}\n`);
});

test('saving an eval case is refused if the file could no longer be read with it', async () => {
  const text = '[{"query": "a form", "gold": ["pdf"]}]\n';
  await using skills = await open({ [`${OWN}/SKILL.md`]: PDF, [`${OWN}/evals/requests.jsonl`]: text });
  expect(await saveEvalCase(skills, CASE)).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
  expect(readFileSync(join(skills.home, '.agent/skills/pdf/evals/requests.jsonl'), 'utf8')).toBe(text);
});

test.each([
  ['evals.yaml', '# mine\nshould_trigger:\n- a form\n'],
  ['cases.json', '[{"query": "a form", "should_trigger": true}]'],
])('an eval case saved beside %s leaves that file alone and both are evaluated', async (name, text) => {
  await using skills = await open({ [`${OWN}/SKILL.md`]: PDF, [`${OWN}/evals/${name}`]: text });
  const { file } = await done(saveEvalCase(skills, CASE));
  expect(file).toMatch(/evals\/requests\.jsonl$/);
  expect(readFileSync(join(skills.home, '.agent/skills/pdf/evals', name), 'utf8')).toBe(text);
  expect(await evaluateSkills(skills, join(skills.home, '.agent/skills/pdf'))).toMatchObject({ ok: true, requests: 2 });
});

test('an eval case of another source’s skill is saved in the user’s own requests', async () => {
  await using skills = await open({ 'home/.claude/skills/pdf/SKILL.md': PDF });
  const { file } = await done(saveEvalCase(skills, CASE));
  expect(file).toBe(join(skills.home, '.agent/evals/requests.jsonl'));
  expect(existsSync(join(skills.home, '.claude/skills/pdf/evals'))).toBe(false);
  expect(await evaluateSkills(skills, file)).toMatchObject({ ok: true, requests: 1, unknown: [] });
});

test('saving an eval case fails for a link out of the skill, an empty request or an unknown skill', async () => {
  await using skills = await open({ [`${OWN}/SKILL.md`]: PDF, 'home/elsewhere/': '' });
  mkdirSync(join(skills.home, 'elsewhere'), { recursive: true });
  symlinkSync(join(skills.home, 'elsewhere'), join(skills.home, '.agent/skills/pdf/evals'));
  expect(await saveEvalCase(skills, CASE)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  expect(await saveEvalCase(skills, { ...CASE, request: ' ' })).toMatchObject({ ok: false });
  expect(await saveEvalCase(skills, { ...CASE, skill: 'nope' })).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  expect(await removeEvalCase(skills, { ...CASE, request: 'never' })).toMatchObject({ ok: false });
});
