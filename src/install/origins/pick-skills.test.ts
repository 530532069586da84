import { expect, test } from 'vitest';

import type { RepositorySkill } from './find-skills.ts';
import { pickSkills, type PickOptions } from './pick-skills.ts';

const found = (name: string, path = `skills/${name}`): RepositorySkill => ({
  name,
  path,
  file: `${path}/SKILL.md`,
  description: '',
});
const SKILLS = [found('pdf'), found('word', 'skills/docx'), found('docx', 'more/word'), found('xlsx')];

async function pick(
  options: PickOptions,
  skills: readonly RepositorySkill[] = SKILLS,
): Promise<readonly string[] | string> {
  const picked = await pickSkills(skills, options);
  return picked.ok ? picked.picked.map(({ path }) => path) : picked.message;
}

test('the only skill of a repository is installed without asking', async () => {
  expect(await pick({}, [found('pdf')])).toEqual(['skills/pdf']);
});

test.each([
  [['pdf'], ['skills/pdf']],
  [['PDF'], ['skills/pdf']],
  [['docx'], ['more/word']],
  [['skills/docx'], ['skills/docx']],
  [['skills/docx/'], ['skills/docx']],
  [
    ['xlsx', 'pdf', 'xlsx'],
    ['skills/xlsx', 'skills/pdf'],
  ],
])('the skills %j of a repository are matched by name first, then by folder', async (wanted, paths) => {
  expect(await pick({ wanted })).toEqual(paths);
  // Who says which is not asked, and does not get all.
  expect(await pick({ wanted, all: true, ask: () => Promise.reject(new Error('asked')) })).toEqual(paths);
});

test('an unknown skill of a repository is named along with the available ones, at most 40 of them', async () => {
  expect(await pick({ wanted: ['pdf', 'ppt'] })).toBe('no skill called "ppt" there; available: pdf, word, docx, xlsx');
  const many = Array.from({ length: 50 }, (_, at) => found(`s${at}`));
  expect(await pick({ wanted: ['x'] }, many)).toMatch(/s39 and 10 more$/);
  expect(await pickSkills(many, {})).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^found 50 skills: s0, .* and 10 more$/),
    next: {
      either: [
        { give: 'skills', aim: 'choose some' },
        { give: 'all', aim: 'install all of them' },
      ],
    },
  });
});
