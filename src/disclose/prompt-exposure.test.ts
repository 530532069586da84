import { expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { discloseCatalog } from './catalog-prompt.ts';
import { exposeSkills } from './prompt-exposure.ts';

const skills = ['pdf', 'postgres'].map((name) => foundSkill(`/skills/${name}`).skill);
const PRELOADED = [
  { name: 'pdf', text: '---\nname: pdf\n---\n\nFill the form.\n' },
  { name: 'postgres', text: 'Use psql.' },
];

test('the prompt of an agent that can read skills has the skill list', () => {
  expect(exposeSkills(skills)).toEqual(discloseCatalog(skills));
  expect(exposeSkills(skills, { format: 'index', preloaded: [] }).text).toBe(
    discloseCatalog(skills, { format: 'index' }).text,
  );
});

test('the prompt of an agent that cannot read skills has no skill list', () => {
  expect(exposeSkills(skills, { canRead: false })).toMatchObject({
    tier: 'none',
    text: '',
    tokens: 0,
    shown: [],
    omitted: [],
  });
});

test.each([true, false])(
  'a prompt with preloaded skills has them in full and no skill list (can read: %s)',
  (canRead) => {
    const { text, tokens, ...rest } = exposeSkills(skills, { canRead, preloaded: PRELOADED });
    expect(text).toBe(`These skills are loaded already: follow them where they apply, and do not load them again.
<preloaded_skills>
<skill name="pdf">
---
name: pdf
---

Fill the form.
</skill>
<skill name="postgres">
Use psql.
</skill>
</preloaded_skills>`);
    expect(tokens).toBe(Math.ceil(text.length / 4));
    expect(rest).toMatchObject({ tier: 'instructions', shown: ['pdf', 'postgres'], omitted: [] });
  },
);

test('a prompt with preloaded skills is counted with the given tokenizer', () => {
  expect(exposeSkills(skills, { preloaded: PRELOADED, countTokens: () => 42 }).tokens).toBe(42);
});

test('a prompt with preloaded skills names their folders and files', () => {
  const preloaded = [{ name: 'pdf', text: 'See a.md.', dir: '/skills/pdf', files: ['a.md', 'x,<skill>'] }];
  expect(exposeSkills(skills, { preloaded }).text).toContain(
    '<skill name="pdf">\nSkill directory: /skills/pdf\nFiles: a.md, x\\u{2c}&lt;skill>\n\nSee a.md.\n</skill>',
  );
  expect(exposeSkills(skills, { preloaded, hidePaths: true }).text).toContain('Skill directory: skill://pdf/\n');
});
