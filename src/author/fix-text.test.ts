import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { countFixed } from '../../bench/fixing.ts';
import { CORPUS, readLines, type RealFile } from '../../bench/real-skills.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { damagedYaml } from '../../test/support/yaml-text.ts';
import { fixText, type FixTextOptions } from './fix-text.ts';
import { validateText } from './validate-text.ts';

const DIR = '/skills/demo';
const fixed = (text: string, options?: FixTextOptions): string => fixText(text, DIR, options).text;

describe('fixing a SKILL.md', () => {
  test.for([
    [
      'a colon without quotes',
      '---\nname: demo\ndescription: Use: it\n---\nB',
      '---\nname: demo\ndescription: "Use: it"\n---\nB',
    ],
    [
      'a value that begins like YAML',
      '---\nname: demo\ndescription: @x y\n---\n',
      '---\nname: demo\ndescription: "@x y"\n---\n',
    ],
    [
      'wrapped text',
      '---\nname: demo\ndescription: a: b\nand more\n---\n',
      '---\nname: demo\ndescription: "a: b and more"\n---\n',
    ],
    [
      'tabs as indentation',
      '---\nname: demo\ndescription: x\nmetadata:\n\ta: b\n---\n',
      '---\nname: demo\ndescription: x\nmetadata:\n  a: b\n---\n',
    ],
    [
      'fields that a tab indents below the name',
      '---\nname: demo\n\tdescription: "Uses tabs."\n\tmetadata:\n\t\ta: b\nlicense: MIT\n---\nB',
      '---\nname: demo\ndescription: "Uses tabs."\nmetadata:\n  a: b\nlicense: MIT\n---\nB',
    ],
    [
      'a comma after quoted text',
      '---\nname: "demo",\ndescription: "Quoted text.",\ntags: [a, b],\n---\n',
      '---\nname: "demo"\ndescription: "Quoted text."\ntags: [a, b]\n---\n',
    ],
    ['a name that is not text', '---\nname: [demo]\ndescription: x\n---\n', '---\nname: demo\ndescription: x\n---\n'],
    ['a missing name', '---\ndescription: x\n---\n', '---\ndescription: x\nname: demo\n---\n'],
    [
      'allowed-tools as a list',
      '---\nname: demo\ndescription: x\nallowed-tools: [Read, "Bash(git add:*)"]\n---\n',
      '---\nname: demo\ndescription: x\nallowed-tools: "Read Bash(git add:*)"\n---\n',
    ],
    [
      'compatibility as a list',
      '---\nname: demo\ndescription: x\ncompatibility:\n- a\n- b\n---\n',
      '---\nname: demo\ndescription: x\ncompatibility: a, b\n---\n',
    ],
    [
      'blank lines and a byte-order mark at the start',
      '\uFEFF\n\n---\nname: demo\ndescription: x\n---\n',
      '---\nname: demo\ndescription: x\n---\n',
    ],
    [
      'a missing fence',
      '---\nname: demo\ndescription: x\n\n# Title\n\nText\n',
      '---\nname: demo\ndescription: x\n---\n\n# Title\n\nText\n',
    ],
    [
      'a missing fence at the end of the file',
      '---\nname: demo\ndescription: x',
      '---\nname: demo\ndescription: x\n---\n',
    ],
    [
      'a fence that ran into the heading',
      '---\nname: demo\ndescription: x\n---# Title\n',
      '---\nname: demo\ndescription: x\n---\n# Title\n',
    ],
    [
      'a field given twice with the same value',
      '---\nname: demo\ndescription: x\nname: "demo"\n---\n',
      '---\nname: demo\ndescription: x\n---\n',
    ],
    [
      'a file with CRLF line endings, which stay',
      '---\r\nname: demo\r\ndescription: a: b\r\n---\r\n\r\nB \r\n',
      '---\r\nname: demo\r\ndescription: "a: b"\r\n---\r\n\r\nB \r\n',
    ],
  ] as const)('repairs %s', ([, text, expected]) => {
    expect(
      validateText(DIR, text).errors.length + Number(text.includes('allowed-tools') || text.includes('\uFEFF')),
    ).toBeGreaterThan(0);
    expect(fixed(text)).toBe(expected);
    expect(validateText(DIR, expected)).toMatchObject({ ok: true });
    expect(fixText(expected, DIR)).toEqual({ text: expected, fixes: [] });
  });
});

describe('fixing a SKILL.md', () => {
  test.for([
    ['missing frontmatter', '# Title\n'],
    ['a name that differs from the folder’s', '---\nname: Demo Skill # n\ndescription: x\n---\n'],
    ['a missing description', '---\nname: demo\n---\n'],
    ['a description that is too long', `---\nname: demo\ndescription: ${'x'.repeat(1025)}\n---\n`],
    ['a field given twice with different values', '---\nname: demo\ndescription: x\ndescription: y\n---\n'],
    ['an unknown field', '---\nname: demo\ndescription: x\nauthor: Ann\n---\n'],
    ['a flag with an invalid value', '---\nname: demo\ndescription: x\nalways_present: maybe\n---\n'],
    ['an alias', '---\nname: demo\ndescription: &a x\nlicense: *a\n---\n'],
    ['hidden characters', '---\nname: demo\ndescription: x\n---\na\u202Eb\n'],
    ['a valid file', '---\nname: demo\ndescription: x\nmetadata: {a: {b: c}}\n---\n'],
    ['horizontal rules around text', '---\nSome text\n---\n'],
    [
      'a compatibility list that is too long',
      `---\nname: demo\ndescription: x\ncompatibility: [${'x'.repeat(501)}]\n---\n`,
    ],
    ['a list of tools whose names contain spaces', '---\nname: demo\ndescription: x\nallowed-tools: [a b]\n---\n'],
  ] as const)('does not change %s', ([, text]) => {
    expect(fixText(text, DIR)).toEqual({ text, fixes: [] });
  });

  test('does not change a name if the folder’s name is invalid, too', () => {
    const text = '---\nname: Demo\ndescription: x\n---\n';
    expect(fixText(text, '/skills/Demo_Skill')).toEqual({ text, fixes: [] });
  });
});

describe('fixing a SKILL.md for the specification alone', () => {
  test('moves other fields into metadata as text', () => {
    const text = `---
name: demo
description: x
version: 1.0 # v
tags: [machine learning]
triggers:
  keywords: [a]
globs: ["*.ts", "*.md"]
metadata:
  author: Ann # a
---
B
`;
    const moved = fixed(text, { spec: true });
    expect(validateText(DIR, moved, { spec: true })).toMatchObject({ ok: true });
    expect(moved).toBe(`---
name: demo
description: x
# v
metadata:
  author: Ann # a
  version: "1.0"
  tags: machine learning,
  triggers: "{\\"keywords\\":[\\"a\\"]}"
  globs: "*.ts, *.md"
---
B
`);
    expect(fixed(moved, { spec: true })).toBe(moved);
    expect(fixText(text, DIR, { spec: true }).fixes).toContainEqual({
      field: 'globs',
      message: 'move globs into metadata, where it is kept but has no effect',
    });
  });

  test('keeps a field if metadata has another value for it', () => {
    const text = '---\nname: demo\ndescription: x\nversion: 2\nmetadata:\n  version: 1\n---\n';
    expect(fixed(text, { spec: true })).toBe(text);
  });
});

test('fixing any SKILL.md adds no error, keeps the body, and changes nothing the second time', () => {
  fc.assert(
    fc.property(damagedYaml(), fc.boolean(), (yaml, spec) => {
      const body = '\n \n# Body \r\n\ttext  \n\n';
      const text = `---\n${yaml}---\n${body}`;
      const after = fixed(text, { spec });
      expect(fixed(after, { spec })).toBe(after);
      expect(after.endsWith(body)).toBe(true);
      expect(validateText(DIR, text, { spec }).ok && !validateText(DIR, after, { spec }).ok).toBe(false);
    }),
    { seed: 20261115, numRuns: propertyRuns(1_000) },
  );
});

/** The bench looks at all of them. */
const EVERY = 20;

describe('fixing real skills', () => {
  let files: readonly RealFile[] | undefined;

  test.for([false, true])('makes none of them invalid and alters no other content (--spec: %s)', (spec, { skip }) => {
    skip(CORPUS.length === 0, 'there are no real skills here; `npm run bench:corpus` fetches them');
    files ??= CORPUS.flatMap((path) => readLines(path)).filter((_, index) => index % EVERY === 0);
    const { invalid, becameValid, madeInvalid, unstable, altered } = countFixed(files, spec);
    expect({ madeInvalid, unstable, altered }).toEqual({ madeInvalid: 0, unstable: 0, altered: 0 });
    expect(becameValid / invalid).toBeGreaterThan(spec ? 0.5 : 0.01);
  });
});

test('fixing proposes no name that a skill may not have', () => {
  const text = '---\nname: demo\n\twith: @more text\n\t: and a colon\ndescription: x\n---\nB';
  expect(
    fixText(text, DIR)
      .fixes.map(({ field, message }) => `${field} ${message}`)
      .join('\n'),
  ).not.toMatch(/^name /m);
  expect(fixText('---\nname: demo\n\t"and: more" text\ndescription: x\n---\nB', DIR).fixes).toEqual([]);
});
