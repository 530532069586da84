import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import type { SkillsSection } from '../model/config.ts';
import { parseConfig } from './parse-config.ts';

function sectionOf(text: string): SkillsSection | undefined {
  const parsed = parseConfig(text);
  return parsed.ok ? parsed.section : undefined;
}

describe('a config.yaml', () => {
  test('may contain every documented setting', () => {
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
  maxSkills: 5
  disabled: [loud]
  usage: false
  sandbox: require
`;
    expect(parseConfig(text)).toEqual({
      ok: true,
      faults: [],
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
        maxSkills: 5,
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
  ])('without settings is valid: %j', (text) => {
    expect(parseConfig(text)).toEqual({ ok: true, section: {}, faults: [], unknown: [] });
  });

  test('may list a plugin as a bare URL, which is enabled', () => {
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

  test('with an empty setting does not set it', () => {
    const parsed = parseConfig('skills:\n  disabled:\n  enabled:\n  userDir: ~\n  plugins:\n');
    expect(parsed).toEqual({ ok: true, section: {}, faults: [], unknown: [] });
  });

  test('with unknown settings is read, and they are reported', () => {
    const parsed = parseConfig('skills:\n  disabld: [a]\n  enabled: false\n  more: 1\n');
    expect(parsed).toMatchObject({
      ok: true,
      section: { enabled: false },
      unknown: [
        { key: 'disabld', line: 2, nearest: 'disabled' },
        { key: 'more', line: 4, nearest: undefined },
      ],
    });
  });

  test.each([
    ['ignoreSkills', 'ignoredSkills'],
    ['script_timeout', 'scriptTimeout'],
    ['timeout', 'scriptTimeout'],
    ['SANDBOX', 'sandbox'],
    ['enableClaudUser', 'enableClaudeUser'],
    ['enableGeminiUser', undefined],
  ])('with the unknown setting %s gets the suggestion %s', (key, nearest) => {
    expect(parseConfig(`skills:\n  ${key}:\n    - a\n`)).toMatchObject({ unknown: [{ key, line: 2, nearest }] });
  });

  test('with thousands of unknown settings is read quickly', () => {
    const keys = Array.from({ length: 8_000 }, (_, at) => `k${at}`);
    const parsed = parseConfig(`skills: {${keys.join(': ,')}: }\n`);
    expect(parsed.ok && parsed.unknown.map(({ key }) => key)).toEqual(keys);
  });

  test.each([
    ['enableClaudeUser', ['claude-user']],
    ['enableClaudeProject', ['claude-project']],
    ['enableCodexUser', ['codex-user']],
    ['enablePiUser', ['pi-user', 'omp-user']],
    ['enablePiProject', ['pi-project', 'omp-project']],
  ])('may turn sources on or off with %s', (key, sources) => {
    const text = (value: string): string =>
      `skills:\n  disabledSources: [a]\n  ${key}: ${value}\n  enabledSources: [b]\n`;
    expect(parseConfig(text('false'))).toMatchObject({ faults: [], unknown: [] });
    expect(sectionOf(text('false'))).toMatchObject({ disabledSources: ['a', ...sources], enabledSources: ['b'] });
    expect(sectionOf(text('true'))).toMatchObject({ disabledSources: ['a'], enabledSources: ['b', ...sources] });
    expect(sectionOf(text(''))).toMatchObject({ disabledSources: ['a'], enabledSources: ['b'] });
    expect(sectionOf(text('nope'))).toMatchObject({ disabledSources: ['a', ...sources] });
    expect(parseConfig(text('nope'))).toMatchObject({
      faults: [{ setting: key, line: 3, message: expect.stringContaining('using false until you fix it') }],
    });
  });

  test('with every source switch off turns off the sources without a switch, too', () => {
    const keys = ['enableClaudeUser', 'enableClaudeProject', 'enableCodexUser', 'enablePiUser', 'enablePiProject'];
    const text = `skills:\n${keys.map((key) => `  ${key}: false\n`).join('')}`;
    expect(sectionOf(text)?.disabledSources).toEqual(expect.arrayContaining(['agents', 'claude-plugins']));
    expect(sectionOf(text.replace('false', 'true'))?.disabledSources).not.toContain('agents');
  });

  test.each([
    ['30000', 30_000],
    ['60s', 60_000],
    ['2m', 120_000],
    ['500ms', 500],
    ['"1h"', 3_600_000],
  ])('may have scriptTimeout: %s', (text, scriptTimeout) => {
    expect(parseConfig(`skills:\n  scriptTimeout: ${text}\n`)).toMatchObject({
      faults: [],
      section: { scriptTimeout },
    });
  });

  test('may contain names that YAML reads as numbers or booleans', () => {
    expect(parseConfig('skills:\n  disabled: [2048, true]\n')).toMatchObject({
      ok: true,
      section: { disabled: ['2048', 'true'] },
    });
  });
});

describe('an invalid config.yaml', () => {
  test.each([
    ['text', 1, 'must be a mapping'],
    ['- a\n', 1, 'must be a mapping'],
    ['# c\n\nskills: 5\n', 3, 'skills'],
    ['skills: []\n', 1, 'skills'],
  ])('is refused with line and reason: %j, line %i, %s', (text, line, reason) => {
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
  ])('is refused with the line of broken YAML: %j, line %i', (text, line) => {
    const parsed = parseConfig(text);
    expect(parsed).toMatchObject({ ok: false, line });
    expect(!parsed.ok && parsed.message).not.toBe('');
  });

  test('is refused without a crash if it has an unknown alias', () => {
    expect(parseConfig('a: 1\nskills:\n  disabled: *nope\n')).toMatchObject({ ok: false });
    expect(parseConfig('skills: *nope\n')).toMatchObject({ ok: false });
  });

  test('is refused without a crash if it is an alias bomb', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const item = level === 0 ? 'x' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`;
    });
    expect(parseConfig(levels.join(''))).toMatchObject({ ok: false });
  });

  test('is refused without a crash if it has ten thousand brackets', () => {
    expect(parseConfig(`skills: ${'['.repeat(10_000)}`)).toMatchObject({ ok: false });
    expect(parseConfig(`skills: ${'['.repeat(10_000)}${']'.repeat(10_000)}`)).toMatchObject({ ok: false });
  });
});

describe('a wrong value in config.yaml', () => {
  test.each([
    ['skills:\n  enabled: "yes"\n', 2, 'skills.enabled'],
    ['skills:\n  enabled: 1\n', 2, 'skills.enabled'],
    ['skills:\n  usage: "no"\n', 2, 'skills.usage'],
    ['skills:\n  sandbox: maybe\n', 2, 'skills.sandbox'],
    ['skills:\n  a: 1\n  disabled: pdf\n', 3, 'skills.disabled: must be a list'],
    ['skills:\n  disabled: {pdf: true}\n', 2, 'skills.disabled: must be a list'],
    ['skills:\n  customDirectories: ~/more\n', 2, 'skills.customDirectories: must be a list'],
    ['skills:\n  maxSkills: -1\n', 2, 'skills.maxSkills: must not be negative'],
    ['skills:\n  maxSkills: 1.5\n', 2, 'skills.maxSkills: must be a whole number'],
    ['skills:\n  maxSkills: many\n', 2, 'skills.maxSkills: must be a whole number'],
    ['skills:\n  userDir: [a]\n', 2, 'skills.userDir'],
    ['skills:\n  userDir: 5\n', 2, 'skills.userDir'],
    ['skills:\n  scriptTimeout: 0\n', 2, 'skills.scriptTimeout'],
    ['skills:\n  scriptTimeout: -1\n', 2, 'skills.scriptTimeout'],
    ['skills:\n  scriptTimeout: 1.5\n', 2, 'skills.scriptTimeout'],
    ['skills:\n  scriptTimeout: 30 seconds\n', 2, 'skills.scriptTimeout: must be a time such as 60s'],
    ['skills:\n  scriptTimeout: 52w\n', 2, 'skills.scriptTimeout'],
    ['skills:\n  plugins: {}\n', 2, 'skills.plugins'],
    ['skills:\n  plugins:\n    - https://example.org/a\n    - ref: main\n', 4, 'skills.plugins.1'],
    ['skills:\n  plugins:\n    - 5\n', 3, 'skills.plugins.0'],
  ])('is reported with line and reason: %j, line %i, %s', (text, line, reason) => {
    expect(parseConfig(text)).toMatchObject({ ok: true, faults: [{ line, message: expect.stringContaining(reason) }] });
  });

  test('is reported together with all others, each with its own line', () => {
    const text = 'skills:\n  enabled: maybe\n  disabled:\n    - a\n    - [b]\n    - null\n  scriptTimeout: soon\n';
    const parsed = parseConfig(text);
    expect(parsed.ok && parsed.faults.map(({ setting, line }) => [setting, line])).toEqual([
      ['enabled', 2],
      ['disabled', 5],
      ['disabled', 6],
      ['scriptTimeout', 7],
    ]);
  });

  test('is reported in a few lines even if a list has thousands', () => {
    const parsed = parseConfig(`skills:\n  disabled: [${'[], '.repeat(5_000)}pdf]\n`);
    const faults = parsed.ok ? parsed.faults : [];
    expect(faults).toHaveLength(20);
    expect(faults.at(-1)?.message).toContain('and 4980 more');
    expect(parsed).toMatchObject({ section: { disabled: ['pdf'] } });
  });
});

describe('a wrong value in config.yaml', () => {
  test.each([
    ['scriptTimeout: soon', {}],
    ['maxSkills: many', {}],
    ['userDir: 5', {}],
    ['agentSkillsDir: [a]', {}],
    ['pluginsDir: {a: 1}', {}],
    ['enabled: maybe', { enabled: false }],
    ['usage: "no"', { usage: false }],
    ['enableSkillCommands: never', { enableSkillCommands: false }],
    ['sandbox: please', { sandbox: 'require' }],
    ['sandbox: false', { sandbox: 'require' }],
  ])('is ignored or read as the strictest value, without affecting other settings: %s', (line, expected) => {
    expect(parseConfig(`skills:\n  ${line}\n  enabledSkills: [kept]\n`)).toMatchObject({ faults: [{ line: 2 }] });
    expect(sectionOf(`skills:\n  ${line}\n  enabledSkills: [kept]\n`)).toEqual({
      ...expected,
      enabledSkills: ['kept'],
    });
  });

  test.each(['disabled', 'ignoredSkills', 'disabledSources', 'disabledBundled'])(
    'in the list %s, which disables, keeps every name',
    (key) => {
      expect(sectionOf(`skills:\n  ${key}: pdf\n`)).toEqual({ [key]: ['pdf'] });
      expect(sectionOf(`skills:\n  ${key}: {pdf: true, gh: true}\n`)).toEqual({ [key]: ['pdf', 'gh'] });
      expect(sectionOf(`skills:\n  ${key}:\n    - a\n    - pdf: too loud\n    - [b, 5]\n    - null\n`)).toEqual({
        [key]: ['a', 'pdf', 'b', '5'],
      });
      expect(sectionOf(`skills:\n  ${key}: [null]\n`)).toEqual({ [key]: [] });
    },
  );

  test.each(['enabledSkills', 'enabledSources', 'customDirectories'])(
    'in the list %s, which enables, keeps only valid entries',
    (key) => {
      expect(sectionOf(`skills:\n  ${key}: [a, {b: 1}, [c], d]\n`)).toEqual({ [key]: ['a', 'd'] });
      expect(sectionOf(`skills:\n  ${key}: a\n`)).toEqual({ [key]: [] });
    },
  );

  test.each(['includeSkills', 'enabledBundled'])('in %s allows its valid entries, or nothing if it has none', (key) => {
    expect(sectionOf(`skills:\n  ${key}: [a, {b: 1}]\n`)).toEqual({ [key]: ['a'] });
    expect(sectionOf(`skills:\n  ${key}: a\n`)).toEqual({ [key]: ['a'] });
    expect(sectionOf(`skills:\n  ${key}: {a: true}\n`)).toEqual({ [key]: [''] });
    expect(sectionOf(`skills:\n  ${key}: [{a: true}]\n`)).toEqual({ [key]: [''] });
  });

  test('in a plugin entry disables that plugin and no other', () => {
    const good = '    - url: https://example.org/good\n';
    expect(
      sectionOf(`skills:\n  plugins:\n    - {url: https://example.org/a, ref: v1, enabled: "no"}\n${good}    - 5\n`),
    ).toEqual({
      plugins: [
        { url: 'https://example.org/a', ref: 'v1', enabled: false },
        { url: 'https://example.org/good', enabled: true },
      ],
    });
    expect(sectionOf('skills:\n  plugins: {pdf: {enabled: false}}\n')).toMatchObject({
      plugins: [{ name: 'pdf', enabled: false }],
    });
    expect(sectionOf('skills:\n  plugins: https://example.org/pdf\n')).toMatchObject({
      plugins: [{ url: 'https://example.org/pdf', enabled: false }],
    });
  });

  test.each([
    ['disabled: pdf', 'skills.disabled: must be a list; these entries apply: pdf'],
    ['enabled: maybe', 'skills.enabled: must be true or false; using false until you fix it'],
    ['sandbox: on', 'skills.sandbox: must be off, auto or require; using require until you fix it'],
    [
      'auditFailOn: hihg',
      'skills.auditFailOn: must be one of never, critical, high, medium, low, info; using info until you fix it',
    ],
    ['includeSkills: {}', 'skills.includeSkills: must be a list; nothing is allowed until you fix it'],
    ['userDir: 5', 'skills.userDir: must be text; this value is ignored'],
  ])('is reported with what applies until it is fixed: %s', (line, message) => {
    expect(parseConfig(`skills:\n  ${line}\n`)).toMatchObject({ faults: [{ message }] });
  });
});

test('parsing any text as config.yaml returns settings or an error with its line', () => {
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
    { numRuns: propertyRuns(500), seed: 20261115 },
  );
});

test('a config.yaml above the size limit is refused before it is parsed', () => {
  const text = `skills:\n  disabled: [${'a, '.repeat(30_000)}]\n`;
  expect(parseConfig(text)).toEqual({
    ok: false,
    code: 'CONFIG_INVALID',
    line: 1,
    message: 'is larger than 65536 bytes',
  });
});
