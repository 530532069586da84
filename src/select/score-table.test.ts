import fc from 'fast-check';
import { expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import type { Skill } from '../model/skill.ts';
import { openScoreTable, type TableMatch } from './score-table.ts';

const { skill } = foundSkill('/skills/code-review', {
  name: 'reviewer',
  description: 'Looks at pull requests.',
  tags: ['quality', 'git-hub'],
});
const named = { ...skill, title: 'Review of Code' };

function scoreOf(given: Skill, query: string): TableMatch | undefined {
  return openScoreTable([given]).find(query).get(0);
}

test.each([
  ['reviewer', 1, 'exact name'],
  ['REVIEW OF CODE', 1, 'exact name'],
  ['review', 0.9, 'part of the name'],
  ['quality', 0.8, 'exact tag'],
  ['code-review', 0.7, 'exact id'],
  ['qual', 0.7, 'part of a tag'],
  ['e-rev', 0.6, 'part of the id'],
  ['pull requests', 0.5, 'in the description'],
])('the query "%s" gets the fixed score %d: %s', (query, score, rule) => {
  expect(scoreOf(named, query)).toMatchObject({ score, rule });
});

test('a query without a literal match, or an empty one, gets no fixed score', () => {
  expect(scoreOf(named, 'deployment')).toBeUndefined();
  expect(scoreOf(named, '  ')).toBeUndefined();
});

test('a name that comes only from the directory is scored as an id', () => {
  const unnamed = { ...named, name: 'code-review', isNamed: false };
  expect(scoreOf(unnamed, 'code-review')).toMatchObject({ score: 0.7, rule: 'exact id' });
  expect(scoreOf({ ...unnamed, isNamed: true }, 'code-review')).toMatchObject({ score: 1, rule: 'exact name' });
});

test('the score table finds every matching skill once, and no match across two skills', () => {
  const skills = ['a', 'ab', 'b', 'ab'].map((title, at) => ({
    ...named,
    title,
    name: title,
    id: `x${at}`,
    tags: [],
    description: '',
  }));
  expect([...openScoreTable(skills).find('ab')]).toEqual([
    [1, { score: 1, rule: 'exact name' }],
    [3, { score: 1, rule: 'exact name' }],
  ]);
  expect([...openScoreTable(skills).find('a')].map(([at]) => at)).toEqual([0, 1, 3]);
  expect(openScoreTable([]).find('a').size).toBe(0);
});

test('the score table gives the same skills for repeated queries as checking each skill', () => {
  const texts = ['pull requests and more', 'request pulls', 'Übersicht über requests', 'nothing of the kind', ''];
  const skills = texts.map((description, at) => ({ ...skill, id: `s${at}`, name: `s${at}`, description }));
  const table = openScoreTable(skills);
  for (const query of [
    'pull requests and',
    'request',
    'über requests',
    'nothing of the kin',
    'pull requests but',
    's3',
  ]) {
    const expected = skills.flatMap((one, at) => (scoreOf(one, query) === undefined ? [] : [at]));
    expect([...table.find(query).keys()]).toEqual(expected);
    expect([...table.find(query).keys()]).toEqual(expected);
  }
});

test('the score table matches a skill among others as it does alone', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'B', 'k', '\u212a', 'I', '\u0130', 'ß', '.', '*', ' ', '[', '-'),
  });
  const input = fc.tuple(fc.array(fc.tuple(text, text, text), { maxLength: 4 }), text);
  fc.assert(
    fc.property(input, ([texts, query]) => {
      const skills = texts.map(([name, description, tag]) => ({
        ...skill,
        name,
        title: name,
        description,
        tags: [tag],
      }));
      const alone = skills.map((one, at) => [at, scoreOf(one, query)] as const);
      expect([...openScoreTable(skills).find(query)]).toEqual(alone.filter(([, match]) => match !== undefined));
    }),
    { numRuns: propertyRuns(2_000), seed: 20261115 },
  );
});
