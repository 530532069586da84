import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { MAX_LOCK_BYTES } from '../model/limits.ts';
import type { LockedSkill } from '../model/lock.ts';
import { parseLock } from './parse-lock.ts';
import { readRenderedLock } from './read-rendered-lock.ts';
import { renderLock } from './render-lock.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const COMMIT = 'a'.repeat(40);

const PDF: LockedSkill = {
  name: 'pdf',
  url: 'https://example.org/o/r.git',
  ref: 'main',
  commit: COMMIT,
  path: 'skills/pdf',
  digest: DIGEST,
  files: [
    { path: 'SKILL.md', digest: DIGEST, executable: false },
    { path: 'scripts/run.sh', digest: DIGEST, executable: true },
  ],
};
const ENTRY = `    url: x\n    digest: ${DIGEST}\n    files: []\n`;

describe('the text of a lock', () => {
  test('is made for people to read and for a version control to compare', () => {
    expect(renderLock([{ ...PDF, name: 'docx', ref: undefined, commit: undefined, path: '' }, PDF].toReversed()))
      .toBe(`# What is installed here, exactly. Written by skillplane; keep it under version control with its project.
# A line of three dots ends it.
version: 1
skills:
  docx:
    url: https://example.org/o/r.git
    digest: ${DIGEST}
    files:
      - path: SKILL.md
        digest: ${DIGEST}
      - path: scripts/run.sh
        digest: ${DIGEST}
        executable: true
  pdf:
    url: https://example.org/o/r.git
    ref: main
    commit: ${COMMIT}
    path: skills/pdf
    digest: ${DIGEST}
    files:
      - path: SKILL.md
        digest: ${DIGEST}
      - path: scripts/run.sh
        digest: ${DIGEST}
        executable: true
...
`);
  });

  test('of nothing is a lock as well', () => {
    expect(parseLock(renderLock([]))).toEqual({ ok: true, skills: [] });
  });

  test('gives back what it was made of, whatever paths and addresses say, and does not depend on the order', () => {
    const special = fc.constantFrom('true', 'null', '~', '1e3', '0x1f', '- a', '# x', 'a: b', "'", '*a', '<<', '=', '');
    const text = fc.oneof(special, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    const hex = (length: number): fc.Arbitrary<string> =>
      fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((found) => found.length === length);
    const digest = hex(64).map((found) => `sha256:${found}`);
    // Paths that lead out of their folder are refused.
    const place = text.filter((path) => !/^\/|\0|\.\./.test(path));
    const skill: fc.Arbitrary<LockedSkill> = fc.record({
      name: fc
        .oneof(place, fc.constantFrom('constructor', 'toString', '404'))
        .filter((name) => name !== '__proto__' && !name.includes('/')),
      url: text.filter((url) => url !== ''),
      ref: fc.option(text, { nil: undefined }),
      commit: fc.option(hex(40), { nil: undefined }),
      path: place,
      digest,
      files: fc.array(fc.record({ path: place, digest, executable: fc.boolean() }), { maxLength: 4 }),
    });
    const skills = fc.uniqueArray(skill, { selector: ({ name }) => name, maxLength: 5 });
    fc.assert(
      fc.property(skills, (given) => {
        const rendered = renderLock(given);
        const sorted = given.toSorted((a, b) => (a.name < b.name ? -1 : 1));
        expect(renderLock(given.toReversed())).toBe(rendered);
        const parsed = parseLock(rendered);
        // Names that look like numbers come first in an object of JavaScript; the text has them in order.
        const found = parsed.ok ? parsed.skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : parsed;
        expect(found).toEqual(sorted);
        // Escapes that JSON does not know are left to the YAML parser.
        const rest = rendered.includes('\\U') ? sorted : undefined;
        expect(readRenderedLock(rendered) ?? rest).toEqual(sorted);
      }),
      { seed: 20261115 },
    );
  });
});

describe('a lock that is not as we write it', () => {
  test.each([
    ['skills twice', `version: 1\nskills: {}\nskills:\n  a:\n${ENTRY}`, 3, /skills.*twice/],
    ['one skill twice', `version: 1\nskills:\n  a:\n${ENTRY}  a:\n${ENTRY}`, 7, /a.*twice/],
    ['one skill twice in two spellings', `version: 1\nskills:\n  a:\n${ENTRY}  "a":\n${ENTRY}`, 7, /a.*twice/],
    ['a field twice', `version: 1\nskills:\n  a:\n    url: y\n${ENTRY}`, 5, /url.*twice/],
    ['a key that is none', `version: 1\nskills:\n  __proto__:\n${ENTRY}`, 3, /__proto__/],
    [
      'an unsolved merge',
      `version: 1\nskills:\n<<<<<<< ours\n  a:\n${ENTRY}=======\n  b:\n${ENTRY}>>>>>>> theirs\n`,
      3,
      /./,
    ],
    ['a newer version', 'version: 2\nskills: {}\n', 1, /newer skillplane/],
    ['no version', 'skills: {}\n', 1, /version/],
    ['a list', '- a\n', 1, /./],
    ['a text', 'hello\n', 1, /./],
    [
      'a wrong digest',
      `version: 1\nskills:\n  a:\n    url: x\n    digest: md5:1\n    files: []\n`,
      5,
      /digest.*sha256/,
    ],
    [
      'a wrong commit',
      `version: 1\nskills:\n  a:\n    commit: ${COMMIT.toUpperCase()}\n${ENTRY}`,
      4,
      /commit.*40 hex digits/,
    ],
    ['no address', `version: 1\nskills:\n  a:\n    url: ''\n    digest: ${DIGEST}\n    files: []\n`, 4, /url/],
    ['an alias to nothing', 'version: 1\nskills: *x\n', 1, /alias/],
    ['extreme nesting', `version: ${'['.repeat(20_000)}`, 1, /nested too deeply|call stack/],
  ])('is refused with its line: %s', (...[, text, line, message]) => {
    expect(readRenderedLock(text)).toBeUndefined();
    expect(parseLock(text)).toEqual({
      ok: false,
      code: 'CONFIG_INVALID',
      line,
      message: expect.stringMatching(message),
    });
  });

  test('is refused by its size before it is looked at', () => {
    expect(parseLock(`# ${'x'.repeat(MAX_LOCK_BYTES)}`)).toMatchObject({
      ok: false,
      message: expect.stringContaining('larger than'),
    });
  });

  test('is read without going slow over a hundred thousand keys', () => {
    const keys = Array.from({ length: 100_000 }, (_, at) => `  k${at}: 1\n`).join('');
    expect(parseLock(`version: 1\nskills:\n${keys}`)).toMatchObject({ ok: false, line: 3 });
  });

  test.each(['', '\n', '# nothing\n', '---\n', 'version: 1\n', 'version: 1\nskills:\n'])(
    'is damaged where it says nothing, and not empty: %j',
    (text) => {
      expect(parseLock(text)).toMatchObject({
        ok: false,
        message: expect.stringContaining('the file was emptied or cut short'),
      });
    },
  );

  test('is damaged wherever it is cut', () => {
    const text = renderLock([PDF, { ...PDF, name: 'docx' }]).trimEnd();
    const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index);
    const inBetween = Array.from({ length: Math.floor(text.length / 50) }, (_, at) => at * 50);
    for (const length of [...ends, ...ends.map((end) => end + 1), ...inBetween])
      expect([length, parseLock(text.slice(0, length)).ok]).toEqual([length, false]);
  });

  test('needs no end if an earlier version wrote it', () => {
    expect(parseLock(`version: 1\nskills:\n  a:\n${ENTRY}`)).toMatchObject({ ok: true, skills: [{ name: 'a' }] });
  });
});
