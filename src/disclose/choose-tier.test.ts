import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import type { Skill } from '../model/skill.ts';
import { matchTriggers } from '../select/triggers.ts';
import { chooseTier, type TierOptions } from './choose-tier.ts';

function make(name: string, fields: Readonly<Record<string, unknown>> = {}, given: Partial<Skill> = {}): Skill {
  return { ...foundSkill(`/skills/${name}`, fields).skill, ...given };
}

/** Seed 002, "Manifest Format". */
const HELLO = make('hello-extended', {
  description: 'Extended greeting capabilities',
  triggers: { keywords: ['hello', 'greet', 'greeting'], verbs: ['say', 'wave'], patterns: [String.raw`greet\s+\w+`] },
});
const PLAIN = [make('a'), make('b')];

/** The tier, why, and which skills are listed or give their instructions. */
function choose(message: string, skills: readonly Skill[], options: TierOptions = {}): readonly unknown[] {
  const choice = chooseTier(message, skills, {
    matches: matchTriggers(skills, message, { maxSkills: 99 }),
    ...options,
  });
  const chosen = choice.tier === 'instructions' ? choice.chosen.map(({ skill }) => skill) : [];
  const listed = choice.tier === 'catalog' ? choice.listed : [];
  return [choice.tier, choice.why, [...chosen, ...listed].map(({ name }) => name).join(' ')];
}

describe('the disclosure for a message', () => {
  test.each([
    ['hello there', 'instructions', 'the message matches triggers', 'hello-extended'],
    ['please greet Bob', 'instructions', 'the message matches triggers', 'hello-extended'],
    ['she waved', 'instructions', 'the message matches triggers', 'hello-extended'],
    ['use hello-extended', 'instructions', 'the message matches triggers', 'hello-extended'],
    ['fix the build', 'catalog', 'the message matches no trigger, and some skills have none or are pinned', 'a b'],
    ['what can you do?', 'catalog', 'the message asks which skills there are', 'a b hello-extended'],
    ['list skills', 'catalog', 'the message asks which skills there are', 'a b hello-extended'],
    ['what skills do you have', 'catalog', 'the message asks which skills there are', 'a b hello-extended'],
    ['show capabilities', 'catalog', 'the message asks which skills there are', 'a b hello-extended'],
    ['show all skills', 'catalog', 'the message asks which skills there are', 'a b hello-extended'],
    ['documentation of all skills', 'instructions', 'the message asks for all instructions', 'a b hello-extended'],
    ['  ', 'none', 'there is no message', ''],
  ])('is chosen by triggers and questions: %j gives %s', (message, ...choice) => {
    expect(choose(message, [HELLO, ...PLAIN])).toEqual(choice);
  });

  test('is the skill list for a question about skills, even if it contains a trigger', () => {
    const [tier] = choose('hello, what can you do?', [HELLO]);
    expect(tier).toBe('catalog');
  });

  test('is nothing if no skill is visible', () => {
    const unusable = [make('a', {}, { hidden: true }), make('b', {}, { status: 'disabled' })];
    for (const message of ['list skills', 'show all skills', 'use a'])
      expect(choose(message, unusable)).toEqual(['none', 'there are no skills', '']);
  });
});

describe('for a message that matches no trigger', () => {
  test.each([
    ['a keyword', { triggers: { keywords: ['forms'] } }],
    ['a verb', { triggers: { verbs: ['fill'] } }],
    ['a pattern', { triggers: { patterns: ['x+y'] } }],
    ['a glob', { globs: ['*.pdf'] }],
    ['its name and a keyword', { triggers: { keywords: ['pdf', 'forms'] } }],
  ])('a skill with %s is only counted, and skills without triggers are listed', (_, fields) => {
    expect(choose('good evening', [make('pdf', fields)])).toEqual(['breadcrumb', 'the message matches no trigger', '']);
    const [tier, , listed] = choose('good evening', [make('pdf', fields), ...PLAIN]);
    expect([tier, listed]).toEqual(['catalog', 'a b']);
  });

  test('a pinned skill is listed even if it has triggers', () => {
    const skills = [{ ...HELLO, pinned: true }, make('pdf', { triggers: { keywords: ['forms'] } })];
    expect(choose('good evening', skills).at(-1)).toBe('hello-extended');
  });

  test('a skill whose only keyword is its name counts as one without triggers', () => {
    const named = make('pdf', { triggers: { keywords: ['PDF'] } });
    expect(choose('good evening', [named])).toEqual(['catalog', 'no skill has triggers', 'pdf']);
  });

  test('triggers of hidden skills are ignored', () => {
    expect(choose('good evening', [{ ...HELLO, hidden: true }, ...PLAIN])[0]).toBe('catalog');
  });
});

test('a message gets the instructions of at most three skills, or as many as requested', () => {
  const skills = ['a', 'b', 'c', 'd'].map((name) => make(name, { triggers: { keywords: ['form'] } }));
  expect(choose('a form', skills)[2]).toBe('a b c');
  expect(choose('a form', skills, { maxSkills: 1 })[2]).toBe('a');
  expect(choose('a form', skills, { maxSkills: 0 })[0]).toBe('breadcrumb');
  expect(choose('a form', skills, { maxSkills: -1 })[0]).toBe('breadcrumb');
});

test('a triggered skill that is hidden from the model is skipped', () => {
  const [a, b] = ['a', 'b'].map((name) => make(name, { triggers: { keywords: ['form'] } }));
  if (a === undefined || b === undefined) throw new Error('not all skills are there');
  const matches = [{ skill: { ...a, hidden: true }, reasons: [] }, ...matchTriggers([b], 'a form')];
  expect(choose('a form', [b], { matches, maxSkills: 1 })[2]).toBe('b');
});

test('a message that asks for all skills gets ten, the most needed first, and the total', () => {
  const skills = Array.from({ length: 15 }, (_, at) =>
    make(`s${String(at).padStart(2, '0')}`, {}, { pinned: at === 14 }),
  );
  const choice = chooseTier('all skills documentation', skills, { lastUsed: new Map([['s12', 1]]) });
  if (choice.tier !== 'instructions') throw new Error(choice.tier);
  expect(choice.chosen.map(({ skill }) => skill.name).slice(0, 3)).toEqual(['s14', 's12', 's00']);
  expect([choice.chosen.length, choice.outOf]).toEqual([10, 15]);
});
