import { describe, expect, test } from 'vitest';

import { memoryFolder } from '../../../test/support/memory-folder.ts';
import { fenced } from '../../../test/support/parsed.ts';
import { EXTENSION_FIELDS } from '../manifest.ts';
import { validateFolder, type ValidateOptions } from './validate.ts';
import type { Validation } from './validation.ts';

const VALID = 'name: demo\ndescription: Fills forms.';

function validate(content: string | Uint8Array, options?: ValidateOptions): Validation {
  return validateFolder(memoryFolder({ 'SKILL.md': content }), options);
}

/** The findings, short: code and field. */
function errorsOf(content: string | Uint8Array, options?: ValidateOptions): readonly (string | undefined)[][] {
  return validate(content, options).errors.map(({ code, field }) => [code, field]);
}

describe('a valid skill', () => {
  test.each([
    ['only the required fields', VALID],
    [
      'every field of the specification',
      `${VALID}\nlicense: MIT\ncompatibility: Node\nallowed-tools: Read\nmetadata:\n  a: b`,
    ],
    ['a number as a version in metadata', `${VALID}\nmetadata:\n  version: 1.0`],
    ['a quoted colon', 'name: demo\ndescription: "Use when: asked"'],
  ])('with %s has no findings, in spec mode as well', (_, yaml) => {
    const expected = { path: '/skills/demo', ok: true, errors: [], warnings: [] };
    expect(validate(fenced(yaml))).toEqual(expected);
    expect(validate(fenced(yaml), { spec: true })).toEqual(expected);
  });

  test('may have no body', () => {
    expect(validate(`---\n${VALID}\n---`, { spec: true }).ok).toBe(true);
  });

  test('may have CRLF line ends', () => {
    expect(validate(fenced(VALID).replaceAll('\n', '\r\n'), { spec: true }).ok).toBe(true);
  });

  test('in skill.md is valid with a warning', () => {
    expect(validateFolder(memoryFolder({ 'skill.md': fenced(VALID) }))).toEqual({
      path: '/skills/demo',
      ok: true,
      errors: [],
      warnings: [{ code: 'FILE_NAME_CASE', field: undefined, message: expect.stringContaining('rename skill.md') }],
    });
  });
});

test('validating warns about a trigger pattern that cannot be used, and the skill is still valid', () => {
  const yaml = `${VALID}\ntriggers: {patterns: ["(a)\\\\1", "b"]}`;
  expect(validate(fenced(yaml))).toMatchObject({
    ok: true,
    errors: [],
    warnings: [
      {
        code: 'PATTERN_REFUSED',
        field: 'triggers',
        message: '"(a)\\1" is not used: backreferences are not supported, because they can hang',
      },
    ],
  });
});

test('validating reports all errors at once: fields, name, description, compatibility, extensions', () => {
  const yaml = `compatibility: ${'x'.repeat(501)}
description: ${'x'.repeat(1025)}
tags: {a: b}
default_enabled: perhaps
zeta: 1
alpha: 2
name: -My__Skill`;
  const errors = [
    ['UNKNOWN_FIELD', 'alpha'],
    ['INVALID_NAME', 'name'],
    ['INVALID_NAME', 'name'],
    ['INVALID_NAME', 'name'],
    ['NAME_MISMATCH', 'name'],
    ['DESCRIPTION_TOO_LONG', 'description'],
    ['COMPATIBILITY_TOO_LONG', 'compatibility'],
  ];
  const extensions = [
    ['WRONG_TYPE', 'tags'],
    ['WRONG_TYPE', 'default_enabled'],
  ];
  expect(errorsOf(fenced(yaml))).toEqual([...errors, ...extensions]);
  expect(errorsOf(fenced(yaml), { spec: true })).toEqual(errors);
});

describe('when validating, frontmatter fields', () => {
  test('that are our extensions are allowed, and are one error in spec mode', () => {
    const yaml = `${VALID}\n${EXTENSION_FIELDS.map((field) => `${field}:`).join('\n')}`;
    expect(validate(fenced(yaml))).toMatchObject({ ok: true, warnings: [] });
    const { errors } = validate(fenced(yaml), { spec: true });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: 'UNKNOWN_FIELD', field: [...EXTENSION_FIELDS].sort()[0] });
    expect(errors[0]?.message).toContain(`unexpected fields: ${[...EXTENSION_FIELDS].sort().join(', ')}`);
  });

  test('of other agents are a warning, and an error in spec mode', () => {
    const text = fenced(`${VALID}\nargument-hint: "[file]"\nmodel: opus`);
    expect(validate(text)).toMatchObject({
      ok: true,
      warnings: [
        { code: 'UNKNOWN_FIELD', field: 'argument-hint' },
        { code: 'UNKNOWN_FIELD', field: 'model' },
      ],
    });
    expect(errorsOf(text, { spec: true })).toEqual([['UNKNOWN_FIELD', 'argument-hint']]);
  });

  test('that are unknown are one error that names them all', () => {
    expect(validate(fenced(`${VALID}\nzeta: 1\nalpha: 2`)).errors[0]?.message).toBe(
      'the frontmatter has unexpected fields: alpha, zeta',
    );
  });

  test.each([{ spec: false }, { spec: true }])(
    'that are duplicate or refused are errors with their line, with the options %j',
    (options) => {
      const text = fenced(`${VALID}\nname: two\n__proto__: x\nconstructor: y`);
      expect(validate(text, options).errors).toMatchObject([
        { code: 'DUPLICATE_KEY', field: 'name', message: expect.stringContaining('invalid YAML in line 4') },
        { code: 'KEY_REFUSED', field: '__proto__', message: expect.stringContaining('line 5') },
        { code: 'KEY_REFUSED', field: 'constructor', message: expect.stringContaining('line 6') },
      ]);
    },
  );
});

describe('validating name, description, compatibility and license', () => {
  test.for([
    ['description: d', 'NAME_MISSING', 'name', 'missing required field: name'],
    ['name:\ndescription: d', 'WRONG_TYPE', 'name', 'must be non-empty text'],
    ['name: " "\ndescription: d', 'WRONG_TYPE', 'name', 'must be non-empty text'],
    ['name: [demo]\ndescription: d', 'WRONG_TYPE', 'name', 'must be non-empty text'],
    ['name: demo', 'DESCRIPTION_MISSING', 'description', 'missing required field: description'],
    ['name: demo\ndescription: ""', 'WRONG_TYPE', 'description', 'must be non-empty text'],
    ['name: demo\ndescription: ~', 'WRONG_TYPE', 'description', 'must be non-empty text'],
    ['name: demo\ndescription: {a: b}', 'WRONG_TYPE', 'description', 'must be non-empty text'],
    [
      `name: demo\ndescription: ${'é'.repeat(1025)}`,
      'DESCRIPTION_TOO_LONG',
      'description',
      'exceeds the 1024 character limit',
    ],
    [
      `${VALID}\ncompatibility: ${'é'.repeat(501)}`,
      'COMPATIBILITY_TOO_LONG',
      'compatibility',
      'exceeds the 500 character limit',
    ],
    [`${VALID}\ncompatibility: [a]`, 'WRONG_TYPE', 'compatibility', 'must be non-empty text'],
    [`${VALID}\ncompatibility: ""`, 'WRONG_TYPE', 'compatibility', 'must be non-empty text'],
    [`${VALID}\nlicense: [MIT]`, 'WRONG_TYPE', 'license', 'license must be text'],
    ['name: other\ndescription: d', 'NAME_MISMATCH', 'name', 'must match skill name "other"'],
  ] as const)('reports exactly one error for %j', ([yaml, code, field, words]) => {
    for (const spec of [false, true]) {
      expect(validate(fenced(yaml), { spec }).errors).toMatchObject([
        { code, field, message: expect.stringContaining(words) },
      ]);
    }
  });

  test('reports metadata that is no mapping of names to text, if only the specification counts', () => {
    for (const [yaml, field] of [
      ['metadata: {a: [1, 2]}', 'metadata.a'],
      ['metadata: {a: {b: c}, d: e}', 'metadata.a'],
      ['metadata: [a]', 'metadata'],
    ] as const)
      expect(validate(fenced(`${VALID}\n${yaml}`), { spec: true }).errors).toMatchObject([
        { code: 'WRONG_TYPE', field, message: expect.stringContaining('to text') },
      ]);
    expect(validate(fenced(`${VALID}\nmetadata: {a: 1.0, b: , c: d}`), { spec: true }).errors).toEqual([]);
  });

  test('counts lengths in code points', () => {
    const yaml = `name: demo\ndescription: ${'😀'.repeat(1024)}\ncompatibility: ${'😀'.repeat(500)}`;
    expect(validate(fenced(yaml), { spec: true }).ok).toBe(true);
  });

  test('compares the name with the directory after NFKC', () => {
    const folder = memoryFolder(
      { 'SKILL.md': fenced('name: cafe\u0301\ndescription: d') },
      { dir: '/skills/caf\u00e9' },
    );
    expect(validateFolder(folder, { spec: true }).errors).toEqual([]);
  });
});

describe('validating a field of the wrong type', () => {
  test.each([
    ['tags: {a: b}', 'tags'],
    ['always_present: perhaps', 'always_present'],
    ['triggers:\n  verbs: {a: b}', 'triggers.verbs'],
    ['metadata: text', 'metadata'],
    ['license: [a]', 'license'],
    ['allowed-tools: {a: b}', 'allowed-tools'],
  ])('reports an error for %j', (lines, field) => {
    expect(validate(fenced(`${VALID}\n${lines}`)).errors).toMatchObject([
      { code: 'WRONG_TYPE', field, message: expect.stringMatching(/ must be (?!.*ignored)/) },
    ]);
  });

  test('reports a warning for a nested value in metadata', () => {
    expect(validate(fenced(`${VALID}\nmetadata:\n  a: [b]`))).toMatchObject({
      ok: true,
      warnings: [{ code: 'WRONG_TYPE', field: 'metadata.a' }],
    });
  });
});

describe('validating recovers nothing:', () => {
  test.each([{ spec: false }, { spec: true }])(
    'after invalid YAML the other fields are still checked, with the options %j',
    (options) => {
      const text = fenced('name: other\ndescription: Use: it\ncompatibility: ""\nzeta: 1');
      expect(errorsOf(text, options)).toEqual([
        ['YAML_INVALID', 'description'],
        ['UNKNOWN_FIELD', 'zeta'],
        ['NAME_MISMATCH', 'name'],
        ['WRONG_TYPE', 'compatibility'],
      ]);
    },
  );

  test('what loading would recover is an error with the line and the fix', () => {
    expect(validate(fenced('name: demo\ndescription: Use when: asked\ntags: [a] [b]')).errors).toMatchObject([
      {
        code: 'YAML_INVALID',
        field: 'description',
        message: expect.stringMatching(
          /^invalid YAML in line 3: .*; write line 3 as description: "Use when: asked", and line 4 as tags: "\[a\] \[b\]"$/,
        ),
      },
    ]);
  });

  test.for([
    ['a leading *', 'name: demo\ndescription: *all', 'invalid YAML in line 3', 'line 3 as description: "*all"'],
    ['a tab', `${VALID}\nmetadata:\n\ta: b`, 'invalid YAML in line 5', 'Tabs'],
    ['a bracket', 'name: [invalid', 'invalid YAML', 'line 2 as name: "[invalid"'],
    ['a key without its blank', 'name:demo\ndescription: d', 'invalid YAML', 'line 2 as name: "demo"'],
  ] as const)('%s is an error with the line and the fix', ([, yaml, words, remedy]) => {
    const { ok, errors } = validate(fenced(yaml), { spec: true });
    expect(ok).toBe(false);
    expect(errors[0]?.message).toContain(words);
    expect(errors[0]?.message).toContain(remedy);
  });

  test.for([
    ['no frontmatter', 'Text', 'FRONTMATTER_MISSING', 'must start with'],
    ['an empty file', '', 'FRONTMATTER_MISSING', 'must start with'],
    ['frontmatter that is not closed', '---\nname: demo\n', 'FRONTMATTER_NOT_CLOSED', 'not properly closed'],
    ['a list', fenced('- a'), 'FRONTMATTER_NOT_MAPPING', 'must be a mapping'],
    ['an alias', fenced('name: &a demo\ndescription: *a'), 'ALIAS_REFUSED', 'invalid YAML in line 3'],
    [
      'frontmatter of more than 32 KiB',
      fenced(`x: ${'a'.repeat(65_536)}`),
      'FRONTMATTER_TOO_LARGE',
      'exceeds 32768 bytes',
    ],
    ['a file of more than 1 MiB', 'a'.repeat(1024 * 1024 + 1), 'FILE_UNREADABLE', 'larger than 1048576 bytes'],
    ['UTF-16', Buffer.from(`\uFEFF${fenced(VALID)}`, 'utf16le'), 'INVALID_ENCODING', 'not valid UTF-8'],
    [
      'Latin-1',
      Buffer.from(fenced('name: demo\ndescription: caf\u00e9'), 'latin1'),
      'INVALID_ENCODING',
      'not valid UTF-8',
    ],
    ['2,000 dashes', fenced('- '.repeat(2_000)), 'YAML_INVALID', 'nested too deeply'],
  ] as const)('%s is one error', ([, content, code, words]) => {
    for (const spec of [false, true]) {
      expect(validate(content, { spec })).toMatchObject({
        path: '/skills/demo',
        ok: false,
        errors: [{ code, field: undefined, message: expect.stringContaining(words) }],
        warnings: [],
      });
    }
  });

  test.each([
    ['blank lines', `\n\n${fenced(VALID)}`],
    ['a byte-order mark', `\uFEFF${fenced(VALID)}`],
  ])('%s before the fence is an error in spec mode, else a warning', (_, text) => {
    expect(validate(text, { spec: true })).toMatchObject({
      ok: false,
      errors: [{ code: 'FRONTMATTER_MISSING', message: expect.stringContaining('must start with') }],
    });
    const { ok, warnings } = validate(text);
    expect(ok).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(['FRONTMATTER_MISSING']);
  });
});

describe('when validating, invisible characters', () => {
  const text = fenced('name: demo\ndescription: d\u200B\u{E0041}\u202E');

  test('are errors if they can only deceive, else warnings', () => {
    const { errors, warnings } = validate(text);
    expect(errors.map(({ code, message }) => [code, message.slice(0, 21)])).toEqual([
      ['INVISIBLE_CHARACTER', 'U+E0041 at offset 30 '],
      ['INVISIBLE_CHARACTER', 'U+202E at offset 32 i'],
    ]);
    expect(warnings).toMatchObject([
      { code: 'INVISIBLE_CHARACTER', field: undefined, message: expect.stringContaining('U+200B at offset 29 ') },
    ]);
  });

  test('are warnings in spec mode', () => {
    const { ok, warnings } = validate(text, { spec: true });
    expect([ok, warnings.length]).toEqual([true, 3]);
  });
});

describe('validating a folder', () => {
  test.for([
    ['that is missing', memoryFolder({}, { state: 'missing' }), 'PATH_NOT_FOUND', 'does not exist'],
    ['that is a file', memoryFolder({}, { state: 'not-directory' }), 'PATH_NOT_DIRECTORY', 'not a directory'],
    ['that has no SKILL.md', memoryFolder({ 'README.md': '' }), 'SKILL_FILE_MISSING', 'missing required file'],
  ] as const)('%s gives one error', ([, folder, code, words]) => {
    for (const spec of [false, true]) {
      expect(validateFolder(folder, { spec })).toMatchObject({
        path: '/skills/demo',
        ok: false,
        errors: [{ code, field: undefined, message: expect.stringContaining(words) }],
        warnings: [],
      });
    }
  });
});

describe('validating gives advice:', () => {
  test.each(['1', '1.0', 'v1.2.3', '1.2.3-beta.1+5', '2026-07-28'])('the version %s is accepted', (version) => {
    expect(validate(fenced(`${VALID}\nversion: ${version}`)).warnings).toEqual([]);
  });

  test.each(['latest', 'one', '"1.0 (draft)"', '1.2.3.4.5', '""'])('the version %s gets a warning', (version) => {
    expect(validate(fenced(`${VALID}\nversion: ${version}`))).toMatchObject({
      ok: true,
      warnings: [{ code: 'VERSION_INVALID', field: 'version' }],
    });
    expect(validate(fenced(`${VALID}\nmetadata:\n  version: ${version}`), { spec: true })).toMatchObject({
      ok: true,
      warnings: [{ code: 'VERSION_INVALID', field: 'metadata.version' }],
    });
  });

  test('instructions of more than 5,000 tokens get a warning', () => {
    const withBody = (length: number): Validation => validate(`---\n${VALID}\n---\n\n${'x'.repeat(length)}\n`);
    expect(withBody(20_000).warnings).toEqual([]);
    expect(withBody(20_001)).toMatchObject({
      ok: true,
      warnings: [{ code: 'INSTRUCTIONS_TOO_LONG', message: expect.stringContaining('5001 tokens') }],
    });
  });
});
