import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { findWhen, shortenDescription } from './description-parts.ts';

const WHAT = 'Turns files with comma-separated values into monthly reports with totals, charts and a list of outliers.';
const WHEN = 'Use when the user has a CSV file and wants a report, totals by month, or a chart of the numbers in it.';
const NOT = 'Do not use for spreadsheets with formulas, for databases, or for files that have no header line.';
const ALL = `${WHAT} ${WHEN} ${NOT}`;

test.each([
  ['Fill forms. Use when a form is sent.', 'Use when'],
  ['Fill forms. Use this skill whenever there is one.', 'Use this skill whenever'],
  ['Fill forms. Invoke before a form is sent.', 'Invoke before'],
  ['Fill forms. It should be used with forms.', 'should be used'],
  ['Fill forms. Use proactively with forms.', 'Use proactively'],
  ['Fill forms. Triggers: form, pdf.', 'Triggers:'],
  ['Fill forms. Trigger on "fill it in".', 'Trigger on'],
  ['Fill forms when the user sends one.', 'when the user'],
  ['填写表格。当用户发送表格时使用。', '当'],
  ['Заполняет формы, когда они приходят.', 'когда'],
  ['Rellena formularios cuando llegan.', 'cuando'],
  ['Not for invoices. Use for forms.', 'Use for'],
])('%j says when to use the skill from %j on', (text, marker) => {
  const place = findWhen(text);
  expect(place === undefined ? '' : text.slice(place.start, place.end)).toBe(marker);
});

test.each(['Fill PDF forms.', 'Fill forms. Do not use when it is an invoice.', 'A useful tool for forms.'])(
  '%j does not say when to use the skill',
  (text) => expect(findWhen(text)).toBeUndefined(),
);

describe('a shortened description', () => {
  test('is only about when to use the skill if there is little room', () => {
    expect(shortenDescription(ALL, 64)).toBe('Use when the user has a CSV file and wants a report…');
  });

  test('shares more room between the purpose and when to use the skill', () => {
    const short = shortenDescription(ALL, 128);
    expect(short).toBe(
      'Turns files with comma-separated values into monthly reports… Use when the user has a CSV file and wants a report…',
    );
  });

  test('also keeps what the skill is not for if there is room', () => {
    const short = shortenDescription(ALL, 240);
    expect(short).toMatch(
      /^Turns files .*… Use when the user has a CSV file.* Do not use for spreadsheets with formulas…$/,
    );
    expect(short.length).toBeLessThanOrEqual(240);
  });

  test('is cut from the end if it does not say when to use the skill, or says it first', () => {
    expect(shortenDescription(WHAT, 64)).toMatch(/^Turns files with comma-separated values .*…$/);
    expect(shortenDescription(`${WHEN} ${WHAT}`, 64)).toBe('Use when the user has a CSV file and wants a report…');
  });

  test('fits, marks the cut, and keeps at least 15 characters of when to use the skill', () => {
    const words = fc.constantFrom(
      'fill',
      'forms',
      'and',
      'charts,',
      'reports.',
      'totals;',
      'e.g. 3',
      '数据',
      '😀',
      'é',
    );
    const part = fc.array(words, { minLength: 1, maxLength: 60 }).map((some) => some.join(' '));
    fc.assert(
      fc.property(part, part, part, fc.integer({ min: 64, max: 1_024 }), (what, when, not, room) => {
        const text = `${what}. Use when ${when}. Not for ${not}.`;
        const short = shortenDescription(text, room);
        expect(short.length).toBeLessThanOrEqual(room);
        expect(short.isWellFormed()).toBe(true);
        if (text.length <= room) return;
        expect(short).toContain('…');
        const kept = short.slice(findWhen(short)?.end);
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(15, when.length));
      }),
      { seed: 20_261_118, numRuns: 500 },
    );
  });

  test('is found in linear time, whatever the text', () => {
    const text = `x. ${'use a '.repeat(20_000)}`;
    const start = process.cpuUsage();
    shortenDescription(text, 100);
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
  });
});
