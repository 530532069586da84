import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { catalogOf, done, makeInstallWorld } from '../../test/support/install-world.ts';
import { skillText, type Tree } from '../../test/support/tree.ts';
import type { World } from '../../test/support/world.ts';
import { prefer, resetPreference } from './prefer.ts';
import { disable, enable } from './switch.ts';

const copy = (of: string): string => skillText({ name: 'pdf', description: `Of ${of}.` });

const COPIES = {
  'home/.agent/skills/pdf/SKILL.md': copy('the user'),
  'home/.claude/skills/pdf/SKILL.md': copy('claude'),
  'home/.codex/skills/pdf/SKILL.md': copy('codex'),
};

const IN_PROJECT = {
  'project/.agent/skills/pdf/SKILL.md': copy('the project'),
  'project/.claude/skills/pdf/SKILL.md': copy('claude in the project'),
};

function make(tree: Tree = {}): ReturnType<typeof makeInstallWorld> {
  return makeInstallWorld({ ...COPIES, ...tree });
}

function options({ project: cwd, home, env }: World) {
  return { cwd, home, env };
}

async function winnerOf(world: World): Promise<string> {
  await using catalog = await catalogOf(world);
  return done(catalog.find('pdf')).skill.source;
}

describe('prefer', () => {
  test('makes the copy in that source the one that is used, and keeps the comments in the configuration', async () => {
    const world = make({
      'home/.agent/config.yaml': 'skills:\n  # Mine.\n  preferred:\n    # By name.\n    docx: user # no other\n',
    });
    const file = join(world.home, '.agent/config.yaml');
    const chosen = done(await prefer('pdf', 'claude-user', options(world)));
    expect(chosen).toMatchObject({
      skill: { source: 'claude-user', preferredBy: 'user' },
      file,
      changed: ['preferred'],
    });
    expect(chosen.others.map(({ source }) => source)).toEqual(['user', 'codex-user']);
    expect(readFileSync(file, 'utf8')).toBe(
      'skills:\n  # Mine.\n  preferred:\n    # By name.\n    docx: user # no other\n    pdf: claude-user\n',
    );
    expect(done(await prefer('pdf', 'codex', options(world))).skill.source).toBe('codex-user');
    expect(done(await prefer('PDF', 'codex-user', options(world))).changed).toEqual([]);
    expect(await winnerOf(world)).toBe('codex-user');
  });

  test('is undone by resetPreference, and precedence decides again', async () => {
    const world = make();
    done(await prefer('pdf', 'codex-user', options(world)));
    expect(done(await resetPreference('pdf', options(world)))).toMatchObject({
      skill: { source: 'user' },
      changed: ['preferred'],
    });
    expect(await winnerOf(world)).toBe('user');
    expect(done(await resetPreference('pdf', options(world))).changed).toEqual([]);
  });

  test('fails for a source without a copy of the skill, and lists the sources that have one', async () => {
    const world = make();
    expect(await prefer('pdf', 'agents-user', options(world))).toMatchObject({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: expect.stringContaining('its copies are in user'),
    });
    expect(await prefer('pdf', '', options(world))).toMatchObject({ ok: false });
    expect(await prefer('nothing', 'user', options(world))).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });

  test('fails if the name of an agent could mean two sources', async () => {
    const world = make(IN_PROJECT);
    expect(await prefer('pdf', 'claude', options(world))).toMatchObject({
      ok: false,
      message: '"claude" may be claude-project or claude-user',
    });
  });

  test('fails for a broken copy and for a copy whose source is off, and says what to do', async () => {
    const world = make({
      'home/.agents/skills/pdf/SKILL.md': '---\nname: &a pdf\ndescription: *a\n---\n',
      'project/.cursor/skills/pdf/SKILL.md': copy('cursor'),
    });
    expect(await prefer('pdf', 'agents-user', options(world))).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
    expect(await prefer('pdf', 'cursor-project', options(world))).toMatchObject({
      ok: false,
      message: expect.stringContaining('that folder is turned off (cursor-project)'),
      next: { set: 'enabledSources', add: 'cursor-project' },
    });
  });
});

describe("a project's preferred copy of a skill", () => {
  test("is written to the project's configuration and chooses among the project's copies", async () => {
    const world = make(IN_PROJECT);
    const chosen = done(await prefer('pdf', 'claude-project', { ...options(world), project: true }));
    expect(chosen).toMatchObject({
      skill: { source: 'claude-project', preferredBy: 'project' },
      file: join(world.project, '.agent/config.yaml'),
    });
    expect(done(await prefer('pdf', 'claude-user', options(world))).skill.source).toBe('claude-user');
  });

  test("cannot be one of the user's copies", async () => {
    const world = make(IN_PROJECT);
    expect(await prefer('pdf', 'claude-user', { ...options(world), project: true })).toMatchObject({
      ok: false,
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('a project can prefer only its own copies'),
    });
    expect(await enable('pdf', { ...options(world), project: true, from: 'claude-user' })).toMatchObject({ ok: false });
  });

  test('does not win over an installed plugin', async () => {
    const world = make({
      ...IN_PROJECT,
      'home/.agent/plugins/pdf/SKILL.md': copy('a plugin'),
    });
    const kept = done(await prefer('pdf', 'claude-project', { ...options(world), project: true }));
    expect(kept).toMatchObject({ skill: { source: 'plugin' }, changed: ['preferred'] });
    expect(await winnerOf(world)).toBe('plugin');
  });
});

describe('another copy of a disabled skill', () => {
  test('is named by disable, and used after enable with its source', async () => {
    const world = make({ 'home/.agent/plugins/pdf/SKILL.md': copy('a plugin') });
    const off = done(await disable('pdf', options(world)));
    expect(off.skill).toMatchObject({ source: 'plugin', enabled: false });
    expect(off.others.map(({ source }) => source)).toEqual(['user', 'claude-user', 'codex-user']);
    const on = done(await enable('pdf', { ...options(world), from: 'claude' }));
    expect(on.skill).toMatchObject({ source: 'claude-user', enabled: true });
    expect(await winnerOf(world)).toBe('claude-user');
  });
});
