import { describe, expect, test } from 'vitest';

import type { SkillsConfig, SkillsSection } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { readEnvironment } from '../platform/environment.ts';
import { mergeSections } from './merge.ts';

const environment = readEnvironment({ cwd: '/project', home: '/home/ann', env: {} });

function merge(
  user: SkillsSection,
  project: SkillsSection,
): { config: SkillsConfig; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const config = mergeSections(
    { section: user, file: '/home/ann/.agent/config.yaml' },
    { section: project, file: '/project/.agent/config.yaml' },
    { environment, diagnostics },
  );
  return { config, diagnostics };
}

test('where nothing is said, the defaults hold', () => {
  expect(merge({}, {})).toEqual({
    diagnostics: [],
    config: {
      enabled: true,
      plugins: [],
      pluginsDir: '/home/ann/.agent/plugins',
      userDir: '/home/ann/.agent/skills',
      agentSkillsDir: '/home/ann/.agent/skills',
      disabledBundled: [],
      enabledBundled: [],
      scriptTimeout: 60_000,
      customDirectories: [],
      ignoredSkills: [],
      includeSkills: [],
      disabledSources: [],
      enabledSources: [],
      enableSkillCommands: true,
      enableCommandFiles: true,
      maxSkills: 3,
      disabled: [],
      enabledSkills: [],
      pinned: [],
      usage: true,
      sandbox: 'auto',
    },
  });
});

describe('the project’s section over the user’s', () => {
  test.each([
    'disabled',
    'disabledBundled',
    'ignoredSkills',
    'disabledSources',
    'enabledSources',
    'enabledSkills',
    'pinned',
  ] as const)('both lists of %s hold, each item once', (key) => {
    expect(merge({ [key]: ['a', 'b'] }, { [key]: ['b', 'c'] }).config[key]).toEqual(['a', 'b', 'c']);
    expect(merge({ [key]: ['a'] }, { [key]: [] }).config[key]).toEqual(['a']);
    expect(merge({ [key]: ['a'] }, {}).config[key]).toEqual(['a']);
  });

  test.each(['includeSkills', 'enabledBundled'] as const)('the allow-list %s is replaced', (key) => {
    expect(merge({ [key]: ['a', 'b'] }, { [key]: ['c'] }).config[key]).toEqual(['c']);
    expect(merge({ [key]: ['a'] }, { [key]: [] }).config[key]).toEqual([]);
    expect(merge({ [key]: ['a'] }, {}).config[key]).toEqual(['a']);
  });

  test('single values are replaced, and kept where the project says nothing', () => {
    const user = { scriptTimeout: 1, enableSkillCommands: true };
    const over = merge(user, { scriptTimeout: 2, enableSkillCommands: false }).config;
    expect([over.scriptTimeout, over.enableSkillCommands]).toEqual([2, false]);
    const kept = merge(user, {}).config;
    expect([kept.scriptTimeout, kept.enableSkillCommands]).toEqual([1, true]);
  });

  test('either may switch all skills off, and the project cannot switch them on again', () => {
    expect(merge({ enabled: false }, { enabled: true }).config.enabled).toBe(false);
    expect(merge({ enabled: true }, { enabled: false }).config.enabled).toBe(false);
    expect(merge({}, { enabled: true }).config.enabled).toBe(true);
  });

  test('either may keep the history of use from being kept, and the project cannot switch it on again', () => {
    expect(merge({ usage: false }, { usage: true }).config.usage).toBe(false);
    expect(merge({ usage: true }, { usage: false }).config.usage).toBe(false);
    expect(merge({}, { usage: true }).config.usage).toBe(true);
  });

  test.each([
    [undefined, undefined, 'auto'],
    ['off', undefined, 'off'],
    ['off', 'auto', 'auto'],
    ['auto', 'off', 'auto'],
    [undefined, 'off', 'auto'],
    ['auto', 'require', 'require'],
    ['require', 'off', 'require'],
  ] as const)('of %s and %s for the sandbox the stricter counts: %s', (own, over, sandbox) => {
    expect(merge({ sandbox: own }, { sandbox: over }).config.sandbox).toBe(sandbox);
  });

  test('custom directories add up, and each knows whose it is', () => {
    expect(merge({ customDirectories: ['/a'] }, { customDirectories: ['/b'] }).config.customDirectories).toEqual([
      { path: '/a', level: 'user' },
      { path: '/b', level: 'project' },
    ]);
  });

  test('a project cannot move the user’s own skills or plugins, and is told so', () => {
    const user = {
      userDir: '/mine',
      agentSkillsDir: '/agents',
      pluginsDir: '/plugins',
      plugins: [{ url: 'https://a', enabled: true }],
    };
    const { config, diagnostics } = merge(user, {
      userDir: '/evil',
      agentSkillsDir: '/evil',
      pluginsDir: '/evil',
      plugins: [{ url: 'https://evil', enabled: true }],
    });
    expect(config).toMatchObject(user);
    expect(diagnostics).toEqual(
      ['userDir', 'agentSkillsDir', 'pluginsDir', 'plugins'].map((field) => ({
        code: 'CONFIG_IGNORED',
        severity: 'warning',
        path: '/project/.agent/config.yaml',
        field,
        message: `skills.${field} counts only in your own configuration; a project's is ignored`,
      })),
    );
    expect(merge({}, { userDir: '/evil' }).config.userDir).toBe('/home/ann/.agent/skills');
  });
});
