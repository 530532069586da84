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

test('an empty configuration has the defaults', () => {
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
      npmPackages: [],
      privateHosts: [],
      enableSkillCommands: true,
      enableCommandFiles: true,
      maxSkills: 3,
      disabled: [],
      enabledSkills: [],
      pinned: [],
      preferred: {},
      usage: true,
      learn: false,
      likelyHints: false,
      sandbox: 'auto',
      auditFailOn: 'critical',
      agents: 'found',
      hosts: {},
      ranking: {},
      project: {},
    },
  });
});

describe('merging project and user settings', () => {
  test.each(['disabled', 'disabledBundled', 'ignoredSkills', 'disabledSources', 'pinned'] as const)(
    'joins both lists of %s without duplicates',
    (key) => {
      expect(merge({ [key]: ['a', 'b'] }, { [key]: ['b', 'c'] }).config[key]).toEqual(['a', 'b', 'c']);
      expect(merge({ [key]: ['a'] }, { [key]: [] }).config[key]).toEqual(['a']);
      expect(merge({ [key]: ['a'] }, {}).config[key]).toEqual(['a']);
    },
  );

  test.each(['includeSkills', 'enabledBundled'] as const)('lets the allow-list %s only narrow', (key) => {
    const { config } = merge({ [key]: ['a', 'b'] }, { [key]: ['b', 'c'] });
    expect([config[key], config.project[key]]).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    expect(merge({ [key]: ['a'] }, { [key]: [] }).config).toMatchObject({ [key]: ['a'], project: { [key]: [] } });
  });

  test.each(['enabledSources', 'enabledSkills'] as const)('ignores a project’s %s with a warning', (key) => {
    const { config, diagnostics } = merge({ [key]: ['a'] }, { [key]: ['b'] });
    expect(config[key]).toEqual(['a']);
    expect(diagnostics).toMatchObject([{ code: 'CONFIG_IGNORED', field: key }]);
    expect(merge({}, { [key]: [] }).diagnostics).toEqual([]);
  });

  test('uses the stricter of two limits or switches', () => {
    const user = { scriptTimeout: 10, maxSkills: 4, enableSkillCommands: true };
    const limits = ({ scriptTimeout, maxSkills, enableSkillCommands }: SkillsConfig): unknown => [
      scriptTimeout,
      maxSkills,
      enableSkillCommands,
    ];
    const looser = { scriptTimeout: 20, maxSkills: 5, enableSkillCommands: true };
    expect(limits(merge(user, looser).config)).toEqual([10, 4, true]);
    expect(limits(merge({ ...user, enableSkillCommands: false }, looser).config)).toEqual([10, 4, false]);
    const stricter = { scriptTimeout: 5, maxSkills: 1, enableSkillCommands: false };
    expect(limits(merge(user, stricter).config)).toEqual([5, 1, false]);
    expect(limits(merge({}, looser).config)).toEqual([20, 3, true]);
    expect(limits(merge(user, {}).config)).toEqual([10, 4, true]);
  });

  test('lets either disable all skills, and the project cannot enable them again', () => {
    expect(merge({ enabled: false }, { enabled: true }).config.enabled).toBe(false);
    expect(merge({ enabled: true }, { enabled: false }).config.enabled).toBe(false);
    expect(merge({}, { enabled: true }).config.enabled).toBe(true);
  });

  test.each([
    ['enabled', false, true],
    ['enableCommandFiles', false, true],
    ['learn', false, true],
    ['sandbox', 'require', 'auto'],
    ['scriptTimeout', 5, 6],
    ['maxSkills', 1, 2],
    ['usage', true, { hub: true }],
  ])('reports a project’s %s that is looser than the user’s as ignored', (key, own, over) => {
    const { config, diagnostics } = merge({ [key]: own }, { [key]: over });
    expect(config).toMatchObject({ [key]: own });
    const message = `skills.${key} can only be stricter in a project than in your own config.yaml; ignored`;
    expect(diagnostics).toMatchObject([{ code: 'CONFIG_IGNORED', field: key, message }]);
    expect(merge({ [key]: own }, { [key]: own }).diagnostics).toEqual([]);
  });

  test('lets either turn off the usage history, and the project cannot turn it on again', () => {
    expect(merge({ usage: false }, { usage: true }).config.usage).toBe(false);
    expect(merge({ usage: true }, { usage: false }).config.usage).toBe(false);
    expect(merge({}, { usage: true }).config.usage).toBe(true);
  });

  test('lets either forbid reading other agents’ transcripts', () => {
    const none = { hosts: false };
    expect(merge({ usage: none }, { usage: true }).config.usage).toEqual(none);
    expect(merge({ usage: { hosts: true } }, { usage: none }).config.usage).toEqual(none);
    expect(merge({ usage: none }, { usage: false }).config.usage).toBe(false);
    expect(merge({ usage: { hosts: true } }, {}).config.usage).toBe(true);
  });

  test('lets only the user report usage to hubs, and a project opt out', () => {
    const shared = { hosts: true, hub: true };
    expect(merge({}, { usage: { hub: true } }).config.usage).toBe(true);
    expect(merge({ usage: false }, { usage: { hub: true } }).config.usage).toBe(false);
    expect(merge({ usage: { hub: true } }, {}).config.usage).toEqual(shared);
    expect(merge({ usage: { hub: true } }, { usage: true }).config.usage).toEqual(shared);
    expect(merge({ usage: { hub: true } }, { usage: { hosts: false } }).config.usage).toEqual({
      ...shared,
      hosts: false,
    });
    expect(merge({ usage: { hub: true } }, { usage: { hub: false } }).config.usage).toBe(true);
    expect(merge({ usage: { hub: true } }, { usage: false }).config.usage).toBe(false);
  });

  test.each([
    [undefined, undefined, 'auto'],
    ['off', undefined, 'off'],
    ['off', 'auto', 'auto'],
    ['auto', 'off', 'auto'],
    [undefined, 'off', 'auto'],
    ['auto', 'require', 'require'],
    ['require', 'off', 'require'],
  ] as const)('uses the stricter sandbox setting of user (%s) and project (%s): %s', (own, over, sandbox) => {
    expect(merge({ sandbox: own }, { sandbox: over }).config.sandbox).toBe(sandbox);
  });

  test('joins custom folders, each marked as the user’s or the project’s', () => {
    expect(merge({ customDirectories: ['/a'] }, { customDirectories: ['/b'] }).config.customDirectories).toEqual([
      { path: '/a', level: 'user' },
      { path: '/b', level: 'project' },
    ]);
  });

  test('ignores a project’s paths for the user’s own skills and plugins, with a warning', () => {
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
        message: `skills.${field} applies only in your own config.yaml; ignored in a project's`,
      })),
    );
    expect(merge({}, { userDir: '/evil' }).config.userDir).toBe('/home/ann/.agent/skills');
    expect(merge({ userDir: '/mine' }, {}).config.agentSkillsDir).toBe('/mine');
  });
});
