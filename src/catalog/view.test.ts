import { expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import type { Skill } from '../model/skill.ts';
import { isModelVisible, listVisible } from './view.ts';

function make(name: string, given: Partial<Skill> = {}): Skill {
  return { ...foundSkill(`/skills/${name}`).skill, ...given };
}

test.each([
  [{}, true],
  [{ hidden: true }, false],
  [{ status: 'disabled' }, false],
  [{ status: 'unavailable' }, false],
  [{ userInvocable: false }, true],
] as const)('a skill with %j is visible to the model: %s', (given, answer) => {
  expect(isModelVisible(make('a', given))).toBe(answer);
});

test('skills are ordered with pinned ones first, then by name, then by file', () => {
  const skills = [
    make('b'),
    make('a', { file: '/2' }),
    make('c', { pinned: true }),
    make('a', { file: '/1' }),
    make('B'),
    make('d', { pinned: true, hidden: true }),
  ];
  expect(listVisible(skills).map(({ name, file }) => `${name} ${file}`)).toEqual([
    'c /skills/c/SKILL.md',
    'B /skills/B/SKILL.md',
    'a /1',
    'a /2',
    'b /skills/b/SKILL.md',
  ]);
});
