import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../../test/support/found.ts';
import type { Skill } from '../../model/skill.ts';
import { listAt } from '../index/lists.ts';
import { EMPTY_INDEX, type SearchIndex } from '../index/search-index.ts';
import { rankByRelevance } from '../ranking/relevance.ts';
import { readRequest } from '../ranking/request.ts';
import { openIndexBuilder } from './index-builder.ts';
import { listBuffers, openDocumentPacker } from './pack-documents.ts';

/** A skill as its file was at a time; another time is another version of the file. */
function make(name: string, time: number, description = 'Does it.'): Skill {
  const { skill } = foundSkill(`/skills/${name}`, { name, description });
  return { ...skill, stamp: { ...skill.stamp, mtimeMs: time, ctimeMs: time } };
}

function indexOf(before: SearchIndex, skills: readonly Skill[], bodies: (skill: Skill) => string): SearchIndex {
  const builder = openIndexBuilder(before, skills);
  for (const skill of builder.missing) builder.add(skill, bodies(skill));
  return builder.build();
}

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
    expect(openIndexBuilder(before, skills.toReversed()).build()).not.toBe(before);
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

  test('indexes unread skills by their metadata and asks for them again', () => {
    const many = [make('pdf', 1, 'Fills forms.'), make('mail', 1)];
    const first = openIndexBuilder(EMPTY_INDEX, many).build();
    expect(found(first, many, 'fill my form')).toEqual(['pdf']);
    expect(found(first, many, 'instructions')).toEqual([]);
    expect(openIndexBuilder(first, many).missing).toEqual(many);
    const whole = indexOf(first, many, ({ name }) => `instructions of ${name}`);
    expect(found(whole, many, 'instructions')).toHaveLength(2);
  });
});

test('building the search index takes over the memory of packed skills and happens once', () => {
  const skills = [make('pdf', 1), make('mail', 1)];
  const packer = openDocumentPacker();
  for (const skill of skills) packer.add(skill, `instructions of ${skill.name}`);
  const packed = packer.pack();
  const builder = openIndexBuilder(EMPTY_INDEX, skills);
  builder.addPacked({ skills, packed });
  const index = builder.build();
  expect(found(index, skills, 'instructions')).toHaveLength(2);
  expect(listBuffers(packed).map(({ byteLength }) => byteLength)).toEqual(listBuffers(packed).map(() => 0));
  expect(builder.build()).toBe(index);
});

/** Lists the whole content of an index, in an order that does not depend on how it was built. */
function contentOf(index: SearchIndex): unknown {
  const postings = [...index.codes].map((code, word) => {
    const start = index.holders.starts[word] ?? 0;
    const holders = [...listAt(index.holders, word)].map((document, at) => [
      document,
      ...index.impacts.range(start + at, start + at + 1),
      ...index.places.range(start + at, start + at + 1),
    ]);
    return [code, holders.sort(([a], [b]) => (a ?? 0) - (b ?? 0))];
  });
  const { versions, name, close, closePairs, farPairs } = index;
  return { versions, postings, name, close, closePairs, farPairs };
}

test('an index updated step by step equals one built at once, however skills come, change and go', () => {
  const word = fc.constantFrom('form', 'mail', 'deploy', 'chart', 'übersicht', '表格', 'c++', 'test');
  const skill = fc.record({ id: fc.integer({ min: 0, max: 5 }), time: fc.integer({ min: 1, max: 3 }), word });
  const look = fc.uniqueArray(skill, { selector: ({ id }) => id, maxLength: 6 });
  const bodyOf = ({ name, stamp }: Skill): string => `# ${name}\n\nversion ${stamp.mtimeMs} of ${name}`;
  fc.assert(
    fc.property(fc.array(look, { minLength: 1, maxLength: 5 }), (looks) => {
      let index = EMPTY_INDEX;
      for (const state of looks) {
        // The same file at the same time has the same content.
        const skills = state.map(({ id, time }) => make(`s${id}`, time, `Does ${(id * time) % 7} things ${id}.`));
        index = indexOf(index, skills, bodyOf);
        expect(contentOf(index)).toEqual(contentOf(indexOf(EMPTY_INDEX, skills, bodyOf)));
      }
    }),
    { seed: 20261115 },
  );
});
