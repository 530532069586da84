import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { compileGlobs, findMatch, findRefusedGlobs } from './globs.ts';

const SEED = 20_261_115;

function fits(glob: string, path: string): boolean {
  return compileGlobs([glob]).findFitting(path).length === 1;
}

describe('a list of names and globs', () => {
  test.each([
    ['pdf', ['docx', 'pdf'], 'pdf'],
    ['pdf', ['PDF'], undefined],
    ['pdf', [], undefined],
    ['pdf-fill', ['pdf'], undefined],
    ['pdf-fill', ['pdf-*'], 'pdf-*'],
    ['pdf-fill', ['*'], '*'],
    ['pdf', ['p?f'], 'p?f'],
    ['pdf', ['{docx,pdf}'], '{docx,pdf}'],
    ['a1', ['a[0-9]'], 'a[0-9]'],
    ['.hidden', ['*'], '*'],
    ['pdf', ['x*', 'p*', '*'], 'p*'],
    ['a[b]', ['a[b]'], 'a[b]'],
    ['claude-user', ['*-user'], '*-user'],
    ['axbyc', ['a*b*c'], 'a*b*c'],
    ['axbycd', ['a*b*c'], undefined],
    ['aab', ['*ab'], '*ab'],
    ['', ['*'], '*'],
    ['x', ['x**'], 'x**'],
    ['x', ['x?'], undefined],
    ['a1', ['a[!0-9]'], undefined],
    ['ab', ['a[^0-9]'], 'a[^0-9]'],
    ['a-', ['a[x-]'], 'a[x-]'],
    ['pdf-b', ['{pdf,doc{x,}}-[ab]'], '{pdf,doc{x,}}-[ab]'],
    ['doc-b', ['{pdf,doc{x,}}-[ab]'], '{pdf,doc{x,}}-[ab]'],
    ['docy-b', ['{pdf,doc{x,}}-[ab]'], undefined],
    ['{a}', ['{a}*'], '{a}*'],
    ['😀', ['?'], '?'],
    ['a.b', ['a?b', 'a.b'], 'a?b'],
    ['aXb', ['a.b*'], undefined],
    ['[', ['[*'], '[*'],
  ])('matches the name %j against %j with %j', (name, patterns, match) => {
    expect(findMatch(name, patterns)).toBe(match);
  });

  test('is matched quickly, however many stars and braces a glob has', () => {
    expect(findMatch('a'.repeat(500), [`${'*a'.repeat(200)}*b`])).toBeUndefined();
    expect(findMatch('b', [`${'{a,'.repeat(2_000)}${'}'.repeat(2_000)}`])).toBeUndefined();
    expect(findMatch('b', ['{a,b}'.repeat(60), `${'{'.repeat(5_000)}a,b${'}'.repeat(5_000)}`])).toBeUndefined();
  });
});

describe('a glob for file paths', () => {
  test.each([
    ['*.py', ['a.py', 'x/y/a.py', '.py', 'x/.py', '/abs/a.py'], ['a.pyc', 'a.PY', 'a.py/x', 'apy']],
    ['Makefile', ['Makefile', 'x/Makefile'], ['Makefile.am', 'xMakefile', 'Makefile/x']],
    ['src/*.ts', ['src/a.ts'], ['src/x/a.ts', 'lib/src/a.ts', 'a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['lib/src/a.ts', 'src/a.tsx', 'srca.ts']],
    ['**/x', ['x', 'a/x', 'a/b/x', 'a\nb/x'], ['ax', 'x/a']],
    ['**', ['a', 'a/b', '.git/x'], []],
    ['src/**', ['src/a', 'src/a/b'], ['src', 'lib/a']],
    ['src/', ['src/a', 'src/a/b'], ['src', 'a/src']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['ab', 'a/xb']],
    ['a**/b', ['a/b', 'ax/b', 'a/x/b'], ['ab']],
    ['a**b', ['ab', 'axb', 'x/axb'], ['a']],
    ['?.c', ['a.c', 'x/a.c', '😀.c'], ['ab.c', '.c']],
    ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.t', 'a.ts,tsx']],
    ['{a,b/{c,d}}.md', ['a.md', 'b/c.md', 'b/d.md'], ['b.md', 'c.md']],
    ['*.[jt]s', ['a.js', 'a.ts'], ['a.s', 'a.xs']],
    ['[!a-c]x', ['dx', '-x'], ['ax', 'bx', 'x', '/x']],
    ['[^a]x', ['bx', '^x'], ['ax']],
    ['[z-a]', ['z', '-', 'a'], ['b']],
    ['[a-]', ['a', '-'], ['b']],
    ['[', ['['], ['a']],
    ['a{b', ['a{b'], ['ab']],
    ['a,b', ['a,b'], ['a', 'b', 'xb']],
    ['}a{', ['}a{'], ['a']],
    ['a}b,c', ['a}b,c'], ['ab']],
    ['x(1).+$^|', ['x(1).+$^|'], ['x1']],
    ['x\\*', ['x*'], ['xy']],
    ['./a/*.c', ['a/b.c', './a/b.c'], ['x/a/b.c']],
    ['/top.md', ['top.md', '/top.md'], ['x/top.md']],
    ['!a', ['!a'], ['b']],
  ])('fits the right paths: %s', (glob, good, bad) => {
    expect(good.filter((path) => !fits(glob, path))).toEqual([]);
    expect(bad.filter((path) => fits(glob, path))).toEqual([]);
  });

  test('fits the end of an absolute path from a folder on, and Windows paths', () => {
    expect(fits('src/*.ts', '/home/me/src/a.ts')).toBe(true);
    expect(fits('src/*.ts', '/home/mysrc/a.ts')).toBe(false);
    expect(fits('src/*.ts', 'C:\\me\\src\\a.ts')).toBe(true);
    expect(fits('src/*.ts', 'src\\a.ts')).toBe(true);
    expect(fits('src\\*.ts', 'src/a.ts')).toBe(false);
    expect(fits('src\\a.ts', 'src/a.ts')).toBe(true);
  });

  test('is returned as written, together with all others that fit', () => {
    expect(compileGlobs(['*.ts', 'x', 'src/**']).findFitting('src/a.ts')).toEqual(['*.ts', 'src/**']);
    expect(compileGlobs([]).findFitting('a')).toEqual([]);
  });

  test('agrees with picomatch wherever both know the syntax', () => {
    const glob = fc
      .array(fc.constantFrom('a', 'b', '.', '*', '?', '/', '**/', '{a,b}', '[ab]'), { minLength: 1, maxLength: 6 })
      .map((parts) => (parts.includes('/') ? parts.join('') : `**/${parts.join('')}`))
      .filter((text) => !/\*{3}|[^/{,]\*\*|\/\/|^\/|\/$|\/\.|^\./.test(text));
    const path = fc
      .array(fc.constantFrom('a', 'b', '/', '.'), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join(''));
    const tidy = path.filter((text) => !/^[/.]|\/$|\/\/|\/\./.test(text));
    let fitting = 0;
    fc.assert(
      fc.property(glob, tidy, (one, file) => {
        const isFit = picomatch.isMatch(file, one, { dot: true });
        if (isFit) fitting += 1;
        expect([one, file, fits(one, file)]).toEqual([one, file, isFit]);
      }),
      { numRuns: propertyRuns(3_000), seed: SEED },
    );
    expect(fitting).toBeGreaterThan(propertyRuns(100));
  });
});

describe('globs of a hostile skill', () => {
  test('are limited to 32 of 512 characters, and others are refused with the reason', () => {
    const long = '*'.repeat(513);
    expect(findRefusedGlobs([long, '*.py'])).toEqual([{ pattern: long, reason: 'it may have at most 512 characters' }]);
    const many = Array.from({ length: 33 }, (_, at) => `*.${at}`);
    expect(findRefusedGlobs(many)).toEqual([{ pattern: '*.32', reason: 'a skill may have at most 32 of them' }]);
    expect(compileGlobs(many).findFitting('a.31')).toEqual(['*.31']);
    expect(compileGlobs(many).findFitting('a.32')).toEqual([]);
    expect(findRefusedGlobs([])).toEqual([]);
  });

  test('cannot hang the matcher', () => {
    const stars = `${'*a'.repeat(50)}b`;
    expect(fits(stars, 'a'.repeat(2_000))).toBe(false);
    expect(fits(stars, `${'a'.repeat(2_000)}b`)).toBe(true);
    expect(fits('+(+(a))b', 'a'.repeat(2_000))).toBe(false);
    expect(fits('**/a/**/a/**/a/**/a/**/b', 'a/'.repeat(1_000))).toBe(false);
  });

  test('fit no path of more than 8,192 characters', () => {
    expect(fits('*a', 'a'.repeat(8_192))).toBe(true);
    expect(fits('*a', 'a'.repeat(8_193))).toBe(false);
  });

  test('never throw, whatever the glob and the path contain', () => {
    const signs = fc.string({ unit: fc.constantFrom(...Array.from('ab*?[]{},!^-/\\.()|+$\uD800é\n')), maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(signs, fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (glob, path) => {
        expect(findRefusedGlobs([glob])).toEqual([]);
        expect(compileGlobs([glob]).findFitting(path).length).toBeLessThan(2);
        expect(fits(glob, glob) || !/^[\w.-]+$/.test(glob)).toBe(true);
      }),
      { numRuns: propertyRuns(2_000), seed: SEED },
    );
  });
});
