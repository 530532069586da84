import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { makeTree } from '../../test/support/tree.ts';
import { renderDiff } from './render-diff.ts';

describe('a diff of two texts', () => {
  test('is empty if they are equal', () => {
    expect(renderDiff('a\nb\n', 'a\nb\n', 'x')).toBe('');
    expect(renderDiff('', '', 'x')).toBe('');
  });

  test('shows changes with three lines of context', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
    const after = before.replace('line 5\n', 'five\n').replace('line 18\n', '');
    expect(renderDiff(before, after, 'pdf/SKILL.md')).toBe(
      [
        '--- a/pdf/SKILL.md\n+++ b/pdf/SKILL.md\n@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+five\n',
        ' line 6\n line 7\n line 8\n@@ -15,6 +15,5 @@\n line 15\n line 16\n line 17\n-line 18\n line 19\n line 20\n',
      ].join(''),
    );
  });

  test('marks a missing newline at the end', () => {
    expect(renderDiff('a\nb', 'a\nb\n', 'x')).toBe(
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
    );
  });

  test('is made even for 40,000 lines that have nothing in common', () => {
    const texts = ['a', 'b'].map((letter) => Array.from({ length: 40_000 }, (_, at) => `${letter}${at}\n`).join(''));
    const diff = renderDiff(texts[0] ?? '', texts[1] ?? '', 'x');
    expect(diff.split('\n')).toHaveLength(2 + 1 + 80_000 + 1);
  });

  test('can be applied by git to turn the one into the other', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'dd', '', ' x', '-y', '+z', 'é');
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\n', ''))
      .map(([lines, end]) => (lines.length === 0 ? '' : `${lines.join('\n')}${end}`));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 20, maxLength: 20 }), (pairs) => {
        const tree = Object.fromEntries(pairs.map(([before], index) => [`${index}.txt`, before]));
        const dir = makeTree(tree);
        const diff = pairs.map(([before, after], index) => renderDiff(before, after, `${index}.txt`)).join('');
        const applied = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], {
          cwd: dir,
          input: diff,
          encoding: 'utf8',
        });
        expect(applied.stderr).toBe('');
        expect(pairs.map((_, index) => readFileSync(join(dir, `${index}.txt`), 'utf8'))).toEqual(
          pairs.map(([, after]) => after),
        );
      }),
      { seed: 20261115, numRuns: propertyRuns(25, 5) },
    );
  });
});
