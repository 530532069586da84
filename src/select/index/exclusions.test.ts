import { expect, test } from 'vitest';

import { isExclusionHeading, splitExclusions } from './exclusions.ts';

test('a description is split into what a skill is for and what it is not for', () => {
  const cases: readonly (readonly [text: string, purpose: string, excluded: string])[] = [
    ['Fill forms. Do NOT use for invoices.', 'Fill forms.', 'Do NOT use for invoices.'],
    ['Writes Apex. NOT for Flow (use flow-basics).', 'Writes Apex.', 'NOT for Flow (use flow-basics).'],
    ['Crash dumps, not for managed .NET crashes.', 'Crash dumps,', 'not for managed .NET crashes.'],
    ['Reviews code. Skip when there is no diff.', 'Reviews code.', 'Skip when there is no diff.'],
    ['DO NOT USE FOR: one-shot tasks', '', 'DO NOT USE FOR: one-shot tasks'],
    ['Plans tests. Does NOT cover load tests.', 'Plans tests.', 'Does NOT cover load tests.'],
    ['Finds rules that do not fire.', 'Finds rules that do not fire.', ''],
  ];
  for (const [text, purpose, excluded] of cases) {
    const split = splitExclusions(text);
    expect([split.purpose.trim(), split.excluded.trim()]).toEqual([purpose, excluded]);
  }
});

test('a warning in a description is not an exclusion', () => {
  expect(splitExclusions('Signs releases. Never share the key.')).toEqual({
    purpose: 'Signs releases. ',
    excluded: '',
  });
});

test('headings that open a list of exclusions are recognized', () => {
  for (const heading of ['When NOT to use', 'Do not use this skill when', 'Out of scope', "Don't use", 'Non-goals'])
    expect(isExclusionHeading(heading)).toBe(true);
  for (const heading of ['When to use', 'Notes', 'Do this', 'Usage']) expect(isExclusionHeading(heading)).toBe(false);
});

test('splitting exclusions copes with hostile texts', () => {
  const hostile = ['not for '.repeat(40_000), `do not use${' .a'.repeat(60_000)}`, ',('.repeat(100_000)];
  for (const text of hostile) {
    const { purpose, excluded } = splitExclusions(text);
    expect(purpose.length + excluded.length).toBeGreaterThan(0);
    expect(purpose.length).toBeLessThanOrEqual(text.length);
  }
});
