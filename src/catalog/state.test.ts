import { describe, expect, test } from 'vitest';

import { foundSkill, settings } from '../../test/support/found.ts';
import type { SkillsConfig } from '../model/config.ts';
import { findState, type SkillState } from './state.ts';

interface Case {
  readonly name?: string;
  readonly source?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly config?: Partial<SkillsConfig>;
}

function judge({ name = 'pdf', source = 'user', fields = {}, config = {} }: Case): SkillState {
  const found = foundSkill(`/skills/${name}`, fields, { id: source });
  const { enabled, available, status, reasons, unavailableReason } = found.skill;
  const usable = { enabled, available, status, reasons, unavailableReason };
  return findState(found, settings(config), (command) => command === 'git') ?? usable;
}

const reasonsFor = (given: Case): readonly string[] => judge(given).reasons;

const ALL_OFF = 'all skills are disabled (enabled: false in config.yaml)';
const OFF_BY_DEFAULT = 'disabled by its author (default_enabled: false)';

test('a skill is enabled if no rule excludes it', () => {
  expect(judge({})).toEqual({
    enabled: true,
    available: true,
    status: 'enabled',
    reasons: [],
    unavailableReason: undefined,
  });
});

test('a skill that a rule excludes is disabled, and the reason names the rule', () => {
  expect(judge({ config: { disabled: ['pdf'] } })).toEqual({
    enabled: false,
    available: true,
    status: 'disabled',
    reasons: ['disabled by you (config.yaml)'],
    unavailableReason: undefined,
  });
});

describe('the setting', () => {
  test('enabled: false disables every skill', () => {
    for (const source of ['user', 'plugin', 'bundled']) {
      expect(reasonsFor({ source, config: { enabled: false } })).toEqual([ALL_OFF]);
    }
  });

  test('ignoredSkills disables skills by name and glob', () => {
    expect(reasonsFor({ config: { ignoredSkills: ['pdf'] } })).toEqual(['ignored by "pdf" in ignoredSkills']);
    expect(reasonsFor({ config: { ignoredSkills: ['x', 'p*'] } })).toEqual(['ignored by "p*" in ignoredSkills']);
    expect(reasonsFor({ config: { ignoredSkills: ['pd', 'd*'] } })).toEqual([]);
    expect(reasonsFor({ fields: { name: 'forms' }, config: { ignoredSkills: ['pdf'] } })).toEqual([]);
  });

  test('includeSkills disables all others, by name and glob, and none if it is empty', () => {
    expect(reasonsFor({ config: { includeSkills: [] } })).toEqual([]);
    expect(reasonsFor({ config: { includeSkills: ['pdf'] } })).toEqual([]);
    expect(reasonsFor({ config: { includeSkills: ['p*'] } })).toEqual([]);
    expect(reasonsFor({ config: { includeSkills: ['docx'] } })).toEqual(['not listed in includeSkills']);
  });

  test('ignoredSkills overrules includeSkills', () => {
    const config = { includeSkills: ['pdf'], ignoredSkills: ['pdf'] };
    expect(reasonsFor({ config })).toEqual(['ignored by "pdf" in ignoredSkills']);
  });

  test('disabledBundled and enabledBundled apply only to bundled skills', () => {
    const off = { disabledBundled: ['pdf'] };
    const only = { enabledBundled: ['docx'] };
    expect(reasonsFor({ source: 'bundled', config: off })).toEqual(['disabled by you (config.yaml)']);
    expect(reasonsFor({ source: 'bundled', config: only })).toEqual(['not listed in enabledBundled']);
    expect(reasonsFor({ source: 'bundled', config: { enabledBundled: ['pdf'] } })).toEqual([]);
    expect(reasonsFor({ source: 'bundled', config: { enabledBundled: [] } })).toEqual([]);
    expect([reasonsFor({ config: off }), reasonsFor({ config: only })]).toEqual([[], []]);
  });

  test('disabledBundled overrules enabledBundled', () => {
    const config = { disabledBundled: ['pdf'], enabledBundled: ['pdf'] };
    expect(reasonsFor({ source: 'bundled', config })).toEqual(['disabled by you (config.yaml)']);
  });

  test('default_enabled: false disables a skill unless the configuration includes it by name', () => {
    const fields = { default_enabled: false };
    expect(reasonsFor({ fields })).toEqual([OFF_BY_DEFAULT]);
    expect(reasonsFor({ fields, config: { includeSkills: ['pdf'] } })).toEqual([]);
    expect(reasonsFor({ fields, config: { includeSkills: ['*'] } })).toEqual([OFF_BY_DEFAULT]);
    expect(reasonsFor({ fields, source: 'bundled', config: { enabledBundled: ['pdf'] } })).toEqual([]);
    expect(reasonsFor({ fields, source: 'user', config: { enabledBundled: ['pdf'] } })).toEqual([OFF_BY_DEFAULT]);
    expect(reasonsFor({ fields: { default_enabled: true } })).toEqual([]);
  });

  test('disabled disables skills of any source by exact name', () => {
    for (const source of ['user', 'project', 'plugin', 'bundled']) {
      expect(reasonsFor({ source, config: { disabled: ['docx', 'pdf'] } })).toEqual(['disabled by you (config.yaml)']);
    }
    expect(reasonsFor({ config: { disabled: ['p*'] } })).toEqual([]);
  });

  test.each([
    [{ url: 'https://example.org/x/pdf', enabled: false }, true],
    [{ url: 'https://example.org/x/pdf.git', enabled: false }, true],
    [{ url: 'https://example.org/x/pdf/', enabled: false }, true],
    [{ url: 'git@example.org:x/pdf.git', enabled: false }, true],
    [{ url: 'https://example.org/x/other', name: 'pdf', enabled: false }, true],
    [{ url: 'https://example.org/x/pdf', name: 'other', enabled: false }, false],
    [{ url: 'https://example.org/x/pdf', enabled: true }, false],
  ])('plugins: the entry %j disables the skill pdf: %j', (plugin, isDisabled) => {
    const reasons = isDisabled ? ['disabled by you (config.yaml)'] : [];
    expect(reasonsFor({ source: 'plugin', config: { plugins: [plugin] } })).toEqual(reasons);
    expect(reasonsFor({ source: 'user', config: { plugins: [plugin] } })).toEqual([]);
  });
});

test('a skill that several rules exclude has all of them as reasons, in a fixed order', () => {
  const state = judge({
    source: 'bundled',
    fields: { default_enabled: false, metadata: { requires: 'git gh jq' } },
    config: {
      enabled: false,
      ignoredSkills: ['*'],
      includeSkills: ['docx'],
      disabledBundled: ['pdf'],
      enabledBundled: ['docx'],
      disabled: ['pdf'],
    },
  });
  expect(state).toEqual({
    enabled: false,
    available: false,
    status: 'unavailable',
    unavailableReason: 'missing commands: gh, jq',
    reasons: [
      'missing commands: gh, jq',
      ALL_OFF,
      'ignored by "*" in ignoredSkills',
      'not listed in includeSkills',
      'disabled by you (config.yaml)',
      OFF_BY_DEFAULT,
      'disabled by you (config.yaml)',
    ],
  });
});

describe('a skill that requires commands', () => {
  test('is available if all of them exist', () => {
    expect(judge({ fields: { metadata: { requires: 'git' } } }).status).toBe('enabled');
    expect(judge({ fields: { metadata: { requires: '  ' } } }).status).toBe('enabled');
  });

  test('is enabled but unavailable if some are missing, and names each of them', () => {
    expect(judge({ fields: { metadata: { requires: 'gh  git\tjq' } } })).toEqual({
      enabled: true,
      available: false,
      status: 'unavailable',
      reasons: ['missing commands: gh, jq'],
      unavailableReason: 'missing commands: gh, jq',
    });
  });
});
