import { expect, test } from 'vitest';

import { firstEval } from './first-eval.ts';

/** The file without its comments. */
function linesOf(name: string, description?: string): readonly string[] {
  const { path, bytes, executable } = firstEval({ name, description });
  expect([path, executable]).toEqual(['evals/evals.yaml', false]);
  return Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
}

test('a new skill’s evals expect a match for its name and description, and none for an unrelated request', () => {
  expect(linesOf('pdf', 'Fill: "PDF" forms\nwith care. Use it for forms.')).toEqual([
    'should_trigger:',
    '  - "pdf"',
    String.raw`  - "Fill: \"PDF\" forms with care."`,
    'should_not_trigger:',
    '  - "Sing a lullaby about the moon."',
    '',
  ]);
  expect(linesOf('pdf').slice(0, 3)).toEqual(['should_trigger:', '  - "pdf"', 'should_not_trigger:']);
});

test('a new skill’s evals choose an unrelated request that shares no word with the skill', () => {
  expect(linesOf('moon', 'Sings about the moon.')).toContain('  - "Which horse won yesterday?"');
});
