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
      const before = [...known.values()].sort(byId);
      const index = openPortableIndex('test');
      let registry = index.update(before, bodyOf);
      const touched = new Map<number, Skill>();
      for (const [at, { number, words }] of later.entries()) {
        const skill = make(number, words ?? [], 1_000 + at);
        touched.set(number, skill);
        known.set(number, skill);
        if (words === undefined) known.delete(number);
        const changes = words === undefined ? { put: [], removed: [skill.file] } : { put: [skill], removed: [] };
        registry = index.change(changes, bodyOf);
        expect(index.missing([skill])).toEqual(words === undefined ? [skill] : []);
      }
      // In the order of the layers, which decides between equals.
      const untouched = before.filter((skill) => known.get(Number(skill.name.slice(6))) === skill);
      const changed = [...touched.keys()].flatMap((number) => known.get(number) ?? []).sort(byId);
      const again = openPortableIndex('test').update([...untouched, ...changed], bodyOf);
      expect(answersOf(registry)).toEqual(answersOf(again));
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('a portable index merges many changes, and can be saved and opened again', () => {
  const index = openPortableIndex('test');
  const wordsOf = (at: number): readonly string[] => [WORDS[at % 12] ?? '', WORDS[(at * 5) % 12] ?? '', `word${at}`];
  index.update(Array.from({ length: 100 }, (_, at) => make(at, wordsOf(at), 1)).sort(byId), bodyOf);
  let registry: SkillRegistry | undefined;
  for (let at = 50; at < 250; at += 1)
    registry = index.change({ put: [make(at, wordsOf(at + 1), 2)], removed: [] }, bodyOf);
  registry = index.change({ put: [], removed: ['/skills/skill-7/SKILL.md'] }, bodyOf);
  const now = Array.from({ length: 250 }, (_, at) => make(at, wordsOf(at < 50 ? at : at + 1), at < 50 ? 1 : 2))
    .filter(({ name }) => name !== 'skill-7')
    .sort(byId);
  const again = openPortableIndex('test').update(now, bodyOf);
  const namesOf = (one: SkillRegistry | undefined): unknown =>
    QUERIES.map((query) => one?.search(query, {}, 250).map(({ name, score }) => [name, score]));
  expect(namesOf(registry)).toEqual(namesOf(again));
  const reopened = openPortableIndex('test', index.save());
  expect(reopened.missing(now)).toEqual([]);
  expect(answersOf(reopened.update(now, bodyOf))).toEqual(answersOf(again));
});
