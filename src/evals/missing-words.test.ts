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

test('words that a skill already has, stop words and bare numbers are not reported as missing', () => {
  expect(missing(lost('Please merge the Office document in PDF 2024, staple brochures and leaflets'))).toEqual([]);
});

test('missing words are sorted by number of requests and shown in their most common spelling', () => {
  expect(missing(lost('scan pages'), lost('Scanned page, page'), lost('scanned it'))).toEqual([
    'pdf: scanned 3, page 2',
  ]);
});

test('of equally frequent missing words, those that the winning skill has come first', () => {
  expect(missing(lost('annual invoice zebra', 'forms'), lost('annual invoice zebra'))).toEqual([
    'pdf: invoice 2, annual 2, zebra 2',
  ]);
});

test('at most eight missing words are reported per skill', () => {
  expect(missing(lost('aa bb cc dd ee ff gg hh ii jj'))).toEqual([
    'pdf: aa 1, bb 1, cc 1, dd 1, ee 1, ff 1, gg 1, hh 1',
  ]);
});

test('missing words are reported for each known skill that serves the request', () => {
  expect(missing(lost('merge invoices', undefined, ['pdf', 'forms', 'unknown']))).toEqual([
    'forms: merge 1',
    'pdf: invoices 1',
  ]);
});

test('missing words are listed for the most often missed skill first', () => {
  expect(missing(lost('one', undefined, ['forms']), lost('two'), lost('two'))).toEqual(['pdf: two 2', 'forms: one 1']);
});

test('missing Chinese words are reported in pairs of characters, and lone surrogates do no harm', () => {
  expect(missing(lost('合并\uD83D'))).toEqual(['pdf: 合并 1']);
});
