import { expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { listVisible } from '../catalog/view.ts';
import type { Skill } from '../model/skill.ts';
import { orderByNeed, type NeedOptions } from './keeping-order.ts';

function make(name: string, pinned = false): Skill {
  return { ...foundSkill(`/skills/${name}`).skill, pinned };
}

function order(skills: readonly Skill[], options?: NeedOptions): readonly [string, number] {
  const shown = listVisible(skills);
  const { order: positions, front } = orderByNeed(shown, options);
  return [positions.map((at) => shown[at]?.name).join(' '), front];
}

test('skills in a prompt are ordered by pinned, triggered, relevant, recently used, then name', () => {
  const [a, b, c, d, e, f, g, h] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => make(name, name === 'h'));
  if (!a || !b || !c || !d || !e || !f || !g || !h) throw new Error('not all skills are there');
  const options = {
    matches: [f, d].map((skill) => ({ skill, reasons: [] })),
    relevance: new Map([
      [e, 0.1],
      [g, 0.3],
    ]),
    lastUsed: new Map([
      ['b', 10],
      ['c', 20],
      ['gone', 30],
    ]),
  };
  expect(order([a, b, c, d, e, f, g, h], options)).toEqual(['h f d g e c b a', 7]);
});

test('a skill needed for two reasons is kept longer in a prompt than one needed for one', () => {
  const skills = [make('a', true), make('b', true), make('c'), make('d')];
  const [, b, , d] = skills;
  if (!b || !d) throw new Error('not all skills are there');
  const options = { matches: [d, b].map((skill) => ({ skill, reasons: [] })), lastUsed: new Map([['d', 1]]) };
  expect(order(skills, options)).toEqual(['b a d c', 3]);
});

test('skills in a prompt are ordered by name if nothing says that they are needed', () => {
  expect(order([make('b'), make('a')])).toEqual(['a b', 0]);
});

test('skills used at the same moment are ordered by name', () => {
  const lastUsed = new Map([
    ['c', 5],
    ['b', 5],
  ]);
  expect(order([make('c'), make('b'), make('a')], { lastUsed })).toEqual(['b c a', 2]);
});

test('only the 20 last used skills come before one that was never used', () => {
  const names = Array.from({ length: 30 }, (_, at) => `used-${String(at).padStart(2, '0')}`);
  const lastUsed = new Map(names.map((name, at) => [name, at]));
  const [kept, front] = order(
    [...names, 'new'].map((name) => make(name)),
    { lastUsed },
  );
  expect(kept.split(' ').slice(18, 24)).toEqual(['used-11', 'used-10', 'new', 'used-00', 'used-01', 'used-02']);
  expect(front).toBe(10);
});

test('all pinned or triggered skills are at the front of a prompt', () => {
  const skills = Array.from({ length: 15 }, (_, at) => make(`p${at}`, true));
  expect(order([...skills, make('z')], { lastUsed: new Map([['z', 1]]) })[1]).toBe(15);
});

function describing(skills: readonly Skill[], options?: NeedOptions): string {
  const shown = listVisible(skills);
  const positions = orderByNeed(shown, options).describing?.() ?? [];
  return positions.map((at) => shown[at]?.name).join(' ');
}

test('descriptions go first to skills whose names say least, then to the shortest', () => {
  const skills = [
    { ...make('a-empty'), description: '', brief: '' },
    { ...make('csv-files'), description: 'Reads a CSV file.' },
    { ...make('docx'), description: 'Writes DOCX.' },
    { ...make('gh'), description: 'Works with issues and pull requests of GitHub.' },
    { ...make('zen'), description: 'Calms down.' },
  ];
  expect(describing(skills)).toBe('zen gh docx csv-files a-empty');
  expect(describing(skills.toReversed())).toBe('zen gh docx csv-files a-empty');
  expect(describing(skills, { lastUsed: new Map([['csv-files', 1]]) })).toBe('csv-files zen gh docx a-empty');
});

test('skills with equal descriptions are described in the order of their names', () => {
  const skills = ['c', 'a', 'b'].map((name) => ({ ...make(name), description: 'Does it.' }));
  expect(describing(skills)).toBe('a b c');
});
