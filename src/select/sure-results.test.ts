import { expect, test } from 'vitest';

import type { SkillSearchResult } from './registry.ts';
import { pickSure, SURE } from './sure-results.ts';

const REQUEST = 'fill in the pdf form';

function results(...scores: readonly number[]): readonly SkillSearchResult[] {
  return scores.map((score, at) => {
    const name = `s${at}`;
    return { id: name, name, title: name, description: '', tags: [], score, reasons: [] };
  });
}

function pick(...scores: readonly number[]): readonly string[] {
  return pickSure(REQUEST, results(...scores)).map(({ name }) => name);
}

const { score, margin } = SURE;

test('one result that is good enough and leads the next one is sure', () => {
  expect(pick(score, score - margin)).toEqual(['s0']);
  expect(pick(score)).toEqual(['s0']);
});

test('below the floor nothing is sure', () => {
  expect(pick(score - 0.001)).toEqual([]);
  expect(pick()).toEqual([]);
});

test('two that are both good are both told of, if they lead the third', () => {
  expect(pick(score + 0.01, score, score - 0.1)).toEqual(['s0', 's1']);
});

test('of three that are alike none is sure', () => {
  expect(pick(score + 0.01, score + 0.005, score)).toEqual([]);
  expect(pick(score, score - 0.005, score - 0.006)).toEqual([]);
});

test('a weak result is never sure', () => {
  const [only] = results(0.45);
  expect(pickSure(REQUEST, only === undefined ? [] : [{ ...only, weak: true }])).toEqual([]);
});

test.each(['yes', 'go on', 'do it again', ''])('%j is no request, whatever it is in', (request) => {
  expect(pickSure(request, results(1))).toEqual([]);
});

const DESCRIPTION =
  'Fill PDF forms. Do NOT use for invoices, plain text files or to review code (code-review). Never for scanned pages.';

function isPicked(request: string, description = DESCRIPTION): boolean {
  return (
    pickSure(
      request,
      results(0.45).map((result) => ({ ...result, description })),
    ).length === 1
  );
}

test.each([
  'fill in this invoice form',
  'make a form of plain text files',
  'review the code of my PDF form',
  'fill a form of scanned pages',
])('%j is kept away by the text of the skill', (request) => {
  expect(isPicked(request)).toBe(false);
});

test.each(['fill in the PDF form', 'turn this text into a form', 'review my address form'])(
  '%j is not kept away by it',
  (request) => {
    expect(isPicked(request)).toBe(true);
  },
);

test('a description without exclusions keeps nothing away', () => {
  expect(isPicked('fill simple PDF forms', 'Fill PDF forms, not only simple ones.')).toBe(true);
});
