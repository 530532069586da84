import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { MAX_PATTERN_LENGTH, MAX_PATTERN_STEPS, MAX_PATTERN_SUBJECT_LENGTH, MAX_PATTERNS } from '../model/limits.ts';
import { compilePatterns, countSteps } from './trigger-patterns.ts';

const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js');

const SEED = 20_261_115;

function reasonFor(pattern: string): string | undefined {
  return compilePatterns([pattern]).refused[0]?.reason;
}

describe('trigger patterns', () => {
  test('match anywhere in a message and in any case, and are returned as written', () => {
    const set = compilePatterns(['greet\\s+\\w+', '^how', '\\bPDF\\b', 'zebra']);
    expect(set.findIn('HOW do I greet  bob with a pdf?')).toEqual(['greet\\s+\\w+', '^how', '\\bPDF\\b']);
    expect(set.findIn('pdfs')).toEqual([]);
    expect(set.refused).toEqual([]);
  });

  test('find nothing if there are none or all are broken', () => {
    expect(compilePatterns([])).toEqual({ findIn: expect.any(Function), reach: 0, steps: 0, refused: [] });
    expect(compilePatterns([]).findIn('x')).toEqual([]);
    expect(compilePatterns(['(']).findIn('(')).toEqual([]);
  });

  test('that are broken are left out with the reason, and the others work', () => {
    const set = compilePatterns(['(a', 'b+', '[z-a]']);
    expect(set.findIn('abb')).toEqual(['b+']);
    expect(set.refused).toEqual([
      { pattern: '(a', reason: 'missing closing )' },
      { pattern: '[z-a]', reason: 'invalid character class range z-a' },
    ]);
  });

  test.each([
    ['foo(?=bar)', 'lookahead and lookbehind are not supported, because they can hang'],
    ['foo(?!bar)', 'lookahead and lookbehind are not supported, because they can hang'],
    ['(?<=foo)bar', 'lookahead and lookbehind are not supported, because they can hang'],
    ['(?<!foo)bar', 'lookahead and lookbehind are not supported, because they can hang'],
    ['(a)\\1', 'backreferences are not supported, because they can hang'],
    ['(?<x>a)\\k<x>', 'backreferences are not supported, because they can hang'],
    ['(?P<x>a)(?P=x)', 'backreferences are not supported, because they can hang'],
    ['(?>a)', 'invalid or unsupported Perl syntax (?>'],
    ['a++', 'invalid nested repetition operator ++'],
    ['\\Z', 'invalid escape sequence \\Z'],
    ['*a', 'missing argument to repetition operator *'],
    ['a)', 'unexpected )'],
    ['a\\', 'trailing backslash at end of expression'],
    ['a{1001}', 'invalid repeat count {1001}'],
    ['(?P<x>a)(?P<y>b)', undefined],
    ['(?i)a|(?:b)', undefined],
    ['\\bfill\\b.{0,40}\\b(form|pdf)s?\\b', undefined],
    ['\\p{Greek}+', undefined],
  ])('are checked for support: %j gives the refusal %j', (pattern, reason) => {
    expect(reasonFor(pattern)).toBe(reason);
  });
});

describe('the limits of trigger patterns', () => {
  test('allow 32 patterns of 512 characters, and not one more of either', () => {
    const full = Array.from({ length: MAX_PATTERNS }, (_, at) => `${at}`.padEnd(MAX_PATTERN_LENGTH, 'x'));
    expect(compilePatterns(full).refused).toEqual([]);
    expect(compilePatterns([...full, 'y']).refused).toEqual([
      { pattern: 'y', reason: 'a skill may have at most 32 of them' },
    ]);
    const long = 'x'.repeat(MAX_PATTERN_LENGTH + 1);
    expect(compilePatterns([long, 'y'])).toMatchObject({
      refused: [{ pattern: long, reason: 'it may have at most 512 characters' }],
    });
    expect(compilePatterns([long, 'y']).findIn('y')).toEqual(['y']);
  });

  test('allow 8 KiB of a message to be read', () => {
    const set = compilePatterns(['needle']);
    const hay = (length: number): string => 'x'.repeat(length);
    expect(set.findIn(`${hay(MAX_PATTERN_SUBJECT_LENGTH - 6)}needle`)).toEqual(['needle']);
    expect(set.findIn(`${hay(MAX_PATTERN_SUBJECT_LENGTH - 5)}needle`)).toEqual([]);
  });

  test('let large patterns read less of a message, so that the work stays the same', () => {
    expect(compilePatterns(['x'.repeat(512)]).reach).toBe(MAX_PATTERN_SUBJECT_LENGTH);
    expect(compilePatterns(['x{1000}']).reach).toBe(4194);
    expect(compilePatterns(Array.from({ length: 32 }, () => 'x'.repeat(512))).reach).toBe(256);
  });

  const A100 = 'a'.repeat(100);

  test.each([
    ['repetitions of repetitions', '((a{100}){100}){100}'],
    ['a long group many times', `(?:${A100}){200}`],
    ['many repetitions', 'x{0,999}'.repeat(60)],
    ['three of them nested', '(((a{1,20}){20}){2}b){30}'],
    ['a quoted bracket', `(${A100}\\Q(\\E){200}`],
    ['a bracket in a class', `(${A100}[(]){200}`],
    ['a class that begins with its end', `(${A100}[](]){200}`],
    ['a class in a class', `(${A100}[[:alpha:](]){200}`],
    ['flags between', `(${A100})(?i){200}`],
    ['a star and an empty quotation between', `(${A100})*\\Q\\E{200}`],
    ['Unicode classes', '(?:\\pL{1000}){1}'.repeat(30)],
  ])('refuse a pattern that would grow too large before it is compiled: %s', (_, pattern) => {
    expect(compilePatterns([pattern]).refused).toHaveLength(1);
    expect(reasonFor(pattern)).toBe(
      `with repetitions written out, all patterns of a skill together may have at most ${MAX_PATTERN_STEPS} characters`,
    );
  });

  test('are shared by all patterns of a skill', () => {
    const large = 'x{1000}';
    const { refused } = compilePatterns(Array.from({ length: 20 }, () => large));
    expect(refused.map(({ pattern }) => pattern)).toEqual([large, large, large, large]);
  });

  test('are not reached by usual repetitions', () => {
    const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
    expect(countSteps(uuid)).toBeLessThan(60);
    expect(countSteps('(\\w+ ){0,5}x(\\w+ ){0,5}y(\\w+ ){0,5}z')).toBeLessThan(100);
    expect(countSteps('((ab){3}c){4}')).toBe(60);
    expect(countSteps('a{2,}b{3,5}c{7}')).toBe(15);
    expect(countSteps('\\pL')).toBe(13);
  });

  test('are checked with an estimate of at least a third of the compiled size', () => {
    const pieces =
      'a . | * +? ? ( (?: (?i) (?-s: ) ){9} {2} {0,9} {20} {5,} {,3} [ [^ ] ]{9} [a-z] [](] [[:alpha:]] [: :] ' +
      String.raw`\Q \E \Q\E \( \] \\ \b \x{10} \pL ^ $ é 😀 a{30}`;
    const piece = fc.constantFrom(...pieces.split(' '));
    let compiled = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (parts) => {
        const pattern = parts.join('');
        const steps = countSteps(pattern);
        if (steps > MAX_PATTERN_STEPS || reasonFor(pattern) !== undefined) return;
        compiled += 1;
        expect(RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).programSize()).toBeLessThanOrEqual(3 * steps + 6);
      }),
      { numRuns: propertyRuns(5_000), seed: SEED },
    );
    expect(compiled).toBeGreaterThan(propertyRuns(1_000));
  });
});

test('compiling and matching trigger patterns never throws, whatever the patterns and the message', () => {
  const signs = fc.string({
    unit: fc.constantFrom(...Array.from('ab(|)[]{}*+?^$.\\-:<>=!PQEdwp1,é\uD800\0\n')),
    maxLength: 20,
  });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(signs, fc.string({ unit: 'binary' }))),
      fc.string({ unit: 'binary' }),
      (all, text) => {
        const set = compilePatterns(all);
        const names = set.refused.map(({ pattern }) => pattern);
        for (const found of set.findIn(text)) expect(names).not.toContain(found);
        for (const { reason } of set.refused) expect(reason).not.toBe('');
      },
    ),
    { numRuns: propertyRuns(2_000), seed: SEED },
  );
});

test('trigger patterns matched together give the same result as each one alone', () => {
  const pattern = fc.array(fc.constantFrom('a', 'b', '.', 'a*', 'b+', '[ab]', '(a|b)?', '\\b', '^', '$', ' '), {
    minLength: 1,
    maxLength: 5,
  });
  const patterns = fc.array(
    pattern.map((parts) => parts.join('')),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(patterns, fc.string({ unit: fc.constantFrom('a', 'B', ' ', 'c') }), (all, text) => {
      const found = compilePatterns(all).findIn(text);
      expect(found).toEqual(all.filter((one) => RE2JS.compile(one, RE2JS.CASE_INSENSITIVE).test(text)));
    }),
    { numRuns: propertyRuns(1_000), seed: SEED },
  );
});

test('the regular expression engine is loaded to read trigger patterns, not to read a skill without them', () => {
  const probe = `
    import { createRequire } from 'node:module';
    const { parseSkill } = await import('./src/parse/parse-skill.ts');
    const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('re2js'));
    const parse = (line) => parseSkill('---\\nname: x\\n' + line + '\\n---\\nBody', { dir: '/x' }).ok && isLoaded();
    const seen = [parse('triggers: {keywords: [a], verbs: [b]}'), parse('globs: "*.py"')];
    console.log(JSON.stringify([...seen, parse('triggers: {patterns: [a]}')]));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', probe], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([false, false, true]);
});
