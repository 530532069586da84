import { expect, test } from 'vitest';

import { namesOf } from '../../test/support/changes.ts';
import { catalogOf, foundSkill } from '../../test/support/found.ts';
import { compareSkills, isEmptyChange } from './difference.ts';

test('comparing two catalogs lists added, changed and removed skills', () => {
  const before = catalogOf([foundSkill('/u/kept'), foundSkill('/u/edited'), foundSkill('/u/gone')]).skills;
  const edited = foundSkill('/u/edited', { description: 'New.' });
  const after = catalogOf([foundSkill('/u/kept'), edited, foundSkill('/u/new')]).skills;
  const change = compareSkills(before, after);
  expect(namesOf(change)).toEqual({ added: ['new'], changed: ['edited'], removed: ['gone'] });
  expect(change.changed[0]?.description).toBe('New.');
  expect(isEmptyChange(change)).toBe(false);
});

test('comparing two catalogs reports another status or another copy as a change', () => {
  const found = [foundSkill('/p/pdf'), foundSkill('/u/pdf')];
  const before = catalogOf(found).skills;
  const disabled = compareSkills(before, catalogOf(found, { disabled: ['pdf'] }).skills);
  expect(namesOf(disabled)).toEqual({ added: [], changed: ['pdf'], removed: [] });
  const other = compareSkills(before, catalogOf(found.slice(1)).skills);
  expect(namesOf(other)).toEqual({ added: [], changed: ['pdf'], removed: [] });
});

test('comparing two catalogs with the same skills reports no change', () => {
  const skills = (): ReturnType<typeof catalogOf>['skills'] =>
    catalogOf([foundSkill('/u/a'), foundSkill('/u/b')]).skills;
  const change = compareSkills(skills(), skills());
  expect(change).toEqual({ added: [], changed: [], removed: [] });
  expect(isEmptyChange(change)).toBe(true);
});
