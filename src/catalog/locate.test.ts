import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { foundSkill, sourceRoot } from '../../test/support/found.ts';
import { link, makeTree, skillText } from '../../test/support/tree.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { locateSkill } from './locate.ts';

const TEXT = skillText({ name: 'pdf', description: 'Fill forms.' });
const USER = process.getuid?.();

/** The skill `<root>/skills/pdf` as it was found, and where it is now. */
function locate(root: string, given: Partial<SourceRoot> = {}, userId = USER): ReturnType<typeof locateSkill> {
  return locateSkill(skillIn(root, given), { roots: [sourceRoot(join(root, 'skills'), given)], userId });
}

function skillIn(root: string, given: Partial<SourceRoot> = {}): Skill {
  return foundSkill(join(root, 'skills/pdf'), {}, given).skill;
}

const PROJECT = { id: 'project', level: 'project' } as const;

describe('the real folder of a skill', () => {
  test('is found if there are no links', () => {
    const root = makeTree({ 'skills/pdf/SKILL.md': TEXT });
    expect(locate(root)).toEqual({ ok: true, skill: skillIn(root), realDir: join(root, 'skills/pdf') });
  });

  test('is found behind a link above it', () => {
    const root = makeTree({ 'real/skills/pdf/SKILL.md': TEXT, skills: link('real/skills') });
    expect(locate(root)).toMatchObject({ ok: true, realDir: join(root, 'real/skills/pdf') });
  });

  test('is found behind a link that stays inside its source', () => {
    const root = makeTree({ 'skills/.store/pdf-1/SKILL.md': TEXT, 'skills/pdf': link('.store/pdf-1') });
    expect(locate(root, PROJECT)).toMatchObject({ ok: true, realDir: join(root, 'skills/.store/pdf-1') });
  });

  test('is found behind a link to a folder of the same user, but not of another user', () => {
    const root = makeTree({ 'work/pdf/SKILL.md': TEXT, 'skills/pdf': link('../work/pdf') });
    expect(locate(root)).toMatchObject({ ok: true, realDir: join(root, 'work/pdf') });
    expect(locate(root, {}, (USER ?? 0) + 1)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });
});

describe('a skill folder that has changed since the scan', () => {
  test('is refused if it became a link out of its project', () => {
    const root = makeTree({ 'work/SKILL.md': TEXT, 'skills/pdf': link('../work') });
    for (const given of [PROJECT, { id: 'bundled', level: 'bundled' } as const]) {
      expect(locate(root, given)).toEqual({
        ok: false,
        code: 'PATH_REFUSED',
        message: 'the folder of the skill "pdf" is now a link to a place outside its source',
      });
    }
  });

  test('is reported as gone if it became a link to a folder without a skill', () => {
    const root = makeTree({ 'secrets/key': 'foreign', 'skills/pdf': link('../secrets') });
    expect(locate(root)).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: `the skill "pdf" is gone: ${join(root, 'skills/pdf/SKILL.md')} no longer exists`,
    });
  });

  test.each([
    ['was removed', (dir: string) => rmSync(dir, { recursive: true })],
    ['became a link to nowhere', (dir: string) => (rmSync(dir, { recursive: true }), symlinkSync('gone', dir))],
    ['became a link to itself', (dir: string) => (rmSync(dir, { recursive: true }), symlinkSync('pdf', dir))],
    ['lost its SKILL.md', (dir: string) => renameSync(join(dir, 'SKILL.md'), join(dir, 'other.md'))],
    ['moved with all of its source', (dir: string) => renameSync(dirname(dir), join(dirname(dir), '../moved'))],
  ])('is reported as gone if it %s', (_, change) => {
    const root = makeTree({ 'skills/pdf/SKILL.md': TEXT });
    change(join(root, 'skills/pdf'));
    expect(locate(root)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });
});

describe('a source folder', () => {
  test('that is a link out of its project is refused', () => {
    const root = makeTree({ 'home/skills/pdf/SKILL.md': TEXT, 'project/skills': link('../home/skills') });
    const project = join(root, 'project');
    expect(locate(project, { ...PROJECT, boundary: project })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(locate(project, { ...PROJECT, boundary: root })).toMatchObject({ ok: true });
  });

  test('that is the project itself, or in a project behind a link, is accepted', () => {
    const root = makeTree({ 'real/skills/pdf/SKILL.md': TEXT, project: link('real') });
    const project = join(root, 'project');
    expect(locate(project, { ...PROJECT, boundary: project })).toMatchObject({ ok: true });
    expect(locate(project, { ...PROJECT, boundary: join(project, 'skills') })).toMatchObject({ ok: true });
  });

  test('whose project is gone is refused', () => {
    const root = makeTree({ 'skills/pdf/SKILL.md': TEXT });
    expect(locate(root, { ...PROJECT, boundary: join(root, 'gone') })).toMatchObject({ code: 'PATH_REFUSED' });
  });

  test('that is no longer a source yields no skill, even if another source has the same folder', () => {
    const root = makeTree({ 'skills/pdf/SKILL.md': TEXT });
    mkdirSync(join(root, 'other'));
    const roots = [sourceRoot(join(root, 'other')), sourceRoot(join(root, 'skills'), { id: 'claude-user' })];
    expect(locateSkill(skillIn(root), { roots, userId: USER })).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  });
});
