import { expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { findSkill } from '../catalog/find.ts';
import { findMissingWords, type MissedRequest } from './missing-words.ts';

const SKILLS = [
  foundSkill('/skills/pdf', {
    description: 'Merge documents.',
    tags: ['office'],
    triggers: { keywords: ['brochure'], verbs: ['staple'], patterns: ['leaflet'] },
  }).skill,
  foundSkill('/skills/forms', { description: 'Fill in invoices.' }).skill,
];

function missing(...missed: readonly MissedRequest[]): readonly string[] {
  const found = findMissingWords(missed, (name) => findSkill(SKILLS, name));
  return found.map(({ skill, words }) => `${skill}: ${words.map(({ word, count }) => `${word} ${count}`).join(', ')}`);
}

const lost = (query: string, stolenBy?: string, gold: readonly string[] = ['pdf']): MissedRequest => {
  return { query, gold, stolenBy };
};

test('what the skill says of itself is not missing, nor stop words and bare numbers', () => {
  expect(missing(lost('Please merge the Office document in PDF 2024, staple brochures and leaflets'))).toEqual([]);
});

test('words stand by how many requests have them, in their commonest spelling', () => {
  expect(missing(lost('scan pages'), lost('Scanned page, page'), lost('scanned it'))).toEqual([
    'pdf: scanned 3, page 2',
  ]);
});

test('of equal words those come first that the other skill says', () => {
  expect(missing(lost('annual invoice zebra', 'forms'), lost('annual invoice zebra'))).toEqual([
    'pdf: invoice 2, annual 2, zebra 2',
  ]);
});

test('at most eight words are given', () => {
  expect(missing(lost('aa bb cc dd ee ff gg hh ii jj'))).toEqual([
    'pdf: aa 1, bb 1, cc 1, dd 1, ee 1, ff 1, gg 1, hh 1',
  ]);
});

test('a request counts for each skill that serves it; what no skill has gets no words', () => {
  expect(missing(lost('merge invoices', undefined, ['pdf', 'forms', 'unknown']))).toEqual([
    'forms: merge 1',
    'pdf: invoices 1',
  ]);
});

test('the skill that was missed most comes first', () => {
  expect(missing(lost('one', undefined, ['forms']), lost('two'), lost('two'))).toEqual(['pdf: two 2', 'forms: one 1']);
});

test('Chinese is told in pairs, and halves of characters do no harm', () => {
  expect(missing(lost('合并\uD83D'))).toEqual(['pdf: 合并 1']);
});
