import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseConfig } from './parse-config.ts';

describe('a configuration', () => {
  test('has every setting of the seeds', () => {
    const text = `
# Skillplane
skills:
  enabled: true
  plugins:
    - url: "https://github.com/user/my-skill"
      name: "my-skill"
      enabled: true
      installedAt: "2024-01-05T10:30:00Z"
    - url: "https://github.com/user/another-skill"
      ref: "v1.0.0"
      enabled: false
      installedAt: 2024-01-04T15:20:00Z
  pluginsDir: "~/.agent/plugins"
  userDir: "~/.agent/skills"
  disabledBundled:
    - "gh"
  enabledBundled: []
  scriptTimeout: 30000
  customDirectories: [~/more, $TEAM/skills]
  ignoredSkills: ["draft-*"]
  includeSkills: [pdf]
  disabledSources: [claude]
  enabledSources: [cursor]
  enableSkillCommands: false
  disabled: [loud]
  usage: false
  sandbox: require
`;
    expect(parseConfig(text)).toEqual({
      ok: true,
      unknown: [],
      section: {
        enabled: true,
        plugins: [
          {
            url: 'https://github.com/user/my-skill',
            name: 'my-skill',
            enabled: true,
            installedAt: '2024-01-05T10:30:00Z',
          },
          {
            url: 'https://github.com/user/another-skill',
            ref: 'v1.0.0',
            enabled: false,
            installedAt: '2024-01-04T15:20:00Z',
          },
        ],
        pluginsDir: '~/.agent/plugins',
        userDir: '~/.agent/skills',
        disabledBundled: ['gh'],
        enabledBundled: [],
        scriptTimeout: 30_000,
        customDirectories: ['~/more', '$TEAM/skills'],
        ignoredSkills: ['draft-*'],
        includeSkills: ['pdf'],
        disabledSources: ['claude'],
        enabledSources: ['cursor'],
        enableSkillCommands: false,
        disabled: ['loud'],
        usage: false,
        sandbox: 'require',
      },
    });
  });

  test.each([
    '',
    '\n',
    '# only a comment\n',
    '---\n',
    'other: {a: 1}\n',
    'skills:\n',
    'skills: {}\n',
    '\uFEFFskills: {}\n',
  ])('that says nothing, %j, is valid', (text) => {
    expect(parseConfig(text)).toEqual({ ok: true, section: {}, unknown: [] });
  });

  test('a plugin that is a bare URL, as of old, is an enabled plugin', () => {
    const parsed = parseConfig('skills:\n  plugins:\n    - https://example.org/a\n    - url: https://example.org/b\n');
    expect(parsed).toMatchObject({
      section: {
        plugins: [
          { url: 'https://example.org/a', enabled: true },
          { url: 'https://example.org/b', enabled: true },
        ],
      },
    });
  });

  test('a setting with nothing behind it is not set', () => {
    const parsed = parseConfig('skills:\n  disabled:\n  enabled:\n  userDir: ~\n  plugins:\n');
    expect(parsed).toEqual({ ok: true, section: {}, unknown: [] });
  });

  test('a setting that nobody knows is named', () => {
    const parsed = parseConfig('skills:\n  disabld: [a]\n  enabled: false\n  more: 1\n');
    expect(parsed).toMatchObject({ ok: true, section: { enabled: false }, unknown: ['disabld', 'more'] });
  });

  test('names that YAML takes for numbers or truth values are names', () => {
    expect(parseConfig('skills:\n  disabled: [2048, true]\n')).toMatchObject({
      ok: true,
      section: { disabled: ['2048', 'true'] },
    });
  });
});

describe('a wrong configuration gives the line and the reason', () => {
  test.each([
    ['text', 1, 'must be a mapping'],
    ['- a\n', 1, 'must be a mapping'],
    ['# c\n\nskills: 5\n', 3, 'skills'],
    ['skills: []\n', 1, 'skills'],
    ['skills:\n  enabled: "yes"\n', 2, 'skills.enabled'],
    ['skills:\n  enabled: 1\n', 2, 'skills.enabled'],
    ['skills:\n  usage: "no"\n', 2, 'skills.usage'],
    ['skills:\n  sandbox: maybe\n', 2, 'skills.sandbox'],
    ['skills:\n  a: 1\n  disabled: pdf\n', 3, 'skills.disabled: must be a list'],
    ['skills:\n  disabled: {pdf: true}\n', 2, 'skills.disabled: must be a list'],
    ['skills:\n  customDirectories: ~/more\n', 2, 'skills.customDirectories: must be a list'],
    ['skills:\n  userDir: [a]\n', 2, 'skills.userDir'],
    ['skills:\n  userDir: 5\n', 2, 'skills.userDir'],
    ['skills:\n  scriptTimeout: 0\n', 2, 'skills.scriptTimeout'],
    ['skills:\n  scriptTimeout: -1\n', 2, 'skills.scriptTimeout'],
    ['skills:\n  scriptTimeout: 1.5\n', 2, 'skills.scriptTimeout'],
    ['skills:\n  scriptTimeout: 30s\n', 2, 'skills.scriptTimeout'],
    ['skills:\n  plugins: {}\n', 2, 'skills.plugins'],
    ['skills:\n  plugins:\n    - https://example.org/a\n    - ref: main\n', 4, 'skills.plugins.1'],
    ['skills:\n  plugins:\n    - 5\n', 3, 'skills.plugins.0'],
  ])('%j: line %i, %s', (text, line, reason) => {
    expect(parseConfig(text)).toEqual({
      ok: false,
      code: 'CONFIG_INVALID',
      line,
      message: expect.stringContaining(reason),
    });
  });

  test.each([
    ['a: 1\nskills: {disabled: [}\n', 2],
    ['skills:\n  disabled: [a\n', 3],
    ['a: b: c\n', 1],
    ['skills:\n\tenabled: true\n', 2],
    ['a: 1\nb: 2\na: 3\n', 3],
    ['skills: "open\n', 2],
    ['a: 1\n---\nb: 2\n', 2],
  ])('broken YAML %j: line %i', (text, line) => {
    const parsed = parseConfig(text);
    expect(parsed).toMatchObject({ ok: false, line });
    expect(!parsed.ok && parsed.message).not.toBe('');
  });

  test.each(['disabled', 'ignoredSkills', 'customDirectories', 'enabledBundled', 'disabledSources'])(
    'a list %s whose items are no names is wrong: none of them becomes "[object Object]" or "null"',
    (key) => {
      expect(parseConfig(`skills:\n  ${key}:\n    - a\n    - {b: 1}\n`)).toMatchObject({ ok: false, line: 4 });
      expect(parseConfig(`skills:\n  ${key}: [[a]]\n`)).toMatchObject({ ok: false, line: 2 });
      expect(parseConfig(`skills:\n  ${key}: [null]\n`)).toMatchObject({ ok: false, line: 2 });
    },
  );

  test('an alias to nothing is wrong, not a crash', () => {
    expect(parseConfig('a: 1\nskills:\n  disabled: *nope\n')).toMatchObject({ ok: false });
    expect(parseConfig('skills: *nope\n')).toMatchObject({ ok: false });
  });

  test('an alias bomb is wrong, not a crash', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const item = level === 0 ? 'x' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`;
    });
    expect(parseConfig(levels.join(''))).toMatchObject({ ok: false });
  });

  test('ten thousand brackets are wrong, not a crash', () => {
    expect(parseConfig(`skills: ${'['.repeat(10_000)}`)).toMatchObject({ ok: false });
    expect(parseConfig(`skills: ${'['.repeat(10_000)}${']'.repeat(10_000)}`)).toMatchObject({ ok: false });
  });
});

test('any text at all is a section or a line and a reason', () => {
  const fragment = fc.constantFrom(
    'skills:',
    '\n',
    '  ',
    '- ',
    'a',
    ': ',
    '*a',
    '&a ',
    '[',
    ']',
    '{',
    '}',
    '"',
    '|',
    '#',
    '?',
    '---',
    '!!x ',
    '<<: ',
    'disabled:',
    'plugins:',
    'enabled: ',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(fragment, { maxLength: 20 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (anything) => {
      const parsed = parseConfig(anything);
      const isAnswer = parsed.ok ? typeof parsed.section === 'object' : parsed.line >= 1 && parsed.message !== '';
      expect(isAnswer).toBe(true);
    }),
    { numRuns: 500, seed: 20261115 },
  );
});

test('a file beyond the limit is refused before it is parsed', () => {
  const text = `skills:\n  disabled: [${'a, '.repeat(30_000)}]\n`;
  expect(parseConfig(text)).toEqual({
    ok: false,
    code: 'CONFIG_INVALID',
    line: 1,
    message: 'is larger than 65536 bytes',
  });
});
