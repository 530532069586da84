import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { catalogOf, done, makeInstallWorld, skill } from '../../test/support/install-world.ts';
import { makeTree, skillText, type Tree } from '../../test/support/tree.ts';
import type { World } from '../../test/support/world.ts';
import { parseConfig } from '../config/parse-config.ts';
import type { SkillsSection } from '../model/config.ts';
import type { Outcome } from '../model/outcome.ts';
import { disable, enable, type SwitchedSkill } from './switch.ts';

function turn({ project: cwd, home, env }: World, name: string, isOn: boolean): Promise<Outcome<SwitchedSkill>> {
  return (isOn ? enable : disable)(name, { cwd, home, env });
}

function configOf({ home }: World): SkillsSection {
  const parsed = parseConfig(readFileSync(join(home, '.agent/config.yaml'), 'utf8'));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.section;
}

async function isEnabled(world: World, name: string): Promise<boolean> {
  await using catalog = await catalogOf(world);
  return done(catalog.find(name)).skill.enabled;
}

function make(config: string, tree: Tree = {}): ReturnType<typeof makeInstallWorld> {
  return makeInstallWorld({
    'home/.agent/config.yaml': config,
    'home/.agent/skills/pdf/SKILL.md': skill('pdf'),
    'home/.agent/skills/docx/SKILL.md': skill('docx'),
    'home/.agent/skills/shy/SKILL.md': skillText({ name: 'shy', description: 'Shy.', default_enabled: false }),
    ...tree,
  });
}

describe('a skill of one’s own', () => {
  test('is switched off and on by `disabled`, and what was changed where is told', async () => {
    const world = make('# mine\n');
    const off = done(await turn(world, 'pdf', false));
    expect(off).toMatchObject({
      skill: { name: 'pdf', enabled: false },
      file: join(world.home, '.agent/config.yaml'),
      changed: ['disabled'],
    });
    expect(configOf(world)).toEqual({ disabled: ['pdf'] });
    expect(done(await turn(world, 'PDF', false)).changed).toEqual([]);
    expect(done(await turn(world, 'pdf', true))).toMatchObject({ skill: { enabled: true }, changed: ['disabled'] });
    expect(done(await turn(world, 'pdf', true)).changed).toEqual([]);
    expect(configOf(world)).toEqual({ disabled: [] });
  });

  test('that is off by default is on by `enabledSkills`, and off without', async () => {
    const world = make('');
    expect(await isEnabled(world, 'shy')).toBe(false);
    expect(done(await turn(world, 'shy', true)).changed).toEqual(['enabledSkills']);
    expect(configOf(world)).toMatchObject({ enabledSkills: ['shy'] });
    done(await turn(world, 'shy', false));
    expect(configOf(world)).toMatchObject({ enabledSkills: [] });
    expect(await isEnabled(world, 'shy')).toBe(false);
  });

  test('is added to `includeSkills` where only what is listed there counts', async () => {
    const world = make('skills:\n  includeSkills: [docx]\n  ignoredSkills: [pdf]\n');
    expect(done(await turn(world, 'pdf', true)).changed.toSorted()).toEqual(['ignoredSkills', 'includeSkills']);
    expect(configOf(world)).toEqual({ includeSkills: ['docx', 'pdf'], ignoredSkills: [] });
    expect(await isEnabled(world, 'docx')).toBe(true);
    const glob = make('skills:\n  includeSkills: ["p*"]\n  disabled: [pdf]\n');
    expect(done(await turn(glob, 'pdf', true)).changed).toEqual(['disabled']);
  });

  test('of a project’s name is switched in the user’s configuration alone', async () => {
    const world = make('', { 'project/.agent/skills/team/SKILL.md': skill('team') });
    done(await turn(world, 'team', false));
    expect(configOf(world)).toEqual({ disabled: ['team'] });
  });
});

describe('a bundled skill', () => {
  test('is switched by the lists of bundled skills', async () => {
    const world = make('');
    await using catalog = await catalogOf(world);
    const bundled = catalog.copies().find(({ source }) => source === 'bundled')?.name ?? '';
    expect(bundled).not.toBe('');
    expect(done(await turn(world, bundled, false)).changed).toEqual(['disabledBundled']);
    expect(configOf(world)).toEqual({ disabledBundled: [bundled] });
    done(await turn(world, bundled, true));
    expect(configOf(world)).toEqual({ disabledBundled: [] });
    const listed = make('skills:\n  enabledBundled: [other]\n');
    expect(await isEnabled(listed, bundled)).toBe(false);
    done(await turn(listed, bundled, true));
    expect(configOf(listed)).toEqual({ enabledBundled: ['other', bundled] });
  });
});

describe('a plugin', () => {
  test('is switched by its entry, which keeps everything else', async () => {
    const world = make('');
    const { user } = world;
    done(await user.install({ url: makeTree({ 'SKILL.md': skill('forms') }), name: 'filler' }));
    const [before] = configOf(world).plugins ?? [];
    expect(done(await turn(world, 'filler', false)).changed).toEqual(['plugins']);
    expect(configOf(world)).toEqual({ plugins: [{ ...before, enabled: false }] });
    done(await turn(world, 'filler', true));
    expect(configOf(world)).toEqual({ plugins: [before] });
  });

  test('that is listed by its address only gets an entry', async () => {
    const tree = { 'home/.agent/plugins/forms/SKILL.md': skill('forms') };
    const world = make('skills:\n  plugins:\n    - https://example.org/o/forms # why\n', tree);
    done(await turn(world, 'forms', false));
    expect(configOf(world)).toEqual({ plugins: [{ url: 'https://example.org/o/forms', enabled: false }] });
    expect(readFileSync(join(world.home, '.agent/config.yaml'), 'utf8')).toContain('# why');
  });

  test('that was not listed is switched like any other skill', async () => {
    const world = make('', { 'home/.agent/plugins/forms/SKILL.md': skill('forms') });
    done(await turn(world, 'forms', false));
    expect(configOf(world)).toEqual({ disabled: ['forms'] });
  });
});

describe('what cannot be switched', () => {
  test('because of the project’s configuration says why, and does not narrow the user’s own', async () => {
    const world = make('', { 'project/.agent/config.yaml': 'skills:\n  includeSkills: [docx]\n  disabled: [pdf]\n' });
    expect(await turn(world, 'pdf', true)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/"pdf" is still off: .*includeSkills.*disabled/),
    });
    const elsewhere = { ...world, project: makeTree({ '.git/': '' }) };
    expect(await isEnabled(elsewhere, 'docx')).toBe(true);
    expect(await isEnabled(elsewhere, 'pdf')).toBe(true);
  });

  test('tells what was changed all the same', async () => {
    const world = make('skills:\n  disabled: [pdf]\n', { 'project/.agent/config.yaml': 'skills: {disabled: [pdf]}\n' });
    const file = join(world.home, '.agent/config.yaml');
    const message = `"pdf" is still off: listed in disabled; changed in ${file}: disabled`;
    expect(await turn(world, 'pdf', true)).toMatchObject({ ok: false, message });
  });

  test('because of a pattern says which', async () => {
    const world = make('skills:\n  ignoredSkills: ["p*"]\n');
    expect(await turn(world, 'pdf', true)).toMatchObject({ ok: false, message: expect.stringContaining('"p*"') });
  });

  test('because there is no such skill, or the configuration is not valid, is left as it is', async () => {
    expect(await turn(make(''), 'none', true)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
    const broken = make('skills:\n  disabled: 5\n');
    expect(await turn(broken, 'pdf', false)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
    expect(readFileSync(join(broken.home, '.agent/config.yaml'), 'utf8')).toBe('skills:\n  disabled: 5\n');
  });
});
