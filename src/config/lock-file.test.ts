import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import { MAX_LOCK_BYTES } from '../model/limits.ts';
import type { LockedSkill } from '../model/lock.ts';
import type { Origin } from '../model/origin.ts';
import { parseLock, readLock, renderLock } from './lock-file.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const COMMIT = 'a'.repeat(40);

const PDF: LockedSkill = {
  name: 'pdf',
  origin: { kind: 'git', url: 'https://example.org/o/r.git', ref: 'main', commit: COMMIT },
  path: 'skills/pdf',
  digest: DIGEST,
  files: [
    { path: 'SKILL.md', digest: DIGEST, executable: false },
    { path: 'scripts/run.sh', digest: DIGEST, executable: true },
  ],
};
const GIT: ('kind' | 'url' | 'commit')[] = ['kind', 'url', 'commit'];
const WEB: ('kind' | 'url' | 'artifact')[] = ['kind', 'url', 'artifact'];
const NPM: ('kind' | 'url' | 'version' | 'integrity')[] = ['kind', 'url', 'version', 'integrity'];
const ENTRY = `    url: x\n    digest: ${DIGEST}\n    files: []\n`;

describe('the text of a lockfile', () => {
  test('is readable and sorted, so that version control can compare it', () => {
    expect(
      renderLock(
        [
          { ...PDF, name: 'docx', origin: { kind: 'directory', url: '/srv/docx' }, path: '' } as const,
          PDF,
        ].toReversed(),
      ),
    ).toBe(`# What is installed here, exactly. Written by skillplane; keep it under version control with its project.
# A line of three dots ends it.
version: 1
skills:
  docx:
    url: "/srv/docx"
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

  test('names the kind of origin, and needs version 2 only for new kinds', () => {
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const origin = { kind: 'npm', url: 'npm:@o/r', ref: '^1.0', version: '1.2.0', integrity } as const;
    expect(
      renderLock([
        { ...PDF, origin },
        { ...PDF, name: 'docx' },
      ]),
    ).toContain(`version: 2
skills:
  docx:
    url: https://example.org/o/r.git
    ref: main
    commit: ${COMMIT}
    path: skills/pdf
    digest: ${DIGEST}
`);
    expect(renderLock([{ ...PDF, origin, files: [] }])).toContain(`  pdf:
    kind: npm
    url: npm:@o/r
    ref: "^1.0"
    version: "1.2.0"
    integrity: "${integrity}"
    path: skills/pdf
`);
  });

  test('without skills is valid', () => {
    expect(parseLock(renderLock([]))).toEqual({ ok: true, skills: [] });
  });

  test('reads back as written for any paths and URLs, in any order', () => {
    const special = fc.constantFrom('true', 'null', '~', '1e3', '0x1f', '- a', '# x', 'a: b', "'", '*a', '<<', '=', '');
    const text = fc.oneof(special, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    const hex = (length: number): fc.Arbitrary<string> =>
      fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((found) => found.length === length);
    const digest = hex(64).map((found) => `sha256:${found}`);
    // Paths that lead out of their folder are refused.
    const place = text.filter((path) => !/^\/|\0|\.\./.test(path));
    const url = text.filter((given) => given !== '');
    const address = { url, ref: text };
    const artifact = fc.constantFrom('https://example.org/a.zip', 'https://example.org/a/b/SKILL.md');
    const integrity = fc.constant(`sha512-${'A'.repeat(86)}==`);
    const version = fc.constantFrom('1.2.3', '0.0.1-rc.1', '10.20.30+build');
    const origin: fc.Arbitrary<Origin> = fc.oneof(
      fc.record({ kind: fc.constant('git' as const), ...address, commit: hex(40) }, { requiredKeys: GIT }),
      fc.record({ kind: fc.constant('directory' as const), url }),
      fc.record({ kind: fc.constant('archive' as const), url, integrity: digest }),
      fc.record(
        { kind: fc.constant('web' as const), url, artifact, integrity: digest, version: text },
        { requiredKeys: WEB },
      ),
      fc.record({ kind: fc.constant('npm' as const), ...address, version, integrity }, { requiredKeys: NPM }),
    );
    const skill: fc.Arbitrary<LockedSkill> = fc.record({
      name: fc
        .oneof(place, fc.constantFrom('constructor', 'toString', '404'))
        .filter((name) => name !== '__proto__' && !name.includes('/')),
      origin,
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
      }),
      { seed: 20261115 },
    );
  });
});

describe('a lockfile that we did not write', () => {
  test.each([
    ['skills twice', `version: 1\nskills: {}\nskills:\n  a:\n${ENTRY}`, 3, /skills.*twice/],
    ['one skill twice', `version: 1\nskills:\n  a:\n${ENTRY}  a:\n${ENTRY}`, 7, /a.*twice/],
    ['one skill twice in two spellings', `version: 1\nskills:\n  a:\n${ENTRY}  "a":\n${ENTRY}`, 7, /a.*twice/],
    ['a field twice', `version: 1\nskills:\n  a:\n    url: y\n${ENTRY}`, 5, /url.*twice/],
    ['a forbidden key', `version: 1\nskills:\n  __proto__:\n${ENTRY}`, 3, /__proto__/],
    [
      'an unresolved merge conflict',
      `version: 1\nskills:\n<<<<<<< ours\n  a:\n${ENTRY}=======\n  b:\n${ENTRY}>>>>>>> theirs\n`,
      3,
      /./,
    ],
    ['a newer version', 'version: 4\nskills: {}\n', 1, /newer skillplane/],
    [
      'an unknown origin',
      `version: 2\nskills:\n  a:\n    kind: ftp\n${ENTRY}`,
      3,
      /a: is an origin of an unknown kind/,
    ],
    [
      'an archive without a digest',
      `version: 2\nskills:\n  a:\n    kind: archive\n${ENTRY}`,
      3,
      /integrity: must be sha256:/,
    ],
    ['a package without a version', `version: 2\nskills:\n  a:\n    kind: npm\n${ENTRY}`, 3, /must be a version/],
    [
      'a version that leads elsewhere',
      `version: 2\nskills:\n  a:\n    kind: hub\n    version: 1.0.0/../../x\n    integrity: ${DIGEST}\n${ENTRY}`,
      5,
      /must be a version/,
    ],
    ['a missing version', 'skills: {}\n', 1, /version/],
    ['a list', '- a\n', 1, /./],
    ['plain text', 'hello\n', 1, /./],
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
    ['an empty URL', `version: 1\nskills:\n  a:\n    url: ''\n    digest: ${DIGEST}\n    files: []\n`, 4, /url/],
    ['an unknown alias', 'version: 1\nskills: *x\n', 1, /alias/],
    ['extreme nesting', `version: ${'['.repeat(20_000)}`, 1, /nested too deeply|call stack/],
  ])('is refused with the line of the error: %s', (...[, text, line, message]) => {
    expect(parseLock(text)).toEqual({
      ok: false,
      code: 'CONFIG_INVALID',
      line,
      message: expect.stringMatching(message),
    });
  });

  test('is refused by its size before it is parsed', () => {
    expect(parseLock(`# ${'x'.repeat(MAX_LOCK_BYTES)}`)).toMatchObject({
      ok: false,
      message: expect.stringContaining('larger than'),
    });
  });

  test('with twenty thousand keys is parsed quickly', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `  k${at}: 1\n`).join('');
    expect(parseLock(`version: 1\nskills:\n${keys}`)).toMatchObject({ ok: false, line: 3 });
  });

  test.each(['', '\n', '# nothing\n', '---\n', 'version: 1\n', 'version: 1\nskills:\n'])(
    'without content is reported as damaged, not as empty: %j',
    (text) => {
      expect(parseLock(text)).toMatchObject({
        ok: false,
        message: expect.stringContaining('the file was truncated'),
      });
    },
  );

  test('is reported as damaged wherever it was cut off', () => {
    const text = renderLock([PDF, { ...PDF, name: 'docx' }]).trimEnd();
    const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index);
    const inBetween = Array.from({ length: Math.floor(text.length / 50) }, (_, at) => at * 50);
    for (const length of [...ends, ...ends.map((end) => end + 1), ...inBetween])
      expect([length, parseLock(text.slice(0, length)).ok]).toEqual([length, false]);
  });

  test('needs no end marker if an earlier version wrote it', () => {
    expect(parseLock(`version: 1\nskills:\n  a:\n${ENTRY}`)).toMatchObject({ ok: true, skills: [{ name: 'a' }] });
  });
});

test('a missing lockfile is read as empty, and nothing is written', () => {
  const dir = makeTree();
  expect(readLock(join(dir, 'skills-lock.yaml'))).toEqual({ ok: true, skills: [] });
  expect(readdirSync(dir)).toEqual([]);
});

test('a lockfile is read as it is written, with comments of people, too', () => {
  const dir = makeTree({ 'skills-lock.yaml': `# By hand.\n${renderLock([PDF])}` });
  expect(readLock(join(dir, 'skills-lock.yaml'))).toEqual({ ok: true, skills: [PDF] });
  expect(readdirSync(dir)).toEqual(['skills-lock.yaml']);
});

test('an invalid lockfile is a failure with its line, and stays unchanged', () => {
  const text = 'version: 1\nskills:\n  pdf:\n    url: 1\n';
  const dir = makeTree({ 'skills-lock.yaml': text });
  const file = join(dir, 'skills-lock.yaml');
  expect(readLock(file)).toMatchObject({
    ok: false,
    code: 'CONFIG_INVALID',
    message: `${file}:4: skills.pdf.url: must be text`,
  });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a folder in place of the lockfile is a failure', () => {
  const dir = makeTree({ 'skills-lock.yaml/': '' });
  expect(readLock(join(dir, 'skills-lock.yaml'))).toMatchObject({ ok: false });
});
