import { expect, test } from 'vitest';

import type { SkillsSection } from '../model/config.ts';
import { readEnvironment } from '../platform/environment.ts';
import { laySettings, mergeSections, type ConfigLayer } from './merge.ts';
import { parseConfig } from './parse-config.ts';
import { settingsTable, type ProgramRule, type ProjectRule, type Setting } from './settings.ts';

const environment = readEnvironment({ cwd: '/project', home: '/home/ann', env: {} });
const settings: readonly (readonly [string, Setting])[] = Object.entries(settingsTable);

const layer = (section: SkillsSection): ConfigLayer => ({ section, file: 'config.yaml' });

function merge(user: object, project: object): Record<string, unknown> {
  return { ...mergeSections(layer(user), layer(project), { environment, diagnostics: [] }) };
}

test.each(settings)('the setting %s is accepted with its default value', (name, row) => {
  const parsed = parseConfig(JSON.stringify({ skills: { [name]: row.default } }));
  expect(parsed).toEqual({ ok: true, faults: [], unknown: [], section: { [name]: row.default } });
});

test.each(settings)('the setting %s has its default if no file sets it', (name, { type, default: value }) => {
  const expanded = type.name === 'path' ? String(value).replace('~', '/home/ann') : value;
  expect(merge({}, {})[name]).toEqual(expanded);
});

/** Two values of each type, the stricter one last where one of them is. */
const VALUES: Record<string, readonly [unknown, unknown]> = {
  boolean: [true, false],
  'boolean or { hosts, hub }': [true, { hosts: false }],
  number: [2, 1],
  time: [2, 1],
  path: ['/a', '/b'],
  'off, auto or require': ['auto', 'require'],
  'a severity or never': ['never', 'high'],
  'list of names': [['a'], ['b']],
  'list of globs': [['a'], ['b']],
  'list of paths': [['/a'], ['/b']],
  'sources by name': [{ pdf: 'user' }, { pdf: 'project' }],
  'list of agents or found': [['codex'], ['cursor']],
  'globs by agent': [{ codex: ['!a'] }, { codex: ['!b'] }],
  '{ embeddings: { url, model, key } }': [{ embeddings: { url: 'http://a', model: 'm' } }, {}],
  'list of plugins': [[{ url: 'a', enabled: true }], [{ url: 'b', enabled: true }]],
};

test.each(settings)('the setting %s merges a project’s value as the table says', (name, { type, project }) => {
  const [loose, strict] = VALUES[type.name] ?? [];
  const merged = merge({ [name]: loose }, { [name]: strict })[name];
  const reversed = merge({ [name]: strict }, { [name]: loose })[name];
  const both = merge({ [name]: [loose, strict].flat() }, {})[name];
  const expected: Record<ProjectRule, readonly unknown[]> = {
    // The project's list is kept beside the user's.
    narrows: [loose, strict],
    ignored: [loose, strict],
    arranges: [loose, strict],
    tightens: [strict, strict],
    adds: [both, both],
  };
  expect([unordered(merged), unordered(reversed)]).toEqual(expected[project].map(unordered));
});

test.each(settings)('the setting %s merges a program’s value as the table says', (name, { type, program }) => {
  const [loose, strict] = VALUES[type.name] ?? [];
  const lay = (own: unknown, over: unknown): unknown => {
    const files = mergeSections(layer({ [name]: own }), layer({}), { environment, diagnostics: [] });
    return { ...laySettings(files, { [name]: over }, { isSet: () => true, onIgnored: () => undefined }) }[name];
  };
  const both = Array.isArray(loose) ? [loose, strict].flat() : strict;
  const expected: Record<ProgramRule, readonly unknown[]> = {
    replaces: [strict, loose],
    tightens: [strict, strict],
    decides: [strict, strict],
    adds: [both, Array.isArray(loose) ? both : loose],
  };
  expect([unordered(lay(loose, strict)), unordered(lay(strict, loose))]).toEqual(expected[program].map(unordered));
});

/** A list without its order and the levels of its directories. */
function unordered(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return new Set(value.map((item: { path?: string }) => item.path ?? item));
}
