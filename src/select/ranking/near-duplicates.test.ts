import { expect, test } from 'vitest';

import { foundSkill } from '../../../test/support/found.ts';
import { compareMaintained } from '../../catalog/maintained.ts';
import type { Skill } from '../../model/skill.ts';
import { SkillRegistry } from '../registry.ts';

function make(name: string, given: Partial<Skill> = {}): Skill {
  const { skill } = foundSkill(`/skills/${name}`, {
    name: `${name}-pdf`,
    description: 'Fill and split PDF forms for people.',
  });
  return { ...skill, level: 'project', source: 'project', ...given };
}

/** Who stands for whom. */
function standsFirst(skills: readonly Skill[], lastUsed: Readonly<Record<string, number>> = {}): string | undefined {
  const compareNearDuplicates = compareMaintained(new Map(Object.entries(lastUsed)));
  const [first, ...others] = SkillRegistry.over(skills, { readBody: () => '' }).search('split forms', {
    compareNearDuplicates,
  });
  expect(others).toEqual([]);
  expect(first?.nearDuplicates).toHaveLength(skills.length - 1);
  return first?.name;
}

const stamp = (mtimeMs: number): Skill['stamp'] => ({ mtimeMs, ctimeMs: 1, size: 1, ino: 1 });
const flaw = { code: 'YAML_INVALID', severity: 'error', path: '/x', message: 'x' } as const;
const own = { level: 'user', source: 'user' } as const;

test('search shows, of near-duplicates, the valid one, then the trusted, the last used, the newest', () => {
  const [old, fresh] = [make('a', { stamp: stamp(1) }), make('b', { stamp: stamp(2) })];
  expect(standsFirst([old, fresh])).toBe('b-pdf');
  expect(standsFirst([old, fresh], { 'a-pdf': 5, 'b-pdf': 3 })).toBe('a-pdf');
  const trusted = make('c', { ...own, stamp: stamp(0) });
  expect(standsFirst([old, fresh, trusted], { 'a-pdf': 5 })).toBe('c-pdf');
  const flawed = { ...trusted, diagnostics: [flaw] };
  expect(standsFirst([old, fresh, flawed], { 'a-pdf': 5 })).toBe('a-pdf');
});

test('search recognizes a copy under another name by its instructions, even if its description is short', () => {
  const body = 'Use pdftk to fill the fields, flatten the document, and check the result with the person who asked.';
  const other = 'Scan each page, read its fields aloud, and ask a person to confirm what the machine has understood.';
  const namesOf = (bodies: readonly string[]): readonly string[] => {
    const skills = bodies.map((_, at) => {
      const name = at === 0 ? 'forms' : `forms-copy${at}`;
      return foundSkill(`/skills/${name}`, { name, description: 'Fill PDF forms.' }).skill;
    });
    const registry = SkillRegistry.over(skills, { readBody: (skill) => bodies[skills.indexOf(skill)] ?? '' });
    return registry
      .search('fill the pdf form')
      .map(({ name, nearDuplicates = [] }) => [name, ...nearDuplicates].join('+'));
  };
  expect(namesOf([body, body])).toEqual(['forms+forms-copy1']);
  expect(namesOf([body, other])).toHaveLength(2);
  expect(namesOf(['', ''])).toHaveLength(2);
});
