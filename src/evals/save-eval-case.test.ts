import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { evaluateSkills } from './evaluate-skills.ts';
import { planEvalCase, removeEvalCase, saveEvalCase } from './save-eval-case.ts';
import type { EvalCaseChange, SkillEvalCase } from './write-eval-case.ts';

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

test('an eval case of your own skill is saved in its evals and can be removed without a trace', async () => {
  await using skills = await open({ [`${OWN}/SKILL.md`]: PDF });
  const file = join(skills.home, '.agent/skills/pdf/evals/evals.yaml');
  const planned = await done(planEvalCase(skills, CASE));
  expect(planned).toMatchObject({
    file,
    isWhole: true,
    isChanged: true,
    diff: expect.stringContaining('+should_trigger:'),
  });
  expect(existsSync(file)).toBe(false);
  expect(await done(saveEvalCase(skills, CASE))).toEqual(planned);
  expect(readFileSync(file, 'utf8')).toBe('should_trigger:\n  - "fill in \\"this\\" form: #1"\n');
  expect(await evaluateSkills(skills, file)).toMatchObject({ ok: true, requests: 1 });
  expect(await done(saveEvalCase(skills, CASE))).toMatchObject({ isChanged: false });
  await done(removeEvalCase(skills, CASE));
  expect(existsSync(join(skills.home, '.agent/skills/pdf/evals'))).toBe(false);
});

test('saving an eval case keeps the file’s comments, order and everything else', async () => {
  const text = '# mine\nshould_trigger:\n- a form\n\n# close, but not\nshould_not_trigger:\n  - "a lake" # deep\n';
  await using skills = await open({ [`${OWN}/SKILL.md`]: PDF, [`${OWN}/evals/evals.yaml`]: text });
  const { file } = await done(saveEvalCase(skills, CASE));
  await done(saveEvalCase(skills, { ...CASE, request: 'draw a horse', shouldTrigger: false }));
  expect(readFileSync(file, 'utf8')).toBe(
    text
      .replace('- a form\n', '- a form\n- "fill in \\"this\\" form: #1"\n')
      .replace('# deep\n', '# deep\n  - "draw a horse"\n'),
  );
  await done(removeEvalCase(skills, { ...CASE, request: 'draw a horse', shouldTrigger: false }));
  await done(removeEvalCase(skills, CASE));
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each([
  ['a list on one line', 'evals.yaml', 'should_trigger: [a form]\n'],
  ['text of several lines', 'evals.yaml', 'should_trigger:\n  - >\n    a form\n    to fill\n'],
  ['another format', 'cases.json', '[{"query": "a form", "should_trigger": true}]'],
])('an eval case is saved in its own file if the evals cannot be edited line by line: %s', async (_, name, text) => {
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
