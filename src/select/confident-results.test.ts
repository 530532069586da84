import { expect, test } from 'vitest';

import { CONFIDENT, LIKELY, pickConfident, pickLikely } from './confident-results.ts';
import type { SkillSearchResult } from './registry.ts';

const REQUEST = 'fill in the pdf form';

function results(...confidences: readonly number[]): readonly SkillSearchResult[] {
  return confidences.map((confidence, at) => {
    const name = `s${at}`;
    return { id: name, name, title: name, description: '', tags: [], score: 0.4, confidence, reasons: [] };
  });
}

function pick(...confidences: readonly number[]): readonly string[] {
  return pickConfident(REQUEST, results(...confidences)).map(({ name }) => name);
}

test('a search result is confident enough for a hint from the threshold on', () => {
  expect(pick(CONFIDENT, CONFIDENT - 0.01)).toEqual(['s0']);
  expect(pick(CONFIDENT - 0.001)).toEqual([]);
  expect(pick()).toEqual([]);
});

test('at most the best two confident results are hinted at', () => {
  expect(pick(1, 1, 1)).toEqual(['s0', 's1']);
});

test('a weak search result is never hinted at', () => {
  const [only] = results(1);
  expect(pickConfident(REQUEST, only === undefined ? [] : [{ ...only, weak: true }])).toEqual([]);
});

test.each(['yes', 'go on', 'do it again', ''])('the message %j is not a request and gets no hint', (request) => {
  expect(pickConfident(request, results(1))).toEqual([]);
});

const DESCRIPTION =
  'Fill PDF forms. Do NOT use for invoices, plain text files or to review code (code-review). Never for scanned pages.';

function isPicked(request: string, description = DESCRIPTION): boolean {
  return (
    pickConfident(
      request,
      results(1).map((result) => ({ ...result, description })),
    ).length === 1
  );
}

test.each([
  'fill in this invoice form',
  'make a form of plain text files',
  'review the code of my PDF form',
  'fill a form of scanned pages',
])("the request %j gets no hint, because the skill's description excludes it", (request) => {
  expect(isPicked(request)).toBe(false);
});

test.each(['fill in the PDF form', 'turn this text into a form', 'review my address form'])(
  "the request %j gets a hint, because the skill's description does not exclude it",
  (request) => {
    expect(isPicked(request)).toBe(true);
  },
);

test('a description without exclusions prevents no hint', () => {
  expect(isPicked('fill simple PDF forms', 'Fill PDF forms, not only simple ones.')).toBe(true);
});

test('up to three results are likely if the best one is, and none of them is excluded or very unlikely', () => {
  const pickNames = (...confidences: readonly number[]): readonly string[] =>
    pickLikely(REQUEST, results(...confidences)).map(({ name }) => name);
  expect(pickNames(LIKELY, 0.2, 0.1, 0.1)).toEqual(['s0', 's1', 's2']);
  expect(pickNames(LIKELY, 0.2, 0.01)).toEqual(['s0', 's1']);
  expect(pickNames(LIKELY - 0.01, 0.2)).toEqual([]);
  expect(pickNames()).toEqual([]);
  const [first] = results(0.5);
  const excluded = first === undefined ? [] : [{ ...first, description: 'Do not use for pdf forms.' }];
  expect(pickLikely(REQUEST, excluded)).toEqual([]);
  expect(pickLikely('go on', results(1))).toEqual([]);
});
