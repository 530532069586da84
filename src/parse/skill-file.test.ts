import { expect, test } from 'vitest';

import { findSkillFile } from './skill-file.ts';

test.each([
  [['README.md', 'SKILL.md', 'scripts'], 'SKILL.md'],
  [['SKILL.md', 'skill.md'], 'SKILL.md'],
  [['Skill.md', 'SKILL.md'], 'SKILL.md'],
  [['skill.md'], 'skill.md'],
  [['Skill.MD'], 'Skill.MD'],
  [['skill.md.bak', 'SKILL', 'myskill.md'], undefined],
  [[], undefined],
])('the skill file among %j is %j', (names, file) => {
  expect(findSkillFile(names)).toBe(file);
});
