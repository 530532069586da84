import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { examples } from '../../../test/support/audit-examples.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { foldText } from '../reading/fold-text.ts';
import { TEXT_RULES } from './all-rules.ts';
import { findRequired } from './required-text.ts';
import { markGrams, openFilter } from './text-grams.ts';

const PATTERNS = [
  /\bcurl\b[^\n]{0,20}?\|\s?(?:ba|z)?sh(?![\w.-])/gi,
  /(?:a|bc)?d{2,3}e|xy+z/gi,
  /\b(?:nc|ncat)(?:\.\w{1,3})?\s-e/gi,
  /(?<!x)ab(?=c)|[pq]r\.st/g,
  /\x41bc\u0042d|\/dev\/(?:tcp|udp)\//gi,
  /foo\b\.bar|\b-x/gi,
  /a\sb|c\nd/g,
];

/** Texts made of the pieces that the patterns look for. */
const words = fc.constantFrom(
  ...'curl,|,sh,bash,a,bc,dd,ddd,e,x,y,z,nc,ncat,.,-e,-x,AB,c,pr,qr,st,Abc,bd,/dev/,tcp/,foo,.bar,bar,d,_'.split(','),
  ' ',
  '\n',
  '\u00a0',
  '\u2028',
);
const texts = fc.array(words, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('the prefilter of an audit pattern', () => {
  test('passes every text that the pattern matches', () => {
    const filters = PATTERNS.map((pattern) => ({ pattern, mayMatch: openFilter(pattern) }));
    fc.assert(
      fc.property(texts, (text) => {
        const grams = markGrams(text);
        const missed = filters.filter(({ pattern, mayMatch }) => text.search(pattern) !== -1 && !mayMatch(grams));
        expect(missed).toEqual([]);
      }),
      { numRuns: propertyRuns(5_000), seed: 20261116 },
    );
  });

  test('passes every example that its rule matches', () => {
    const files = Object.values(examples).flatMap(({ fires, misses }) => [...fires, ...misses].flatMap(Object.values));
    const folded = files.flatMap((file: unknown) => (typeof file === 'string' ? [foldText(file).text, file] : []));
    expect(folded.length).toBeGreaterThan(500);
    const missed = TEXT_RULES.flatMap(({ id, pattern }) => {
      const mayMatch = openFilter(pattern);
      return folded
        .filter((text) => text.search(pattern) !== -1 && !mayMatch(markGrams(text)))
        .map((text) => [id, text]);
    });
    expect(missed).toEqual([]);
  });

  test('exists for every rule and rejects ordinary text', () => {
    const grams = markGrams('# Charts\n\nPrepare the charts in order. Ask the person before anything is sent.\n');
    expect(TEXT_RULES.filter(({ pattern }) => openFilter(pattern)(grams)).map(({ id }) => id)).toEqual([]);
  });
});

test.each([
  [/\bcurl\b[^\n]{0,20}?\|/g, ['\u0001curl\u0002']],
  [/(?:abc|def)?gh/g, ['abcgh', 'defgh', 'gh']],
  [/[ab]cd\s?e/g, ['acd e', 'acde', 'bcd e', 'bcde']],
  [/abc|\d/g, undefined],
  [/(?:abcd)*/g, undefined],
  [/x(?!abc)yz/g, ['yz']],
])('the prefilter of an audit pattern finds the texts that %s requires: %j', (pattern, expected) => {
  expect(findRequired(pattern)).toEqual(expected);
});
