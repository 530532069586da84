import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../../test/support/found.ts';
import type { Skill } from '../../model/skill.ts';
import { rankByRelevance } from '../ranking/relevance.ts';
import { readRequest } from '../ranking/request.ts';
import { buildIndex, EMPTY_INDEX, openIndexBuilder, type SearchIndex } from './search-index.ts';

/** A skill as its file was at a time; another time is another version of the file. */
function make(name: string, time: number, description = 'Does it.'): Skill {
  const { skill } = foundSkill(`/skills/${name}`, { name, description });
  return { ...skill, stamp: { ...skill.stamp, mtimeMs: time, ctimeMs: time } };
}

const indexOf = (before: SearchIndex, skills: readonly Skill[], readBody: (skill: Skill) => string): SearchIndex =>
  buildIndex(before, skills, { readBody });

const namesOf = (skills: readonly Skill[]): readonly string[] => skills.map(({ name }) => name);

const found = (index: SearchIndex, skills: readonly Skill[], query: string): readonly (string | undefined)[] =>
  rankByRelevance(index, readRequest(index, query)).map(({ document }) => skills[document]?.name);

describe('building the search index from an earlier one', () => {
  const skills = [make('pdf', 1), make('mail', 1)];
  const before = indexOf(EMPTY_INDEX, skills, ({ name }) => `instructions of ${name}`);

  test('reads only skills that are new or changed', () => {
    expect(namesOf(openIndexBuilder(EMPTY_INDEX, skills).missing)).toEqual(['pdf', 'mail']);
    expect(openIndexBuilder(before, skills).missing).toEqual([]);
    expect(namesOf(openIndexBuilder(before, [make('pdf', 2), make('mail', 1), make('new', 1)]).missing)).toEqual([
      'pdf',
      'new',
    ]);
  });

  test('reads an installed skill again if its name has changed, even if its file has not', () => {
    const origin = { kind: 'directory', url: 'x', path: '', digest: '' } as const;
    const installed = { ...make('pdf', 1), origin };
    const known = indexOf(before, [installed], () => '');
    expect(openIndexBuilder(known, [installed]).missing).toEqual([]);
    expect(namesOf(openIndexBuilder(known, [{ ...installed, name: 'forms' }]).missing)).toEqual(['forms']);
  });

  test('returns the same index if nothing changed', () => {
    expect(openIndexBuilder(before, skills).build()).toBe(before);
    expect(indexOf(before, skills.toReversed(), String)).not.toBe(before);
  });

  test('replaces the old words of a changed skill by the new ones', () => {
    const changed = [make('pdf', 2), make('mail', 1)];
    const after = indexOf(before, changed, () => 'watermarks');
    expect(found(after, changed, 'watermarks')).toEqual(['pdf']);
    expect(found(after, changed, 'instructions')).toEqual(['mail']);
  });

  test('forgets a removed skill', () => {
    const left = [make('mail', 1)];
    expect(found(indexOf(before, left, String), left, 'instructions pdf mail')).toEqual(['mail']);
  });

  test('reads a file again that was written a moment ago', () => {
    const fresh = make('pdf', Number.NaN);
    const once = indexOf(before, [fresh], () => 'first');
    expect(openIndexBuilder(once, [fresh]).missing).toEqual([fresh]);
  });

  test('refuses to build while a skill is missing', () => {
    expect(() => openIndexBuilder(EMPTY_INDEX, skills).build()).toThrow('/skills/pdf/SKILL.md was not added');
  });
});

test('an index updated step by step equals one built at once, however skills come, change and go', () => {
  const word = fc.constantFrom('form', 'mail', 'deploy', 'chart', 'übersicht', '表格', 'c++', 'test');
  const skill = fc.record({ id: fc.integer({ min: 0, max: 5 }), time: fc.integer({ min: 1, max: 3 }), word });
  const look = fc.uniqueArray(skill, { selector: ({ id }) => id, maxLength: 6 });
  const bodyOf = ({ name, stamp }: Skill): string => `# ${name}\n\nversion ${stamp.mtimeMs} of ${name}`;
  fc.assert(
    fc.property(fc.array(look, { minLength: 1, maxLength: 5 }), fc.boolean(), (looks, isSorted) => {
      let index = EMPTY_INDEX;
      for (const look of looks) {
        const state = isSorted ? look.toSorted((a, b) => a.id - b.id) : look;
        // The same file at the same time has the same content.
        const skills = state.map(({ id, time }) => make(`s${id}`, time, `Does ${(id * time) % 7} things ${id}.`));
        index = indexOf(index, skills, bodyOf);
        // Words that no skill has any more may stay in the lexicon.
        expect({ ...index, lexicon: '' }).toEqual({ ...indexOf(EMPTY_INDEX, skills, bodyOf), lexicon: '' });
      }
    }),
    { seed: 20261115 },
  );
});
