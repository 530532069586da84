import fc from 'fast-check';
import { expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { findSkill } from '../catalog/find.ts';
import type { Skill } from '../model/skill.ts';
import { SkillRegistry } from '../select/registry.ts';
import type { EvalCase } from './eval-cases.ts';
import { judgeCases } from './evaluation.ts';
import { suggestWords, type DescribableSkills } from './suggest-words.ts';

function describable(skills: readonly Skill[], bodies: Readonly<Record<string, string>> = {}): DescribableSkills {
  const readBody = ({ name }: Skill): string => bodies[name] ?? '';
  const registry = SkillRegistry.over(skills, { readBody });
  return {
    rank: (query) => registry.search(query),
    find: (name) => findSkill(skills, name),
    readBody,
    refuse: () => undefined,
    describe: ({ name }, description) =>
      describable(
        skills.map((skill) => (skill.name === name ? { ...skill, description } : skill)),
        bodies,
      ),
  };
}

function skill(name: string, description: string): Skill {
  return foundSkill(`/skills/${name}`, { description }).skill;
}

const find = (query: string, ...gold: readonly string[]): EvalCase => ({ kind: 'find', query, gold });

function suggested(cases: readonly EvalCase[], skills: DescribableSkills): readonly string[] {
  return suggestWords(cases, skills).suggestions.map(({ skill: { name }, words }) => `${name}: ${words.join(', ')}`);
}

const VOCABULARY = 'apple bridge castle dragon engine falcon garden hammer island jungle'.split(' ');
const request = fc.array(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 6 });

test('suggested keywords never copy a request, are shared by requests, and make no request worse', () => {
  let count = 0;
  fc.assert(
    fc.property(
      fc.array(request, { minLength: 2, maxLength: 5 }),
      fc.array(request, { maxLength: 3 }),
      fc.tuple(request, request),
      (wanted, others, [body, rival]) => {
        const skills = describable([skill('one', 'Zebra.'), skill('two', rival.join(' '))], { one: body.join(' ') });
        const cases = [
          ...wanted.map((words) => find(words.join(' '), 'one')),
          ...others.map((words) => find(words.join(' '), 'two')),
        ];
        const { suggestions, described } = suggestWords(cases, skills);
        for (const {
          skill: { name },
          words,
        } of suggestions) {
          count += 1;
          for (const words3 of [...wanted, ...others].flatMap((all) => all.map((_, at) => all.slice(at, at + 3))))
            expect(words3.length === 3 && words3.every((word) => words.includes(word))).toBe(false);
          const [own, told] = name === 'one' ? [wanted, body] : [others, []];
          for (const word of words) {
            const uses = new Set(own.filter((all) => all.includes(word)).map((all) => all.join(' ')));
            expect(uses.size > 1 || told.includes(word)).toBe(true);
          }
        }
        const [before, after] = [judgeCases(cases, skills), judgeCases(cases, described)];
        for (const [at, { ndcg10, isRight }] of before.entries()) {
          expect(after[at]?.ndcg10).toBeGreaterThanOrEqual(ndcg10);
          expect(!isRight || after[at]?.isRight).toBe(true);
        }
      },
    ),
    { numRuns: propertyRuns(150), seed: 18 },
  );
  expect(count).toBeGreaterThan(propertyRuns(50));
});

test('suggested keywords keep the spelling of requests and follow earlier suggestions', () => {
  const skills = describable([skill('tax', 'Fills papers. Keywords: duty.'), skill('other', 'Counts sheep.')]);
  const cases = [find('Steuererklärung machen', 'tax'), find('meine Steuererklärung', 'tax')];
  const { suggestions } = suggestWords(cases, skills);
  expect(suggestions[0]?.description).toBe('Fills papers. Keywords: duty, Steuererklärung.');
});

test('the same request with other punctuation does not count twice for suggested keywords', () => {
  const skills = describable([skill('tax', 'Fills papers.'), skill('other', 'Counts sheep.')]);
  expect(suggested([find('receipt today', 'tax'), find('Receipt, today!', 'tax')], skills)).toEqual([]);
});

test('suggested Chinese keywords are whole words', () => {
  const skills = describable([skill('pdf', '处理表格。'), skill('other', '写信。')]);
  expect(suggested([find('合并文件', 'pdf'), find('我想合并两页', 'pdf')], skills)).toEqual(['pdf: 合并']);
});

test('suggested keywords include words that help only together, and no useless ones', () => {
  const skills = describable([skill('bank', 'Money.'), skill('book', 'Statement of a ledger.')]);
  const cases = [find('balance statement zebra', 'bank'), find('statement balance giraffe', 'bank')];
  const [first] = suggested(cases, skills);
  expect(first).toMatch(/^bank: /);
  expect(first).not.toMatch(/zebra|giraffe/);
});
