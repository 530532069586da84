import { describe, expect, test } from 'vitest';

import { brokenFind, catalogOf, foundSkill, readingOf, sourceRoot } from '../../test/support/found.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { buildCatalog } from './catalog.ts';

const PROJECT = { id: 'project', group: 'Project', level: 'project', priority: 90 } as const;
const USER = { id: 'user', group: 'User', level: 'user', priority: 60 } as const;
const BUNDLED = { id: 'bundled', group: 'Bundled', level: 'bundled', priority: 10 } as const;

describe('the catalog', () => {
  test('uses a project skill over a user skill of the same name and says so', () => {
    const { skills, shadowed, diagnostics } = catalogOf([
      foundSkill('/p/pdf', { description: 'The project’s.' }, PROJECT),
      foundSkill('/u/pdf', { description: 'The user’s.' }, USER),
    ]);
    expect(skills).toMatchObject([
      {
        name: 'pdf',
        description: 'The project’s.',
        source: 'project',
        group: 'Project',
        level: 'project',
        status: 'enabled',
        shadowedBy: undefined,
        shadows: [{ source: 'user', name: 'pdf', dir: '/u/pdf', file: '/u/pdf/SKILL.md' }],
      },
    ]);
    expect(shadowed).toMatchObject([
      { source: 'user', description: 'The user’s.', shadowedBy: '/p/pdf/SKILL.md', shadows: [] },
    ]);
    expect(diagnostics).toMatchObject([{ code: 'SHADOWED', path: '/u/pdf/SKILL.md' }]);
  });

  test('uses one of several copies and reports each of the others', () => {
    const { skills, shadowed, diagnostics } = catalogOf([
      foundSkill('/p/pdf', {}, PROJECT),
      foundSkill('/u/pdf', {}, USER),
      foundSkill('/b/pdf', {}, BUNDLED),
    ]);
    expect(skills[0]?.shadows.map(({ source }) => source)).toEqual(['user', 'bundled']);
    expect(shadowed.map(({ source }) => source)).toEqual(['bundled', 'user']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['SHADOWED', 'SHADOWED']);
  });

  test('treats one folder found twice as one skill, without a diagnostic', () => {
    const twin = { ...foundSkill('/u/pdf', {}, USER), realDir: '/p/pdf' };
    const catalog = catalogOf([foundSkill('/p/pdf', {}, PROJECT), twin]);
    expect(catalog).toMatchObject({ skills: [{ source: 'project', shadows: [] }], shadowed: [], diagnostics: [] });
  });

  test('is sorted by name in code units, then by source', () => {
    const found = ['b', 'a', 'Z', 'ä', 'a-b', 'a1'].map((id) => foundSkill(`/u/${id}`, {}, USER));
    expect(catalogOf(found).skills.map(({ name }) => name)).toEqual(['Z', 'a', 'a-b', 'a1', 'b', 'ä']);
    expect(catalogOf(found.toReversed())).toEqual(catalogOf(found));
  });

  test('sorts shadowed copies by name, then by source', () => {
    const { shadowed } = catalogOf([
      foundSkill('/p/b', {}, PROJECT),
      foundSkill('/p/a', {}, PROJECT),
      foundSkill('/u/b', {}, USER),
      foundSkill('/u/a', {}, USER),
      foundSkill('/b/a', {}, BUNDLED),
    ]);
    expect(shadowed.map(({ name, source }) => `${name} ${source}`)).toEqual(['a bundled', 'a user', 'b user']);
  });

  test('collects the diagnostics of all skills and sources, sorted by path', () => {
    const broken: Diagnostic = { code: 'PARSE_FAILED', severity: 'error', path: '/u/m/SKILL.md', message: 'broken' };
    const { diagnostics } = buildCatalog({
      found: [
        foundSkill('/u/z', { name: 'Z z' }),
        foundSkill('/u/a', { name: 'b' }),
        foundSkill('/v/y', { name: 'b' }),
      ],
      roots: [],
      diagnostics: [broken],
      reading: readingOf(),
      hasCommand: () => true,
    });
    expect(diagnostics.map(({ code, path }) => [path, code])).toEqual([
      ['/u/a/SKILL.md', 'NAME_MISMATCH'],
      ['/u/m/SKILL.md', 'PARSE_FAILED'],
      ['/u/z/SKILL.md', 'INVALID_NAME'],
      ['/u/z/SKILL.md', 'INVALID_NAME'],
      ['/u/z/SKILL.md', 'NAME_MISMATCH'],
      ['/v/y/SKILL.md', 'NAME_MISMATCH'],
      ['/v/y/SKILL.md', 'SHADOWED'],
    ]);
  });

  test('lists the folders that were scanned', () => {
    const roots = [sourceRoot('/u')];
    const input = { found: [], roots, diagnostics: [], reading: readingOf(), hasCommand: () => true };
    expect(buildCatalog(input)).toMatchObject({ skills: [], shadowed: [], diagnostics: [], roots });
  });
});

describe('the copy that wins a name', () => {
  test('still hides the others if it is disabled', () => {
    const found = [foundSkill('/p/pdf', { default_enabled: false }, PROJECT), foundSkill('/u/pdf', {}, USER)];
    const { skills, shadowed } = catalogOf(found);
    expect(skills).toMatchObject([{ source: 'project', status: 'disabled' }]);
    expect(shadowed).toMatchObject([
      { source: 'user', status: 'shadowed', reasons: ['/p/pdf/SKILL.md has its name'], shadowedBy: '/p/pdf/SKILL.md' },
    ]);
  });

  test('still hides a disabled copy, which keeps the reason for that', () => {
    const found = [foundSkill('/p/pdf', {}, PROJECT), foundSkill('/u/pdf', { default_enabled: false }, USER)];
    expect(catalogOf(found).shadowed).toMatchObject([
      {
        status: 'disabled',
        reasons: ['disabled by its author (default_enabled: false)'],
        shadowedBy: '/p/pdf/SKILL.md',
      },
    ]);
  });

  test('still hides the others if it is unavailable', () => {
    const found = [foundSkill('/p/pdf', { metadata: { requires: 'gh' } }, PROJECT), foundSkill('/u/pdf', {}, USER)];
    expect(catalogOf(found, {}, ['gh']).skills).toMatchObject([{ source: 'project', status: 'unavailable' }]);
  });
});

describe('a broken skill', () => {
  const FLAW = 'the file is empty';

  test('stays in the catalog under its folder’s name, with the error and how to fix it', () => {
    const { skills, diagnostics } = catalogOf([brokenFind('/p/pdf', PROJECT)]);
    expect(skills).toMatchObject([
      {
        id: 'pdf',
        name: 'pdf',
        source: 'project',
        enabled: true,
        available: false,
        status: 'broken',
        reasons: [FLAW],
        next: { do: 'fix', path: '/p/pdf' },
      },
    ]);
    expect(diagnostics).toMatchObject([{ code: 'PARSE_FAILED', path: '/p/pdf/SKILL.md', message: FLAW }]);
  });

  test('that is disabled is listed as broken, with both reasons', () => {
    expect(catalogOf([brokenFind('/p/pdf', PROJECT)], { disabled: ['pdf'] }).skills).toMatchObject([
      { enabled: false, status: 'broken', reasons: [FLAW, 'disabled by you (config.yaml)'] },
    ]);
  });

  test('gives its name to a working copy, with a warning', () => {
    const { skills, shadowed, diagnostics } = catalogOf([
      brokenFind('/p/pdf', PROJECT),
      foundSkill('/u/pdf', {}, USER),
    ]);
    expect(skills).toMatchObject([{ source: 'user', status: 'enabled', shadows: [{ file: '/p/pdf/SKILL.md' }] }]);
    expect(shadowed).toMatchObject([{ source: 'project', status: 'broken', shadowedBy: '/u/pdf/SKILL.md' }]);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ['PARSE_FAILED', 'error'],
      ['SHADOWED', 'warning'],
    ]);
  });
});
