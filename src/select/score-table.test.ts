import { expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { scoreByTable } from './score-table.ts';

const { skill } = foundSkill('/skills/code-review', {
  name: 'reviewer',
  description: 'Looks at pull requests.',
  tags: ['quality', 'git-hub'],
});
const named = { ...skill, title: 'Review of Code' };

test.each([
  ['reviewer', 1, 'exact name'],
  ['REVIEW OF CODE', 1, 'exact name'],
  ['review', 0.9, 'part of the name'],
  ['quality', 0.8, 'exact tag'],
  ['code-review', 0.7, 'exact id'],
  ['qual', 0.7, 'part of a tag'],
  ['e-rev', 0.6, 'part of the id'],
  ['pull requests', 0.5, 'in the description'],
])('%s scores %d: %s', (query, score, rule) => {
  expect(scoreByTable(named, query)).toEqual({ score, rule });
});

test('what the table does not have, and nothing at all, has no score', () => {
  expect(scoreByTable(named, 'deployment')).toBeUndefined();
  expect(scoreByTable(named, '  ')).toBeUndefined();
});

test('a name that only the directory gives is an id, not a name', () => {
  const unnamed = { ...named, name: 'code-review', isNamed: false };
  expect(scoreByTable(unnamed, 'code-review')).toEqual({ score: 0.7, rule: 'exact id' });
  expect(scoreByTable({ ...unnamed, isNamed: true }, 'code-review')).toEqual({ score: 1, rule: 'exact name' });
});
