import { describe, expect, test } from 'vitest';

import { codes, fenced, flaw, parsed } from '../../test/support/parsed.ts';
import { EXTENSION_FIELDS, SPEC_FIELDS } from './manifest.ts';

const REQUIRED = 'name: demo\ndescription: Fills forms.';

/** The skill whose frontmatter has name and description and these lines. */
function withFields(lines: string, body?: string): ReturnType<typeof parsed> {
  return parsed(fenced(`${REQUIRED}\n${lines}`, body));
}

test('a skill with only name and description gets sensible defaults and no diagnostics', () => {
  const skill = parsed(fenced(REQUIRED));
  expect(skill).toEqual({
    id: 'demo',
    name: 'demo',
    isNamed: true,
    title: 'Title',
    description: 'Fills forms.',
    brief: 'Fills forms',
    tokens: 6,
    textDigest: expect.stringMatching(/^[0-9a-f]{32}$/),
    version: '1.0.0',
    domain: 'development',
    defaults: ['version', 'domain'],
    tags: [],
    license: undefined,
    compatibility: undefined,
    metadata: {},
    allowedTools: [],
    triggers: { keywords: [], verbs: [], patterns: [] },
    globs: [],
    pinned: false,
    hidden: false,
    userInvocable: true,
    defaultEnabled: true,
    toolsets: [],
    scripts: undefined,
    requires: [],
    creator: undefined,
    producerVersion: undefined,
    extra: {},
    dir: '/skills/demo',
    file: expect.stringMatching(/demo.SKILL\.md$/),
    diagnostics: [],
  });
});

test('a version or domain that a skill sets is not marked as a default, even if it equals the default', () => {
  expect(withFields('version: 1.0.0').defaults).toEqual(['domain']);
  expect(withFields('domain: development').defaults).toEqual(['version']);
  expect(withFields('metadata:\n  version: 1.0.0\ndomain: x').defaults).toBeUndefined();
});

test('the field when_to_use is added to the description and kept as a field of its own', () => {
  const skill = withFields('when_to_use: Use for tax forms.');
  expect(skill).toMatchObject({
    description: 'Fills forms.\nUse for tax forms.',
    brief: 'Fills forms',
    extra: { when_to_use: 'Use for tax forms.' },
    diagnostics: [],
  });
});

test('every known frontmatter field is read into the skill', () => {
  const skill = withFields(`brief_description: Forms
version: 2.10
domain: office
tags: [pdf, forms]
license: MIT
compatibility: Needs Python 3
metadata:
  author: me
  requires: gh git
allowed-tools: Bash(git add:*) Read
triggers:
  keywords: [pdf]
  verbs: [fill]
  patterns: ['fill .*']
globs: '*.pdf, *.fdf'
always_present: true
disable-model-invocation: true
user-invocable: false
default_enabled: false
toolsets:
  - tools.mjs:Forms
scripts:
  - scripts/fill.sh
creator: agent
producer_version: 0.1.0
argument-hint: "[file]"
hooks:
  before: [a, {b: c}]`);
  expect(skill).toMatchObject({
    brief: 'Forms',
    version: '2.10',
    domain: 'office',
    tags: ['pdf', 'forms'],
    license: 'MIT',
    compatibility: 'Needs Python 3',
    metadata: { author: 'me', requires: 'gh git' },
    allowedTools: ['Bash(git add:*)', 'Read'],
    triggers: { keywords: ['pdf'], verbs: ['fill'], patterns: ['fill .*'] },
    globs: ['*.pdf', '*.fdf'],
    pinned: true,
    hidden: true,
    userInvocable: false,
    defaultEnabled: false,
    toolsets: ['tools.mjs:Forms'],
    scripts: ['scripts/fill.sh'],
    requires: ['gh', 'git'],
    creator: 'agent',
    producerVersion: '0.1.0',
    extra: { 'argument-hint': '[file]', hooks: { before: ['a', { b: 'c' }] } },
    diagnostics: [],
  });
});

describe('the name of a skill', () => {
  test.each([
    ['demo', 'demo'],
    ['123', '123'],
    ['true', 'true'],
    ['1.0', '1.0'],
    ['12345678901234567890', '12345678901234567890'],
    ['" two  words "', 'two words'],
  ])('is read from the frontmatter: %s gives %j', (source, name) => {
    expect(parsed(fenced(`name: ${source}\ndescription: d`)).name).toBe(name);
  });

  test.each(['', 'name:\n', 'name: ~\n', 'name: ""\n', 'name: "  "\n'])(
    "is the directory's if the frontmatter has %j",
    (line) => {
      const skill = parsed(fenced(`${line}description: d`));
      expect(skill.name).toBe('demo');
      expect(skill.diagnostics).toEqual([]);
    },
  );

  test("is reported if it differs from the directory's, with both names", () => {
    const { severity, field, message } = flaw(parsed(fenced('name: other\ndescription: d')), 'NAME_MISMATCH');
    expect([severity, field]).toEqual(['info', 'name']);
    expect(message).toContain('"demo"');
    expect(message).toContain('"other"');
  });

  test('is used even if the specification does not allow it, and each fault is reported', () => {
    const skill = parsed(fenced('name: My--Skill\ndescription: d'));
    expect(skill.name).toBe('My--Skill');
    expect(skill.diagnostics.filter(({ code }) => code === 'INVALID_NAME')).toEqual([
      expect.objectContaining({ field: 'name', message: expect.stringContaining('lowercase') }),
      expect.objectContaining({ field: 'name', message: expect.stringContaining('consecutive hyphens') }),
    ]);
  });
});

describe('a field above a limit of the specification', () => {
  test.each([
    ['description', 1024, 'DESCRIPTION_TOO_LONG'],
    ['compatibility', 500, 'COMPATIBILITY_TOO_LONG'],
  ] as const)('is a warning when loading: %s with more than %i code points', (field, max, code) => {
    const of = (length: number): ReturnType<typeof parsed> => {
      const fields = field === 'description' ? 'name: demo' : REQUIRED;
      return parsed(fenced(`${fields}\n${field}: ${'😀'.repeat(length)}`));
    };
    expect(of(max).diagnostics).toEqual([]);
    expect(flaw(of(max + 1), code)).toMatchObject({ severity: 'warning', field });
    expect(of(max + 1)[field]).toBe('😀'.repeat(max + 1));
  });
});

describe('the brief line of a skill', () => {
  test('is brief_description if that is set', () => {
    expect(withFields('brief_description: Fill forms. Then sign them.').brief).toBe('Fill forms. Then sign them.');
  });

  test('has at most 80 characters', () => {
    expect(withFields(`brief_description: ${'x'.repeat(90)}`).brief).toBe(`${'x'.repeat(79)}…`);
    expect(parsed(fenced(`name: demo\ndescription: ${'x'.repeat(90)}`)).brief).toBe(`${'x'.repeat(79)}…`);
  });

  test('is the first sentence of the description, else of the body', () => {
    expect(parsed(fenced('name: demo\ndescription: Fill forms. Use when asked.')).brief).toBe('Fill forms');
    expect(parsed(fenced('name: demo', '# T\n\nDo this. Then that.\n')).brief).toBe('Do this');
  });
});

test('a skill without a description is loaded with a warning', () => {
  expect(flaw(parsed(fenced('name: demo')), 'DESCRIPTION_MISSING')).toMatchObject({
    severity: 'warning',
    field: 'description',
  });
});

describe('the title of a skill', () => {
  test.each([
    ['Intro\n\n# Real ##\n', 'Real'],
    ['```\n# no\n```\n\n# Yes\n', 'Yes'],
    ['No heading.\n', 'demo'],
    ['', 'demo'],
  ])('with the body %j is %j', (body, title) => {
    expect(parsed(fenced(REQUIRED, body)).title).toBe(title);
  });
});

test.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['x'.repeat(400), 100],
])('the tokens of the body %j are estimated as a quarter of its characters, rounded up', (body, tokens) => {
  expect(parsed(fenced(REQUIRED, body)).tokens).toBe(tokens);
});

describe('the version of a skill', () => {
  test.each([
    ['version: 1.0', '1.0'],
    ['version: 1.10\nmetadata:\n  version: 9', '1.10'],
    ['metadata:\n  version: 2.0', '2.0'],
    ['version:\nmetadata:\n  version: 2.0', '2.0'],
    ['metadata:\n  version:', '1.0.0'],
    ['license: MIT', '1.0.0'],
  ])('with the fields %j is %j', (lines, version) => {
    expect(withFields(lines).version).toBe(version);
  });
});

describe('the tags of a skill', () => {
  test.each([
    ['tags: [a, b]', ['a', 'b']],
    ['tags: a, b', ['a', 'b']],
    ['tags:\n  - a\n  - b', ['a', 'b']],
    ['metadata:\n  tags: a, b', ['a', 'b']],
    ['metadata:\n  tags: a b', ['a', 'b']],
    ['tags: [a, b]\nmetadata:\n  tags: b, c', ['a', 'b', 'c']],
    ['tags: []\nmetadata:\n  tags: c', ['c']],
    ['tags: [a, b, a]', ['a', 'b']],
    ['metadata:\n  tags: [a, b]', ['a', 'b']],
    ['metadata:\n  tags:\n    - a\n    - b', ['a', 'b']],
  ])('are merged from its top level and its metadata: %j', (lines, tags) => {
    expect(withFields(lines).tags).toEqual(tags);
  });
});

describe('the required commands of a skill', () => {
  test.each([
    ['gh git', ['gh', 'git']],
    ['gh, git', ['gh', 'git']],
    ['gh', ['gh']],
    ['""', []],
    ['[gh, git]', ['gh', 'git']],
  ])('may be separated by blanks or commas, or a list: %s', (source, requires) => {
    expect(withFields(`metadata:\n  requires: ${source}`).requires).toEqual(requires);
  });
});

describe('flags in the frontmatter', () => {
  test.each([
    ['always_present: true', { pinned: true }],
    ['alwaysApply: yes', { pinned: true }],
    ['always_present: false\nalwaysApply: true', { pinned: true }],
    ['alwaysApply: false', { pinned: false }],
    ['disable-model-invocation: on', { hidden: true }],
    ['user-invocable: "no"', { userInvocable: false }],
    ['default_enabled: 0', { defaultEnabled: false }],
    ['default_enabled:', { defaultEnabled: true }],
  ])('are read from %j', (lines, flags) => {
    expect(withFields(lines)).toMatchObject({ ...flags, diagnostics: [] });
  });
});

describe('triggers in the frontmatter', () => {
  test.each([
    ['triggers: [pdf, form]', { keywords: ['pdf', 'form'], verbs: [], patterns: [] }],
    ['triggers: pdf, form', { keywords: ['pdf', 'form'], verbs: [], patterns: [] }],
    ['triggers:\n  verbs: fill, sign', { keywords: [], verbs: ['fill', 'sign'], patterns: [] }],
    ['triggers:\n  patterns: "a{1,2}"', { keywords: [], verbs: [], patterns: ['a{1,2}'] }],
  ])('are read from %j', (lines, triggers) => {
    expect(withFields(lines)).toMatchObject({ triggers, diagnostics: [] });
  });

  test('keep a pattern that cannot be used, with a warning', () => {
    const patterns = ['fill .*', 'foo(?=bar)', `x${'y'.repeat(600)}`];
    const skill = withFields(`triggers: {keywords: [a], patterns: ${JSON.stringify(patterns)}}`);
    expect(skill.triggers).toEqual({ keywords: ['a'], verbs: [], patterns });
    expect(skill.diagnostics).toEqual(
      [
        '"foo(?=bar)" is not used: lookahead and lookbehind are not supported, because they can hang',
        `"x${'y'.repeat(79)}…" is not used: it may have at most 512 characters`,
      ].map((message) => ({
        code: 'PATTERN_REFUSED',
        severity: 'warning',
        field: 'triggers',
        message,
        path: skill.file,
      })),
    );
  });
});

describe('globs in the frontmatter', () => {
  test.each([
    ['"*.py, *.md"', ['*.py', '*.md']],
    ['"**/*.{ts,tsx}, *.md"', ['**/*.{ts,tsx}', '*.md']],
    ['["*.{ts,tsx}", "a,b"]', ['*.{ts,tsx}', 'a,b']],
  ])('are read from %s', (source, globs) => {
    expect(withFields(`globs: ${source}`)).toMatchObject({ globs, diagnostics: [] });
  });

  test('keep a glob that cannot be used, with a warning', () => {
    const long = '*'.repeat(513);
    const skill = withFields(`globs: ["*.py", "${long}"]`);
    expect(skill.globs).toEqual(['*.py', long]);
    expect(flaw(skill, 'PATTERN_REFUSED')).toMatchObject({ severity: 'warning', field: 'globs' });
  });
});

describe('the allowed tools of a skill', () => {
  test.each([
    ['Bash(git:*) Read', ['Bash(git:*)', 'Read']],
    ['Bash(git add:*), Read', ['Bash(git add:*)', 'Read']],
    ['[Read, "Bash(git add:*)"]', ['Read', 'Bash(git add:*)']],
    ['\n  - Read\n  - Write', ['Read', 'Write']],
  ])('are read from the list or text %s', (source, tools) => {
    expect(withFields(`allowed-tools: ${source}`).allowedTools).toEqual(tools);
  });
});

describe('a frontmatter value of the wrong type', () => {
  const text = ['name', 'description', 'license', 'compatibility', 'version', 'domain', 'brief_description', 'creator'];
  const more = ['producer_version', 'planck_version'];
  test.each([...text, ...more])(
    'is left out with a warning that names its field if %s is a list or a mapping',
    (field) => {
      const others = REQUIRED.split('\n').filter((line) => !line.startsWith(`${field}:`));
      for (const value of ['[a, b]', '{a: b}', '\n  - a', '\n  a: b']) {
        const skill = parsed(fenced([...others, `${field}: ${value}`].join('\n')));
        expect(flaw(skill, 'WRONG_TYPE')).toMatchObject({ severity: 'warning', field });
        expect(flaw(skill, 'WRONG_TYPE').message).toMatch(new RegExp(`^${field} must be .*; it is ignored$`));
        expect(JSON.stringify(skill)).not.toContain('[object Object]');
      }
    },
  );

  test.each(['tags', 'globs', 'toolsets', 'scripts', 'allowed-tools'])(
    'is left out with a warning if %s is a mapping or has items that are not text',
    (field) => {
      const mapping = withFields(`${field}: {a: b}`);
      expect(flaw(mapping, 'WRONG_TYPE')).toMatchObject({ severity: 'warning', field });
      const list = withFields(`${field}: [a, {b: c}, [d], ~]`);
      expect(flaw(list, 'WRONG_TYPE')).toMatchObject({ severity: 'warning', field });
      expect(JSON.stringify([mapping, list])).not.toContain('[object Object]');
    },
  );

  test.each(['always_present', 'alwaysApply', 'disable-model-invocation', 'user-invocable', 'default_enabled'])(
    'is left out with a warning if %s is not a flag',
    (field) => {
      for (const value of ['perhaps', '[true]', '{a: b}']) {
        expect(flaw(withFields(`${field}: ${value}`), 'WRONG_TYPE')).toMatchObject({ severity: 'warning', field });
      }
    },
  );

  test('is left out with a warning if metadata is not a mapping', () => {
    for (const value of ['text', '[a]']) {
      const skill = withFields(`metadata: ${value}`);
      expect(skill.metadata).toEqual({});
      expect(flaw(skill, 'WRONG_TYPE')).toMatchObject({ severity: 'warning', field: 'metadata' });
    }
  });

  test('is kept as JSON if it is nested in metadata', () => {
    const skill = withFields('metadata:\n  openclaw: {emoji: 1.0}\n  list: [a]');
    expect(skill.metadata).toEqual({ openclaw: '{"emoji":"1.0"}', list: '["a"]' });
    expect(skill.diagnostics.map(({ code, field }) => [code, field])).toEqual([
      ['WRONG_TYPE', 'metadata.openclaw'],
      ['WRONG_TYPE', 'metadata.list'],
    ]);
  });
});

describe('unknown frontmatter fields', () => {
  test('are kept in `extra` without a diagnostic', () => {
    const skill = withFields('model: opus\npaths: [a, b]\nx-team:\n  k: 1.0\n  n: ~');
    expect(skill.extra).toEqual({ model: 'opus', paths: ['a', 'b'], 'x-team': { k: '1.0', n: null } });
    expect(codes(skill)).toEqual([]);
  });

  test('include no known field except when_to_use', () => {
    const known = [...SPEC_FIELDS, ...EXTENSION_FIELDS].filter((field) => field !== 'when_to_use');
    const skill = parsed(fenced(known.map((field) => `${field}:`).join('\n')));
    expect(skill.extra).toEqual({});
  });

  test.each(['__proto__', 'constructor', 'prototype'])('named %s are dropped at every depth and reported', (key) => {
    const skill = withFields(`${key}:\n  polluted: yes\nmetadata:\n  ${key}: x\nother:\n  ${key}: {polluted: yes}`);
    expect(skill.extra).toEqual({ other: {} });
    expect(skill.metadata).toEqual({});
    expect(Object.getPrototypeOf(skill.extra)).toBe(Object.prototype);
    expect('polluted' in skill.extra).toBe(false);
    expect('polluted' in {}).toBe(false);
    expect(skill.diagnostics.map(({ code, field, line }) => [code, field, line])).toEqual([
      ['KEY_REFUSED', key, 4],
      ['KEY_REFUSED', key, 7],
      ['KEY_REFUSED', key, 9],
    ]);
  });

  test('may be named like other object members', () => {
    expect(withFields('toString: a\nhasOwnProperty: b').extra).toEqual({ toString: 'a', hasOwnProperty: 'b' });
  });
});
