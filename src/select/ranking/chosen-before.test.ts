import { expect, test } from 'vitest';

import { foundSkill } from '../../../test/support/found.ts';
import type { Skill } from '../../model/skill.ts';
import type { Memory } from '../../usage/usage-store.ts';
import { SkillRegistry, type SkillSearchResult } from '../registry.ts';
import { hashWords } from './request-words.ts';

function make(name: string, description: string): Skill {
  return foundSkill(`/skills/${name}`, { name, description }).skill;
}

const registry = SkillRegistry.over(
  [
    make('charts', 'Draw charts of sales numbers for a report.'),
    make('slides', 'Make slides for a report to the board.'),
    make('tables', 'Format tables of numbers.'),
    make('mail', 'Write letters to customers.'),
  ],
  { readBody: () => '' },
);

function remember(requests: Readonly<Record<string, readonly string[]>>): Memory {
  const memory = new Map<string, Map<number, number>>();
  for (const [skill, asked] of Object.entries(requests)) {
    const words = new Map<number, number>();
    for (const word of asked.flatMap(hashWords)) words.set(word, (words.get(word) ?? 0) + 1);
    memory.set(skill, words);
  }
  return memory;
}

function search(query: string, memory?: Memory): readonly SkillSearchResult[] {
  return registry.search(query, { memory, withParts: true });
}

const namesOf = (results: readonly SkillSearchResult[]): readonly string[] => results.map(({ name }) => name);
const REQUEST = 'numbers for the quarterly report';

test('search ranks a skill higher that was used after similar requests, and the reasons say so', () => {
  expect(namesOf(search(REQUEST))).toEqual(['charts', 'tables', 'slides']);
  const earlier = Array.from({ length: 3 }, () => 'quarterly numbers, in a report for the board');
  const [first, ...others] = search(REQUEST, remember({ slides: earlier }));
  expect(first).toMatchObject({ name: 'slides' });
  expect(first?.reasons[0]).toBe('chosen before for similar requests, 3 times');
  expect(first?.parts?.map(({ part }) => part)).toContain('chosenBefore');
  expect(namesOf(others)).toEqual(['charts', 'tables']);
  const once = search(REQUEST, remember({ slides: ['quarterly'] })).find(({ name }) => name === 'slides');
  expect(once?.reasons[0]).toBe('chosen before for a similar request');
  const relevance = registry.relevanceTo(REQUEST, remember({ slides: earlier }));
  expect([...relevance.keys()].map(({ name }) => name)).toEqual(['slides', 'charts', 'tables']);
});

test('learning neither adds nor removes search results nor lowers their confidence', () => {
  const before = search(REQUEST);
  const after = search(REQUEST, remember({ slides: [REQUEST, REQUEST, REQUEST], mail: [REQUEST] }));
  expect(namesOf(after).toSorted()).toEqual(namesOf(before).toSorted());
  for (const { name, confidence } of before)
    expect(after.find((result) => result.name === name)?.confidence).toBeGreaterThanOrEqual(confidence);
});

test('a learned word counts less if other skills have it, too', () => {
  const pointsOf = (memory: Memory): number =>
    search(REQUEST, memory)
      .find(({ name }) => name === 'slides')
      ?.parts?.find(({ part }) => part === 'chosenBefore')?.points ?? 0;
  const alone = pointsOf(remember({ slides: [REQUEST] }));
  expect(pointsOf(remember({ slides: [REQUEST], mail: [REQUEST] }))).toBeLessThan(alone);
  expect(pointsOf(remember({ slides: ['something else'] }))).toBe(0);
});

test('learning does not change the results of unrelated requests', () => {
  const memory = remember({ mail: ['something quite different'] });
  expect(search(REQUEST, memory)).toEqual(search(REQUEST));
});

test('a request is remembered as at most 48 hashed words', () => {
  expect(hashWords('Fill the forms; fill a form')).toHaveLength(2);
  expect(hashWords(Array.from({ length: 500 }, (_, at) => `word${at}`).join(' '))).toHaveLength(48);
});
