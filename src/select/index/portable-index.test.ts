import fc from 'fast-check';
import { expect, test } from 'vitest';

import { foundSkill } from '../../../test/support/found.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import type { Skill } from '../../model/skill.ts';
import type { SkillRegistry } from '../registry.ts';
import { openPortableIndex } from './portable-index.ts';

const WORDS =
  'invoice chart kubernetes translate watermark ledger postgres release meeting deploy zebra flamingo'.split(' ');
const QUERIES = [...WORDS, 'chart of the ledger', 'deploy a release to postgres', 'flamigo', 'kuber', 'skill-1', ''];

interface Step {
  readonly number: number;
  readonly words: readonly string[] | undefined;
}

/** A skill whose name is a number; without words it is removed. */
const steps = (most: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      number: fc.integer({ min: 0, max: most }),
      words: fc.option(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }), { nil: undefined }),
    }),
    { maxLength: most },
  );

function make(number: number, words: readonly string[], time: number): Skill {
  const { skill } = foundSkill(`/skills/skill-${number}`, {
    name: `skill-${number}`,
    description: `Does ${words.join(' ')}.`,
  });
  return { ...skill, stamp: { ...skill.stamp, mtimeMs: time } };
}

const bodyOf = ({ description, stamp }: Skill): string => `# Steps\n\n${description} Then ${stamp.mtimeMs}.`;
const byId = (a: Skill, b: Skill): number => (a.id < b.id ? -1 : 1);

const answersOf = (registry: SkillRegistry): unknown => QUERIES.map((query) => registry.search(query, {}, 50));

test('a portable index with a few changes gives the same results as indexing all skills again', () => {
  fc.assert(
    fc.property(steps(30), steps(30), (first, later) => {
      const known = new Map(
        first.flatMap(({ number, words }, at) => (words === undefined ? [] : [[number, make(number, words, at)]])),
      );
      const now = (): readonly Skill[] => [...known.values()].sort(byId);
      const index = openPortableIndex('test');
      let registry = index.update(now(), bodyOf);
      for (const [at, { number, words }] of later.entries()) {
        const skill = make(number, words ?? [], 1_000 + at);
        if (words === undefined) known.delete(number);
        else known.set(number, skill);
        expect(index.missing(now())).toEqual(words === undefined ? [] : [skill]);
        registry = index.update(now(), bodyOf);
      }
      const again = openPortableIndex('test').update(now(), bodyOf);
      expect(answersOf(registry)).toEqual(answersOf(again));
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('a portable index can be saved and opened again', () => {
  const skills = Array.from({ length: 30 }, (_, at) => make(at, [WORDS[at % 12] ?? '', `word${at}`], 1)).sort(byId);
  const index = openPortableIndex('test');
  const registry = index.update(skills, bodyOf);
  const reopened = openPortableIndex('test', index.save());
  expect(reopened.missing(skills.toReversed())).toEqual([]);
  expect(answersOf(reopened.update(skills, () => ''))).toEqual(answersOf(registry));
  expect(openPortableIndex('other', index.save()).missing(skills)).toEqual(skills);
});
