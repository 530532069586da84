import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeTree, skillText, type Tree } from '../../test/support/tree.ts';
import { openSkills } from '../engine/open-skills.ts';
import { pin, unpin, type PinSkillOptions } from './pin.ts';

interface PinWorld {
  readonly home: string;
  readonly options: PinSkillOptions;
  readonly config: string;
  /** Is the skill pinned for an engine that opens now? */
  isPinned(name: string): Promise<boolean | undefined>;
}

function makePinWorld(tree: Tree): PinWorld {
  const home = makeTree(tree);
  const options = { home, cwd: home, env: {} };
  return {
    home,
    options,
    config: join(home, '.agent/config.yaml'),
    async isPinned(name) {
      await using skills = await openSkills(options);
      const found = skills.find(name);
      return found.ok ? found.skill.pinned : undefined;
    },
  };
}

const OWN = '---\nname: notes\ndescription: Mine. # why\n---\n\nBody.\n';

describe('your own skill', () => {
  test('is pinned and unpinned in its SKILL.md, whatever spelling the field has', async () => {
    const world = makePinWorld({ '.agent/skills/notes/SKILL.md': OWN });
    const file = join(world.home, '.agent/skills/notes/SKILL.md');
    expect(await pin('notes', world.options)).toMatchObject({ ok: true, skill: { pinned: true }, file, changed: true });
    expect(readFileSync(file, 'utf8')).toContain('\nalways_present: true\n');
    expect(await world.isPinned('notes')).toBe(true);
    expect(await pin('notes', world.options)).toMatchObject({ ok: true, changed: false });
    expect(await unpin('notes', world.options)).toMatchObject({ ok: true, skill: { pinned: false }, changed: true });
    expect(readFileSync(file, 'utf8')).toBe(OWN);
    expect(existsSync(world.config)).toBe(false);
    const other = makePinWorld({
      '.agent/skills/notes/SKILL.md': OWN.replace('---\n\n', 'alwaysApply: true\n---\n\n'),
    });
    expect(await unpin('notes', other.options)).toMatchObject({ ok: true, skill: { pinned: false } });
  });

  test('can be created pinned', async () => {
    const world = makePinWorld({});
    await using skills = await openSkills(world.options);
    const draft = { name: 'notes', description: 'Mine.', body: 'Body.', alwaysPresent: true };
    expect(await skills.writing.create(draft)).toMatchObject({ ok: true });
    expect(await world.isPinned('notes')).toBe(true);
    expect(await skills.writing.update('notes', { alwaysPresent: false })).toMatchObject({ ok: true });
    expect(await world.isPinned('notes')).toBe(false);
  });

  test('is unpinned in the configuration if it is pinned there', async () => {
    const world = makePinWorld({
      '.agent/skills/notes/SKILL.md': OWN,
      '.agent/config.yaml': 'skills:\n  pinned: [notes, pdf]\n',
    });
    expect(await world.isPinned('notes')).toBe(true);
    expect(await unpin('notes', world.options)).toMatchObject({ ok: true, file: world.config, changed: true });
    expect(readFileSync(world.config, 'utf8')).toBe('skills:\n  pinned: [pdf]\n');
  });
});

describe('a skill from another source', () => {
  const THEIRS = skillText({ name: 'pdf', description: 'Theirs.' });

  test('is pinned and unpinned in the configuration, and its file stays unchanged', async () => {
    const world = makePinWorld({ '.claude/skills/pdf/SKILL.md': THEIRS });
    expect(await pin('pdf', world.options)).toMatchObject({ ok: true, file: world.config, changed: true });
    expect(readFileSync(join(world.home, '.claude/skills/pdf/SKILL.md'), 'utf8')).toBe(THEIRS);
    expect(await world.isPinned('pdf')).toBe(true);
    expect(await unpin('pdf', world.options)).toMatchObject({ ok: true, skill: { pinned: false } });
    expect(await world.isPinned('pdf')).toBe(false);
  });

  test('cannot be unpinned if it pins itself, and the refusal names its file', async () => {
    const world = makePinWorld({
      '.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'x', always_present: true }),
    });
    expect(await unpin('pdf', world.options)).toMatchObject({
      ok: false,
      code: 'PATH_REFUSED',
      message: expect.stringContaining(join(world.home, '.claude/skills/pdf/SKILL.md')),
    });
    expect(existsSync(world.config)).toBe(false);
  });
});

test('an unknown skill cannot be pinned', async () => {
  const world = makePinWorld({});
  expect(await pin('nothing', world.options)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
});
