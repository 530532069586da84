import { expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import type { Skill } from '../model/skill.ts';
import { discloseCatalog } from './catalog-prompt.ts';
import { compareSnapshots, takeSnapshot, type CatalogSnapshot } from './snapshot.ts';

function make(name: string, given: Partial<Skill> = {}): Skill {
  return { ...foundSkill(`/skills/${name}`, { description: `Does ${name}.` }).skill, ...given };
}

function snap(...skills: readonly Skill[]): CatalogSnapshot {
  return takeSnapshot(skills, discloseCatalog(skills).text);
}

test('a skill snapshot keeps the text, and is equal for equal skills in any order', () => {
  const snapshot = snap(make('b'), make('a'));
  expect(snapshot.text).toBe(discloseCatalog([make('a'), make('b')]).text);
  expect(snapshot).toEqual(snap(make('a'), make('b')));
  expect(snapshot.id).toMatch(/^[0-9a-f]{16}$/);
  expect(snapshot.id).not.toBe(snap(make('a')).id);
  expect(snapshot.id).not.toBe(takeSnapshot([make('a'), make('b')], 'other text').id);
  expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
});

test('comparing skill snapshots lists what was added, changed and removed', () => {
  const before = snap(make('a'), make('b'), make('c'), make('d'), make('e'), make('f'));
  const after = snap(
    make('a'),
    make('b', { description: 'Does b better.' }),
    make('c', { file: '/elsewhere/c/SKILL.md' }),
    make('d', { hidden: true }),
    make('e', { pinned: true }),
    make('new'),
  );
  expect(compareSnapshots(before, after)).toEqual({
    added: ['new'],
    changed: ['b', 'c'],
    removed: ['d', 'f'],
    text: `The list of skills changed.

New:
- new: Does new.

Changed:
- b: Does b better.
- c: Does c.

Gone: d, f.`,
  });
});

test('comparing equal skill snapshots returns no text', () => {
  expect(compareSnapshots(snap(make('a')), snap(make('a')))).toEqual({ added: [], changed: [], removed: [], text: '' });
});

test('comparing snapshots of thousands of skills returns a short text that counts the rest', () => {
  const all = Array.from({ length: 2_000 }, (_, at) => make('x', { name: `skill-${at}` }));
  const grown = compareSnapshots(snap(), snap(...all));
  expect(grown.added.length).toBe(2_000);
  expect(grown.text.length).toBeLessThanOrEqual(4_000);
  expect(grown.text).toMatch(
    /^The list of skills changed\.\n\nNew:\n- \*\*by name only\*\*: skill-0, .*\n- … 1,\d+ more; find them with search_skills$/,
  );
  const shrunk = compareSnapshots(snap(...all), snap());
  expect(shrunk.text).toMatch(/^The list of skills changed\.\n\nGone: skill-0, .* and 1950 more\.$/);
});
