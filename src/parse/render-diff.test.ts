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

  test('is cut where it gets too long, and says how much is missing', () => {
    const after = Array.from({ length: 100_000 }, (_, at) => `line number ${at}\n`).join('');
    const diff = renderDiff('', after, 'x');
    expect(diff.length).toBeLessThan(1_100_000);
    const [, shown, missing] =
      /\n\+line number (\d+)\n\\ The diff ends here: (\d+) more lines are not shown\.\n$/.exec(diff) ?? [];
    expect(Number(shown) + 1 + Number(missing)).toBe(100_000);
  });

  test('of two texts with very many lines says that they are not compared', () => {
    const [before, after] = [1_000_000, 1_300].map((changed) =>
      Array.from({ length: 600_000 }, (_, at) => (at % changed === 0 ? 'xyz\n' : 'abc\n')).join(''),
    );
    expect(renderDiff(before ?? '', after ?? '', 'x')).toBe(
      '--- a/x\n+++ b/x\n\\ Not compared: both versions together have 1200002 lines.\n',
    );
  });

  test('of two texts of many lines is one change if they differ in too many places', () => {
    const [before, after] = [1_000_000, 100].map((changed) =>
      Array.from({ length: 60_000 }, (_, at) => `${at % changed === 0 ? 'new ' : ''}line ${at}\n`).join(''),
    );
    const diff = renderDiff(before ?? '', after ?? '', 'x');
    expect(diff.match(/^@@ .*/gm)).toEqual(['@@ -98,59807 +98,59807 @@']);
  });

  test('of two texts of many lines shows few changes without the lines between them', () => {
    const before = Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`).join('');
    const after = before.replace('line 300\n', 'three\n').replace('line 30900\n', '');
    expect(renderDiff(before, after, 'x')).toBe(
      [
        '--- a/x\n+++ b/x\n@@ -298,7 +298,7 @@\n line 297\n line 298\n line 299\n-line 300\n+three\n',
        ' line 301\n line 302\n line 303\n@@ -30898,7 +30898,6 @@\n line 30897\n line 30898\n line 30899\n',
        '-line 30900\n line 30901\n line 30902\n line 30903\n',
      ].join(''),
    );
  });

  const unlike = (word: string): string => Array.from({ length: 400 }, (_, at) => `${word} ${at}\n`).join('');
  test.each([
    ['its changes are found', { old: '', fresh: '' }],
    ['it is one change', { old: unlike('old'), fresh: unlike('new') }],
  ])('can be applied by git to turn the one into the other if %s', (_what, middle) => {
    const line = fc.constantFrom('a', 'b', 'c', 'dd', '', ' x', '-y', '+z', 'é');
    const text = fc
      .tuple(fc.array(line, { maxLength: 15 }), fc.array(line, { maxLength: 15 }), fc.constantFrom('\n', '\n', ''))
      .map(([head, tail, end]) => ({
        head: head.join('\n'),
        tail: tail.length === 0 ? '' : `${tail.join('\n')}${end}`,
      }));
    const pair = fc
      .tuple(text, text)
      .map(([a, b]) => [`${a.head}\n${middle.old}${a.tail}`, `${b.head}\n${middle.fresh}${b.tail}`] as const)
      .filter(([a, b]) => a !== b);
    fc.assert(
      fc.property(fc.array(pair, { minLength: 20, maxLength: 20 }), (pairs) => {
        const tree = Object.fromEntries(pairs.map(([before], index) => [`${index}.txt`, before]));
        const dir = makeTree(tree);
        const budget = { steps: 200_000, characters: 1_000_000 };
        const diff = pairs
          .map(([before, after], index) => renderDiff(before, after, `${index}.txt`, { ...budget }))
          .join('');
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
