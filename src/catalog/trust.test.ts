import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { makeTree, skillText, writeTree } from '../../test/support/tree.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { digestFolder } from '../parse/digest.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { isTrustedByPlace, openTrust } from './trust.ts';

const PROJECT: Partial<SourceRoot> = { id: 'project', level: 'project' };

function makeSkill(root: Partial<SourceRoot> = PROJECT): { readonly home: string; readonly skill: Skill } {
  const tree = makeTree({ 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }), 'skills/pdf/scripts/a.sh': 'echo a\n' });
  return { home: join(tree, 'home'), skill: foundSkill(join(tree, 'skills/pdf'), {}, root).skill };
}

function digestOf({ dir }: Skill): string {
  const digest = digestFolder(openSkillFolder(dir));
  if (!digest.ok) throw new Error(digest.message);
  return digest.digest;
}

test.each([
  ['bundled', 'bundled', true],
  ['user', 'user', true],
  ['agents-user', 'user', false],
  ['claude-user', 'user', false],
  ['codex-user', 'user', false],
  ['cursor-user', 'user', false],
  ['plugin', 'user', false],
  ['claude-plugins', 'user', false],
  ['custom:0', 'user', false],
  ['custom:1', 'project', false],
  ['project', 'project', false],
  ['claude-project', 'project', false],
] as const)('a skill of the source %s at %s level is trusted without being asked: %s', (source, level, isTrusted) => {
  expect(isTrustedByPlace({ source, level })).toBe(isTrusted);
  const { home, skill } = makeSkill({ id: source, level });
  expect(openTrust(home).judge(skill).ok).toBe(isTrusted);
});

describe('a project’s skill', () => {
  test('is not trusted, and the failure says how to trust it', () => {
    const { home, skill } = makeSkill();
    expect(openTrust(home).judge(skill)).toEqual({
      ok: false,
      code: 'NOT_TRUSTED',
      message: '"pdf" is not trusted',
      next: { do: 'trust', skill: 'pdf' },
    });
  });

  test('is trusted by every process until any file of it changes', async () => {
    const { home, skill } = makeSkill();
    expect(await openTrust(home).grant(skill, digestOf(skill))).toMatchObject({ ok: true });
    expect(openTrust(home).judge(skill)).toEqual({ ok: true, by: 'user', because: 'you trusted this version' });
    writeTree(skill.dir, { 'scripts/a.sh': 'echo b\n' });
    expect(openTrust(home).judge(skill)).toMatchObject({
      code: 'NOT_TRUSTED',
      message: expect.stringContaining('changed after you trusted it'),
    });
    writeTree(skill.dir, { 'scripts/a.sh': 'echo a\n' });
    expect(openTrust(home).judge(skill)).toMatchObject({ ok: true });
    writeTree(skill.dir, { 'new.txt': '' });
    expect(openTrust(home).judge(skill)).toMatchObject({ code: 'NOT_TRUSTED' });
  });

  test('is not trusted if it contains a link, even if trusted before', async () => {
    const { home, skill } = makeSkill();
    await openTrust(home).grant(skill, digestOf(skill));
    symlinkSync('/etc/passwd', join(skill.dir, 'link'));
    expect(openTrust(home).judge(skill)).toMatchObject({
      code: 'NOT_TRUSTED',
      message: expect.stringContaining('link is a link'),
    });
  });

  test('is trusted only in its folder, not in a copy elsewhere', async () => {
    const { home, skill } = makeSkill();
    await openTrust(home).grant(skill, digestOf(skill));
    const other = makeSkill().skill;
    expect(digestOf(other)).toBe(digestOf(skill));
    expect(openTrust(home).judge(other)).toMatchObject({ code: 'NOT_TRUSTED' });
  });

  test('runs from a copy of the state that was trusted', async () => {
    const { home, skill } = makeSkill();
    const copyDir = join(home, 'copy');
    await openTrust(home).grant(skill, digestOf(skill));
    const prepared = openTrust(home).prepare({ skill, realDir: skill.dir }, copyDir);
    expect(prepared).toEqual({ ok: true, runDir: copyDir });
    expect(digestOf({ ...skill, dir: copyDir })).toBe(digestOf(skill));
  });

  test.each([
    ['a file', (dir: string) => writeFileSync(join(dir, 'SKILL.md'), 'other')],
    ['a package', (dir: string) => writeTree(dir, { 'node_modules/b/index.js': '2' })],
    ['a permission', (dir: string) => chmodSync(join(dir, 'SKILL.md'), 0o755)],
    ['a link', (dir: string) => symlinkSync('/etc/passwd', join(dir, 'link'))],
  ])('does not run after a change of %s', async (_, change) => {
    const { home, skill } = makeSkill();
    writeTree(skill.dir, { 'node_modules/b/index.js': '1' });
    await openTrust(home).grant(skill, digestOf(skill));
    change(skill.dir);
    expect(openTrust(home).prepare({ skill, realDir: skill.dir }, join(home, 'copy'))).toMatchObject({
      ok: false,
      code: 'NOT_TRUSTED',
    });
  });

  test('can be trusted again after a change, and revoked', async () => {
    const { home, skill } = makeSkill();
    const trust = openTrust(home);
    await trust.grant(skill, digestOf(skill));
    writeTree(skill.dir, { 'new.txt': '' });
    await trust.grant(skill, digestOf(skill));
    expect(trust.judge(skill)).toMatchObject({ ok: true });
    expect(await trust.revoke(skill)).toMatchObject({ ok: true, wasTrusted: true });
    expect(trust.judge(skill)).toMatchObject({ code: 'NOT_TRUSTED' });
    expect(await trust.revoke(skill)).toMatchObject({ ok: true, wasTrusted: false });
  });
});

test('trust in a folder is removed by any path to it, and other folders stay trusted', async () => {
  const { home, skill } = makeSkill();
  const trust = openTrust(home);
  expect(await trust.forget(skill.dir)).toEqual({ ok: true, wasTrusted: false });
  expect(existsSync(home)).toBe(false);
  await trust.grant(skill, digestOf(skill));
  const other = makeSkill().skill;
  await trust.grant(other, digestOf(other));
  const linked = join(makeTree(), 'linked');
  symlinkSync(skill.dir, linked);
  expect(await trust.forget(linked)).toMatchObject({ ok: true, wasTrusted: true });
  expect([trust.judge(skill).ok, trust.judge(other).ok]).toEqual([false, true]);
  writeFileSync(join(home, 'trust.json'), 'garbage');
  expect(await trust.forget(other.dir)).toMatchObject({ ok: false, code: 'STORE_FAILED' });
});

test('your own skill runs where it is', () => {
  const { home, skill } = makeSkill({ id: 'user', level: 'user' });
  const prepared = openTrust(home).prepare({ skill, realDir: skill.dir }, join(home, 'copy'));
  expect(prepared).toEqual({ ok: true, runDir: skill.dir });
});

test('trust in your own skills cannot be revoked', async () => {
  const { home, skill } = makeSkill({ id: 'user', level: 'user' });
  expect(await openTrust(home).revoke(skill)).toMatchObject({
    code: 'NOT_TRUSTED',
    next: { do: 'disable', skill: 'pdf' },
  });
});

describe('the trust file', () => {
  test('is readable only by its owner and lists the trusted skills', async () => {
    const { home, skill } = makeSkill();
    await openTrust(home).grant(skill, digestOf(skill));
    const file = join(home, 'trust.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      skills: [{ dir: skill.dir, name: 'pdf', digest: digestOf(skill), trustedAt: expect.any(String) }],
    });
  });

  test.each(['', '{', '[]', 'null', '{"version":2,"skills":[]}', '{"version":1,"skills":[{"dir":1}]}'])(
    'trusts nothing and is not overwritten if it is invalid: %j',
    async (text) => {
      const { home, skill } = makeSkill();
      writeTree(home, { 'trust.json': text });
      expect(openTrust(home).judge(skill)).toMatchObject({
        code: 'NOT_TRUSTED',
        message: expect.stringContaining('is not a valid trust file'),
      });
      expect(await openTrust(home).grant(skill, digestOf(skill))).toMatchObject({ code: 'STORE_FAILED' });
      expect(readFileSync(join(home, 'trust.json'), 'utf8')).toBe(text);
    },
  );

  test('keeps all skills that are trusted at the same time', async () => {
    const { home } = makeSkill();
    const skills = Array.from({ length: 8 }, () => makeSkill().skill);
    await Promise.all(skills.map((skill) => openTrust(home).grant(skill, digestOf(skill))));
    expect(skills.every((skill) => openTrust(home).judge(skill).ok)).toBe(true);
  });

  test('that cannot be written makes granting trust fail', async () => {
    const { skill } = makeSkill();
    const home = join(makeTree({ file: '' }), 'file');
    writeFileSync(home, 'no folder');
    expect(await openTrust(home).grant(skill, digestOf(skill))).toMatchObject({ code: 'STORE_FAILED' });
  });
});
