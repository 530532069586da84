import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { examples, falseAlarms } from '../../../test/support/audit-examples.ts';
import { auditTree } from '../../../test/support/audited.ts';
import { takeApart } from '../../../test/support/pattern-steps.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import type { Tree } from '../../../test/support/tree.ts';
import { MENTION_PATTERNS } from '../inventory.ts';
import { judgeFindings } from '../policy.ts';
import { foldText } from '../reading/fold-text.ts';
import { unescapeText } from '../reading/unescape-text.ts';
import { FILE_RULES, RULES, TEXT_RULES } from './all-rules.ts';
import { readWords } from './needed-words.ts';

describe('every audit rule', () => {
  test('has examples that fire and near misses that do not', () => {
    expect(Object.keys(examples).sort()).toEqual(FILE_RULES.map(({ id }) => id).sort());
    for (const { fires, misses } of Object.values(examples)) {
      expect(fires.length).toBeGreaterThan(0);
      expect(misses.length).toBeGreaterThan(0);
    }
  });

  test('has a unique id and name, and a sentence that says why', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
    for (const { id, why } of RULES) {
      expect(id).toMatch(/^SP\d{3}$/);
      expect(why).toMatch(/^[A-Z].*\.$/);
      expect(why).not.toMatch(/\bis safe\b/);
    }
  });

  test('is listed in the guide with its severity and reason', () => {
    const guide = readFileSync('docs/guide/audit.md', 'utf8');
    const rows = RULES.map(({ id, name, severity, why }) => `| ${id} | ${name} | ${severity} | ${why} |`);
    expect(guide.split('\n').filter((line) => line.startsWith('| SP'))).toEqual(rows);
  });

  test('needs only words that each of its matches has', () => {
    const files = Object.values(examples).flatMap(({ fires, misses }) => [...fires, ...misses].flatMap(Object.values));
    const texts = files.flatMap((file: unknown) =>
      typeof file === 'string' ? [foldText(file).text, foldText(unescapeText(file).text).text] : [],
    );
    expect(texts.length).toBeGreaterThan(500);
    const missed = TEXT_RULES.flatMap((rule) =>
      texts
        .filter((text) => [...text.matchAll(rule.pattern)].some((match) => rule.accepts?.(match) !== false))
        .filter((text) => !readWords(text).hasNeeds(rule))
        .map((text) => [rule.id, text]),
    );
    expect(missed).toEqual([]);
  });

  test('needs words that ordinary text does not have', () => {
    const words = readWords('# Charts\n\nPrepare the charts in order. Ask the person before anything is sent.\n');
    const read = TEXT_RULES.filter(words.hasNeeds).map(({ id }) => id);
    expect(read.length).toBeLessThan(TEXT_RULES.length / 4);
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

test.each(Object.entries(falseAlarms))('the audit raises no false alarm for %s', async (_, tree) => {
  const { findings } = await auditTree(tree);
  const { refused } = judgeFindings(findings, { failOn: 'high', allow: [] });
  expect(refused.map(({ rule, excerpt }) => [rule, excerpt])).toEqual([]);
});

describe('audit patterns take linear time', () => {
  const MOST_CHARACTERS = 6 * 1024;
  const MOST_STEPS = 800;
  const SLOW = [
    'a',
    ' |',
    '"',
    'https://',
    'curl -',
    '\n- ',
    'curl -o aa ',
    'curl >aa ',
    'curl -d ',
    'curl -d .env',
    'docker -v ',
    'wget -O aa sh ',
    'do not show this a b ',
    'every 1h check post ',
    'archive password: ',
    'copy line in ',
    'open ',
    '<a style="display',
    '<!-- a ',
    'get new rules ',
    'allowed-tools: Bash,',
    '\n- Bash',
    '<svg ',
    'socket ',
    '_0x1234 ',
    'http://a:b@',
    'https://a.a.a.',
    '\nA=a A=a ',
    'spawn(',
    '$(sudo ',
  ];

  /** Texts that begin like a match over and over. */
  function teasers(id: string): readonly string[] {
    const texts = examples[id.slice(0, 5)]?.fires.flatMap((tree) => Object.values(tree)) ?? [];
    const short = texts.flatMap((text) => (typeof text === 'string' && text.length < 300 ? [foldText(text).text] : []));
    const starts = short.flatMap((text) =>
      [0.2, 0.4, 0.6, 0.8, 0.95].map((part) => text.slice(0, Math.ceil(text.length * part))),
    );
    const all = [...new Set([...starts, ...SLOW])].filter((text) => text !== '');
    const step = Math.ceil(all.length / propertyRuns(all.length));
    return all.filter((_, index) => index % step === 0);
  }

  const inOrder = TEXT_RULES.flatMap(({ id, inOrder: orders = [] }) =>
    [...new Set(orders.flat())].map((pattern, at) => ({ id: `${id}, in order ${at}`, pattern })),
  );
  const patterns = [
    ...TEXT_RULES,
    ...inOrder,
    ...MENTION_PATTERNS.map((pattern, at) => ({ id: `mention ${at}`, pattern })),
  ];

  describe.each(patterns.map(({ id, pattern }) => [id, pattern] as const))('%s', (id, pattern) => {
    const counted = takeApart(pattern);
    // No match is longer, so that more text only repeats the steps.
    const size = Math.min(4 * counted.longest + 512, MOST_CHARACTERS);

    test('has no match of 8,192 characters or more', () => {
      expect(counted.longest).toBeLessThan(8192);
    });

    test('takes few steps per character even on a text made to be slow', () => {
      for (const teaser of teasers(id)) {
        const text = teaser.repeat(Math.ceil(size / teaser.length));
        const { steps, matches } = counted.count(text);
        expect(matches).toEqual([...text.matchAll(pattern)].map(({ index, 0: all }) => [index, index + all.length]));
        const isSlow = steps > MOST_STEPS * text.length;
        expect(isSlow ? `${teaser}: ${steps / text.length} steps` : 'quick').toBe('quick');
      }
    });
  });
});
