import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { examples } from '../../test/support/audit-examples.ts';
import { auditTree } from '../../test/support/audited.ts';
import type { Tree } from '../../test/support/tree.ts';
import { RULES, TEXT_RULES } from './audit-rules.ts';
import { foldText } from './fold-text.ts';

describe('every rule', () => {
  test('has examples that fire and near misses that do not', () => {
    expect(Object.keys(examples).sort()).toEqual(RULES.map(({ id }) => id).sort());
    for (const { fires, misses } of Object.values(examples)) {
      expect(fires.length).toBeGreaterThan(0);
      expect(misses.length).toBeGreaterThan(0);
    }
  });

  test('has an id and a name of its own, and a sentence that says why', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
    for (const { id, why } of RULES) {
      expect(id).toMatch(/^SP\d{3}$/);
      expect(why).toMatch(/^[A-Z].*\.$/);
      expect(why).not.toMatch(/\bis safe\b/);
    }
  });

  test('is described in the guide, with its severity', () => {
    const guide = readFileSync('docs/guide/audit.md', 'utf8');
    const rows = RULES.map(({ id, name, severity, why }) => `| ${id} | ${name} | ${severity} | ${why} |`);
    expect(guide.split('\n').filter((line) => line.startsWith('| SP'))).toEqual(rows);
  });

  describe.each(Object.entries(examples))('%s', (id, { fires, misses }) => {
    const rulesOf = async (tree: Tree): Promise<readonly string[]> =>
      (await auditTree(tree)).findings.map(({ rule }) => rule);
    test.each(fires.map((tree, at) => [at, tree] as const))('fires on example %i', async (_, tree) => {
      expect(await rulesOf(tree)).toContain(id);
    });
    test.each(misses.map((tree, at) => [at, tree] as const))('does not fire on near miss %i', async (_, tree) => {
      expect(await rulesOf(tree)).not.toContain(id);
    });
  });
});

describe('reading', () => {
  const SIZE = 1024 * 1024;
  const COMMON = ['a', ' ', '|', '\\x41', '<!-- ', '"', 'https://', 'curl -', '\n- ', 'the user '];

  /** Texts that begin like a match over and over. */
  function teasers(id: string): readonly string[] {
    const texts = examples[id]?.fires.flatMap((tree) => Object.values(tree)) ?? [];
    const short = texts.filter(
      (text) => typeof text === 'string' && text !== '' && text.length < 300,
    ) as readonly string[];
    return [...short.map((text) => text.slice(0, Math.ceil(text.length * 0.7))), ...COMMON];
  }

  test.each(TEXT_RULES.map(({ id, pattern }) => [id, pattern] as const))(
    '%s takes linear time on text that is made to be slow',
    (id, pattern) => {
      for (const teaser of teasers(id)) {
        const text = foldText(teaser.repeat(Math.ceil(SIZE / teaser.length))).text;
        const quarter = measure(pattern, text.slice(0, text.length / 4));
        const whole = measure(pattern, text);
        expect(`${teaser}: ${whole > 500 && whole > 12 * quarter ? `${quarter} and ${whole} ms` : 'linear'}`).toBe(
          `${teaser}: linear`,
        );
        expect(whole).toBeLessThan(5000);
      }
    },
  );

  test('has no pattern that repeats without a bound', () => {
    for (const { id, pattern } of TEXT_RULES) {
      const unclassed = pattern.source.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'c');
      expect(`${id} ${/[xc).a-z][*+]|\{\d+,\}/i.exec(unclassed)?.[0] ?? 'bounded'}`).toBe(`${id} bounded`);
    }
  });
});

function measure(pattern: RegExp, text: string): number {
  const start = performance.now();
  for (const _ of text.matchAll(pattern)) continue;
  return performance.now() - start;
}
