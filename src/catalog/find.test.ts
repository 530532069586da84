import { describe, expect, test } from 'vitest';

import { catalogOf, foundSkill } from '../../test/support/found.ts';
import type { Skill } from '../model/skill.ts';
import { findSkill } from './find.ts';

/** Skills by directory, each with its name: `{ dir: name }`; no two of them are neighbours. */
function skillsOf(names: Readonly<Record<string, string>>): readonly Skill[] {
  return catalogOf(Object.entries(names).map(([id, name], index) => foundSkill(`/source${index}/${id}`, { name })))
    .skills;
}

function idOf(skills: readonly Skill[], name: string): string | undefined {
  const found = findSkill(skills, name);
  return found.ok ? found.skill.id : undefined;
}

describe('looking up a skill', () => {
  test('finds it by its name', () => {
    expect(idOf(skillsOf({ forms: 'pdf', docx: 'docx' }), 'pdf')).toBe('forms');
  });

  test('prefers a name to another skill’s folder', () => {
    expect(idOf(skillsOf({ one: 'two', three: 'one' }), 'one')).toBe('three');
  });

  test('finds it by its folder if no name matches', () => {
    expect(idOf(skillsOf({ forms: 'pdf', docx: 'docx' }), 'forms')).toBe('forms');
  });

  test('prefers an exact folder to a name in another case', () => {
    expect(idOf(skillsOf({ x: 'FORMS', forms: 'pdf' }), 'forms')).toBe('forms');
  });

  test('finds a name or folder in another case if only one skill matches', () => {
    expect(idOf(skillsOf({ forms: 'Pdf' }), 'pDF')).toBe('forms');
    expect(idOf(skillsOf({ Forms: 'pdf' }), 'FORMS')).toBe('Forms');
    expect(idOf(skillsOf({ x: 'FORMS', Forms: 'pdf' }), 'forms')).toBeUndefined();
  });
});

describe('looking up an unknown skill name', () => {
  test('lists all names if there are few', () => {
    expect(findSkill(skillsOf({ a: 'a', b: 'b' }), 'c')).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: 'no skill called "c"; available: a, b',
    });
  });

  test('lists the most similar names if there are many', () => {
    const names = ['pdf-fill', 'pdf-split', 'docx', 'xlsx', 'git', 'gh', 'notes', 'mail', 'maps', 'news', 'weather'];
    const skills = skillsOf(Object.fromEntries(names.map((name) => [name, name])));
    const messageFor = (name: string): unknown => {
      const found = findSkill(skills, name);
      return found.ok ? undefined : found.message;
    };
    expect(messageFor('docs')).toMatch(/^no skill called "docs"; did you mean docx\?$/);
    expect(messageFor('pdf')).toMatch(/did you mean pdf-fill, /);
    expect(messageFor('WEATHR')).toMatch(/did you mean weather\?$/);
  });

  test('suggests a search if no name is similar', () => {
    const names = Array.from({ length: 12 }, (_, at) => `skill-${at}`);
    expect(findSkill(skillsOf(Object.fromEntries(names.map((name) => [name, name]))), 'pdf forms')).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: 'no skill called "pdf forms"',
      next: { do: 'search', query: 'pdf forms' },
    });
  });

  test('says that there are no skills if there are none', () => {
    expect(findSkill([], 'a')).toMatchObject({ message: 'no skill called "a"; there are no skills' });
  });
});
