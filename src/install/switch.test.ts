import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { catalogOf, done, makeInstallWorld, skill } from '../../test/support/install-world.ts';
import { makeTree, skillText, type Tree } from '../../test/support/tree.ts';
import type { World } from '../../test/support/world.ts';
import { SkillStore } from '../catalog/store.ts';
import { parseConfig } from '../config/parse-config.ts';
import type { SkillsSection } from '../model/config.ts';
import type { Outcome } from '../model/outcome.ts';
import { disable, enable, switchSkills, type SwitchedSkill } from './switch.ts';

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

describe('switching one of your own skills', () => {
  test('changes the setting `disabled` and reports the file and the setting', async () => {
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

  test('that is off by default adds it to `enabledSkills` or removes it from there', async () => {
    const world = make('');
    expect(await isEnabled(world, 'shy')).toBe(false);
    expect(done(await turn(world, 'shy', true)).changed).toEqual(['enabledSkills']);
    expect(configOf(world)).toMatchObject({ enabledSkills: ['shy'] });
    done(await turn(world, 'shy', false));
    expect(configOf(world)).toMatchObject({ enabledSkills: [] });
    expect(await isEnabled(world, 'shy')).toBe(false);
  });

  test('adds it to `includeSkills` when it is turned on, if only listed skills are on', async () => {
    const world = make('skills:\n  includeSkills: [docx]\n  ignoredSkills: [pdf]\n');
    expect(done(await turn(world, 'pdf', true)).changed.toSorted()).toEqual(['ignoredSkills', 'includeSkills']);
    expect(configOf(world)).toEqual({ includeSkills: ['docx', 'pdf'], ignoredSkills: [] });
    expect(await isEnabled(world, 'docx')).toBe(true);
    const glob = make('skills:\n  includeSkills: ["p*"]\n  disabled: [pdf]\n');
    expect(done(await turn(glob, 'pdf', true)).changed).toEqual(['disabled']);
  });

  test("of a project changes only the user's configuration", async () => {
    const world = make('', { 'project/.agent/skills/team/SKILL.md': skill('team') });
    done(await turn(world, 'team', false));
    expect(configOf(world)).toEqual({ disabled: ['team'] });
  });
});

describe('switching many skills', () => {
  test('scans once before and once after, edits once, and gives an outcome for each name', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `many-${at}`);
    const tree = Object.fromEntries(names.map((name) => [`home/.agent/skills/${name}/SKILL.md`, skill(name)]));
    const world = make('skills:\n  disabled: [many-1]\n', tree);
    const scans = vi.spyOn(SkillStore.prototype, 'loadAll');
    onTestFinished(() => scans.mockRestore());
    const { project: cwd, home, env } = world;
    const switched = await switchSkills([...names, 'nope', 'MANY-2'], false, { cwd, home, env });
    expect(scans).toHaveBeenCalledTimes(2);
    expect(switched.map(({ name }) => name)).toEqual([...names, 'nope', 'MANY-2']);
    expect(switched.flatMap(({ name, outcome }) => (outcome.ok ? [] : [name]))).toEqual(['nope']);
    expect(switched.flatMap(({ name, outcome }) => (outcome.ok && outcome.changed.length === 0 ? [name] : []))).toEqual(
      ['many-1'],
    );
    expect(configOf(world).disabled?.toSorted()).toEqual(names.toSorted());
  });
});

describe('switching a bundled skill', () => {
  test('changes `disabledBundled`, or `enabledBundled` if that is set', async () => {
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

describe('switching a plugin', () => {
  test('changes only `enabled` in its configuration entry', async () => {
    const world = make('');
    const { user } = world;
    done(await user.install({ url: makeTree({ 'SKILL.md': skill('forms') }), name: 'filler' }));
    const [before] = configOf(world).plugins ?? [];
    expect(done(await turn(world, 'filler', false)).changed).toEqual(['plugins']);
    expect(configOf(world)).toEqual({ plugins: [{ ...before, enabled: false }] });
    done(await turn(world, 'filler', true));
    expect(configOf(world)).toEqual({ plugins: [before] });
  });

  test('that is listed by its address alone turns the address into an entry and keeps the comment', async () => {
    const tree = { 'home/.agent/plugins/forms/SKILL.md': skill('forms') };
    const world = make('skills:\n  plugins:\n    - https://example.org/o/forms # why\n', tree);
    done(await turn(world, 'forms', false));
    expect(configOf(world)).toEqual({ plugins: [{ url: 'https://example.org/o/forms', enabled: false }] });
    expect(readFileSync(join(world.home, '.agent/config.yaml'), 'utf8')).toContain('# why');
  });

  test('that is not in the configuration changes `disabled`, as for any other skill', async () => {
    const world = make('', { 'home/.agent/plugins/forms/SKILL.md': skill('forms') });
    done(await turn(world, 'forms', false));
    expect(configOf(world)).toEqual({ disabled: ['forms'] });
  });
});

describe('switching a skill', () => {
  test('fails to turn it on if the project’s configuration keeps it off, and does not narrow the user’s configuration', async () => {
    const world = make('', { 'project/.agent/config.yaml': 'skills:\n  includeSkills: [docx]\n  disabled: [pdf]\n' });
    expect(await turn(world, 'pdf', true)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/"pdf" is still off: .*includeSkills.*disabled/),
    });
    const elsewhere = { ...world, project: makeTree({ '.git/': '' }) };
    expect(await isEnabled(elsewhere, 'docx')).toBe(true);
    expect(await isEnabled(elsewhere, 'pdf')).toBe(true);
  });

  test('names the user’s settings that it changed even if the project keeps the skill off', async () => {
    const world = make('skills:\n  disabled: [pdf]\n', { 'project/.agent/config.yaml': 'skills: {disabled: [pdf]}\n' });
    const file = join(world.home, '.agent/config.yaml');
    const message = `"pdf" is still off: disabled by this project (.agent/config.yaml); changed in ${file}: disabled`;
    expect(await turn(world, 'pdf', true)).toMatchObject({ ok: false, message });
  });

  test('fails to turn it on and names the pattern that keeps it off', async () => {
    const world = make('skills:\n  ignoredSkills: ["p*"]\n');
    expect(await turn(world, 'pdf', true)).toMatchObject({ ok: false, message: expect.stringContaining('"p*"') });
  });

  test('fails if the skill is unknown or the configuration is invalid, and changes nothing', async () => {
    expect(await turn(make(''), 'none', true)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
    const broken = make('skills:\n  disabled: 5\n');
    expect(await turn(broken, 'pdf', false)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
    expect(readFileSync(join(broken.home, '.agent/config.yaml'), 'utf8')).toBe('skills:\n  disabled: 5\n');
  });
});
