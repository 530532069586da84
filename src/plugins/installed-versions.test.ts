import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { makeRepository, type TestRepository } from '../../test/support/git-repositories.ts';
import { serveGit } from '../../test/support/git-server.ts';
import {
  catalogOf,
  done,
  makeInstallWorld,
  skill,
  snapshot,
  type InstallWorld,
} from '../../test/support/install-world.ts';
import { link, makeTree, writeTree, type Tree } from '../../test/support/tree.ts';
import { openTrust } from '../catalog/trust.ts';
import { editConfig } from '../config/edit-config.ts';
import { skillDigest } from '../parse/digest.ts';
import { openSkillFolder } from '../platform/folder.ts';
import type { SkillUpdate, UpdateCheck } from './check-updates.ts';

const takeAll = async ({ updates }: UpdateCheck): Promise<readonly SkillUpdate[]> => updates;
const takeNone = async (): Promise<readonly SkillUpdate[]> => [];

interface Installed extends InstallWorld {
  readonly source: TestRepository;
  /** The first commit, which is the one installed. */
  readonly first: string;
  read(path: string): string;
}

/** A world with a skill out of a repository. */
async function install(tree: Tree = { 'SKILL.md': skill('pdf'), 'a.txt': 'one\n' }, ref?: string): Promise<Installed> {
  const world = makeInstallWorld();
  const source = makeRepository(tree);
  done(await world.user.install({ url: source.url, all: true, ref }));
  const first = source.git(['rev-parse', 'HEAD']).trim();
  return { ...world, source, first, read: (path) => readFileSync(join(world.plugins, path), 'utf8') };
}

describe('an update', () => {
  test('shows commits, files and lines, and is made by whoever says so', async () => {
    const world = await install({ 'SKILL.md': skill('pdf'), 'a.txt': 'one\n', 'b.sh': '#!/bin/sh\n', gone: 'x' });
    rmSync(join(world.source.dir, 'gone'));
    chmodSync(join(world.source.dir, 'b.sh'), 0o644);
    const second = world.source.commit({ 'a.txt': 'two\n', 'c.bin': Buffer.from([0, 255]) });
    const before = snapshot(world.root);
    let diff = '';
    const checked = done(
      await world.user.update([], async ({ updates }) => {
        diff = updates.map((update) => update.diff()).join('');
        return [];
      }),
    );
    expect(checked).toMatchObject({ updated: [], current: [], pinned: [], failed: [] });
    expect(checked.updates).toMatchObject([
      {
        name: 'pdf',
        before: { commit: world.first },
        after: { entry: { commit: second } },
        localChanges: [],
        changes: [
          { path: 'a.txt', kind: 'changed' },
          { path: 'b.sh', kind: 'mode' },
          { path: 'c.bin', kind: 'added' },
          { path: 'gone', kind: 'removed' },
        ],
      },
    ]);
    expect(diff).toContain('-one\n+two\n');
    expect(diff).toContain('b.sh: what may be executed changes\n');
    expect(diff).toContain('c.bin: added, and no text\n');
    expect(diff).toContain('--- a/gone');
    expect(snapshot(world.root)).toEqual(before);
    expect(done(await world.user.update(['pdf'], takeAll)).updated).toHaveLength(1);
    expect(world.read('pdf/a.txt')).toBe('two\n');
    expect(readdirSync(join(world.plugins, 'pdf')).toSorted()).toEqual(['SKILL.md', 'a.txt', 'b.sh', 'c.bin']);
    expect(done(await world.user.find('pdf')).plugin).toMatchObject({ locked: { commit: second } });
    expect(done(await world.user.update([], takeAll))).toMatchObject({ updated: [], current: ['pdf'] });
  });

  test('fetches a repository once, whatever number of skills came from it', async () => {
    const world = makeInstallWorld();
    const root = makeTree();
    const names = ['a', 'b', 'c', 'd'];
    const tree = Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, skill(name)]));
    const source = makeRepository(tree, join(root, 'many'));
    const server = await serveGit(root);
    const url = `${server.origin}/many/.git`;
    done(await world.user.install({ url, all: true }));
    const once = server.requests.length;
    source.commit({ 'skills/b/SKILL.md': skill('b', { description: 'Newer.' }) });
    const checked = done(await world.user.update([], takeAll));
    expect(checked).toMatchObject({ current: ['a', 'c', 'd'], updated: [{ name: 'b' }] });
    expect(server.requests.length - once).toBe(once);
    rmSync(join(world.plugins, 'a'), { recursive: true });
    rmSync(join(world.plugins, 'c'), { recursive: true });
    const before = server.requests.length;
    done(await world.user.restore());
    expect(server.requests.length - before).toBeLessThanOrEqual(once);
  });

  test('leaves what is pinned to a commit, and follows a branch or a moved tag', async () => {
    const source = makeRepository({ 'SKILL.md': skill('pdf'), v: '1' });
    source.git(['tag', 'v1']);
    const first = source.git(['rev-parse', 'HEAD']).trim();
    const world = makeInstallWorld();
    for (const [name, ref] of [
      ['by-commit', first],
      ['by-tag', 'v1'],
      ['by-branch', 'main'],
      ['by-default', undefined],
    ] as const)
      done(await world.user.install({ url: source.url, ref, name }));
    source.commit({ v: '2' });
    expect(done(await world.user.update([], takeAll))).toMatchObject({
      pinned: ['by-commit'],
      current: ['by-tag'],
      updated: [{ name: 'by-branch' }, { name: 'by-default' }],
    });
    source.git(['tag', '--force', 'v1']);
    expect(done(await world.user.update([], takeAll)).updated).toMatchObject([{ name: 'by-tag' }]);
  });

  test('keeps a skill off that was switched off, with its name and its remarks', async () => {
    const world = await install();
    const file = join(world.agentHome, 'config.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('enabled: true', 'enabled: false # too loud'));
    world.source.commit({ 'a.txt': 'two\n' });
    done(await world.user.update([], takeAll));
    expect(readFileSync(file, 'utf8')).toContain('enabled: false # too loud');
    expect(parse(readFileSync(file, 'utf8')).skills.plugins).toHaveLength(1);
    await using catalog = await catalogOf(world);
    expect(done(catalog.find('pdf')).skill).toMatchObject({ enabled: false });
  });

  test.each([
    ['is not valid', { 'SKILL.md': '---\n- a\n---\n' }, 'PARSE_FAILED'],
    ['has no SKILL.md', { 'SKILL.md': undefined, other: 'x' }, 'PARSE_FAILED'],
    ['has a link', { x: link('/etc/passwd') }, 'PATH_REFUSED'],
  ])('to a version that %s fails, and the old one works on', async (_what, tree, code) => {
    const world = await install();
    for (const [path, content] of Object.entries(tree))
      if (content === undefined) rmSync(join(world.source.dir, path));
      else writeTree(world.source.dir, { [path]: content });
    world.source.commit({});
    const before = snapshot(world.root);
    const checked = done(await world.user.update([], takeAll));
    expect(checked).toMatchObject({ updated: [], updates: [], failed: [{ name: 'pdf', code }] });
    expect(snapshot(world.root)).toEqual(before);
  });

  test('whose folder or repository is gone says so for that skill, and updates the others', async () => {
    const world = await install({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
    const other = makeRepository({ 'SKILL.md': skill('other') });
    done(await world.user.install({ url: other.url }));
    rmSync(other.dir, { recursive: true });
    rmSync(join(world.source.dir, 'skills/a'), { recursive: true });
    world.source.commit({ 'skills/b/x': 'x' });
    const checked = done(await world.user.update([], takeAll));
    expect(checked.updated).toMatchObject([{ name: 'b' }]);
    expect(checked.failed).toMatchObject([
      { name: 'a', code: 'SKILL_NOT_FOUND', message: expect.stringContaining('no skills/a any more') },
      { name: 'other', code: 'INSTALL_FAILED' },
    ]);
    expect(readdirSync(world.plugins).filter((name) => !name.startsWith('.'))).toEqual(['a', 'b', 'other']);
  });

  test('tells what somebody changed on the disk, shows it in the diff, and keeps it for going back', async () => {
    const world = await install();
    writeTree(world.plugins, { 'pdf/a.txt': 'mine\n', 'pdf/new.txt': 'new\n' });
    world.source.commit({ 'SKILL.md': skill('pdf', { description: 'Newer.' }) });
    let diff = '';
    const checked = done(
      await world.user.update([], async ({ updates }) => {
        diff = updates.map((update) => update.diff()).join('');
        return updates;
      }),
    );
    expect(checked.updates[0]).toMatchObject({
      changes: [{ path: 'SKILL.md', kind: 'changed' }],
      localChanges: [
        { path: 'a.txt', kind: 'changed' },
        { path: 'new.txt', kind: 'added' },
      ],
    });
    expect(diff).toContain('-mine\n+one\n');
    expect(diff).toContain('-new\n');
    expect(world.read('pdf/a.txt')).toBe('one\n');
    done(await world.user.rollback('pdf'));
    expect(world.read('pdf/a.txt')).toBe('mine\n');
  });

  test('of a skill that another process changed in between is not made', async () => {
    const world = await install();
    world.source.commit({ 'a.txt': 'two\n' });
    const before = snapshot(world.plugins);
    const lock = join(world.agentHome, 'skills-lock.yaml');
    const decide = async ({ updates }: UpdateCheck): Promise<readonly SkillUpdate[]> => {
      writeFileSync(lock, readFileSync(lock, 'utf8').replace(world.first, '0'.repeat(40)));
      return updates;
    };
    const failed = await world.user.update([], decide);
    expect(failed).toMatchObject({ ok: false, message: expect.stringContaining('by another process') });
    expect(snapshot(world.plugins)).toEqual(before);
    expect(readFileSync(lock, 'utf8')).toContain('0'.repeat(40));
  });

  test('that cannot even be written down leaves nothing behind', async () => {
    const world = await install();
    world.source.commit({ 'a.txt': 'two\n' });
    rmSync(join(world.agentHome, 'pending'), { recursive: true });
    writeFileSync(join(world.agentHome, 'pending'), 'in the way');
    const before = snapshot(world.root);
    expect(await world.user.update([], takeAll)).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(snapshot(world.root)).toEqual(before);
  });

  test('of what is not installed says what is', async () => {
    const world = await install();
    expect(await world.user.update(['docx'], takeAll)).toMatchObject({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: '"docx" is not installed as a plugin; there are pdf',
    });
    expect(await makeInstallWorld().team.verify(['x'])).toMatchObject({
      message: '"x" is not installed in this project; nothing is',
    });
  });
});

describe('going back', () => {
  test('returns to the version before, and doing it twice comes back', async () => {
    const world = await install();
    const old = snapshot(join(world.plugins, 'pdf'));
    const second = world.source.commit({ 'a.txt': 'two\n' });
    done(await world.user.update([], takeAll));
    const updated = snapshot(join(world.plugins, 'pdf'));
    expect(done(await world.user.rollback('pdf'))).toMatchObject({
      before: { commit: second },
      after: { commit: world.first },
    });
    expect(snapshot(join(world.plugins, 'pdf'))).toEqual(old);
    expect(done(await world.user.verify()).plugins).toMatchObject([{ state: 'unchanged' }]);
    done(await world.user.rollback('pdf'));
    expect(snapshot(join(world.plugins, 'pdf'))).toEqual(updated);
    expect(done(await world.user.find('pdf')).plugin.locked).toMatchObject({ commit: second });
  });

  test('reaches only one version back, and keeps no more than that one', async () => {
    const world = await install();
    for (const text of ['two', 'three', 'four']) {
      world.source.commit({ 'a.txt': text });
      done(await world.user.update([], takeAll));
    }
    const kept = join(world.plugins, '.skillplane/previous-pdf');
    expect(readdirSync(kept)).toHaveLength(2);
    done(await world.user.rollback('pdf'));
    expect(world.read('pdf/a.txt')).toBe('three');
    expect(readdirSync(kept)).toHaveLength(2);
    expect(readdirSync(join(world.plugins, '.skillplane')).toSorted()).toEqual(['.gitignore', 'previous-pdf']);
  });

  test('is refused where there is no version before, or no such skill', async () => {
    const world = await install();
    const before = snapshot(world.root);
    expect(await world.user.rollback('pdf')).toMatchObject({
      ok: false,
      message: expect.stringContaining('no version'),
    });
    expect(await world.user.rollback('docx')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
    expect(snapshot(world.root)).toEqual(before);
  });

  test.each([
    ['the folder', 'previous-pdf', link('../../../outside')],
    ['the record', 'previous-pdf/lock.yaml', link('../../../../../outside/file')],
  ])('follows no link that somebody put in place of %s', async (_what, path, target) => {
    const world = makeInstallWorld({ 'outside/file': '' });
    const source = makeRepository({ 'SKILL.md': skill('pdf') });
    done(await world.team.install({ url: source.url }));
    writeTree(world.project, { [`.agent/skills/.skillplane/${path}`]: target });
    source.commit({ x: 'x' });
    const before = snapshot(world.root);
    expect(await world.team.update([], takeAll)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(await world.team.remove('pdf')).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect((await world.team.rollback('pdf')).ok).toBe(false);
    const { 'project/.agent/skills/.skillplane/.gitignore': _ignore, ...after } = snapshot(world.root);
    expect(after).toEqual(before);
  });
});

describe('removing', () => {
  test('takes the folder, the lock entry, the plugin entry, the version before and the trust', async () => {
    const world = await install();
    world.source.commit({ 'a.txt': 'two\n' });
    done(await world.user.update([], takeAll));
    const trust = openTrust(world.agentHome);
    await using catalog = await catalogOf(world);
    const found = done(catalog.find('pdf')).skill;
    done(await trust.grant(found, done(skillDigest(openSkillFolder(found.dir))).digest));
    expect(trust.judge(found).ok).toBe(true);
    expect(done(await world.user.remove('pdf'))).toMatchObject({ name: 'pdf', dir: join(world.plugins, 'pdf') });
    expect(readdirSync(world.plugins)).toEqual([]);
    expect(readFileSync(join(world.agentHome, 'skills-lock.yaml'), 'utf8')).toContain('skills: {}');
    expect(parse(readFileSync(join(world.agentHome, 'config.yaml'), 'utf8')).skills.plugins).toEqual([]);
    expect(readFileSync(join(world.agentHome, 'trust.json'), 'utf8')).not.toContain('pdf');
    done(await world.user.install({ url: world.source.url }));
    expect(trust.judge(found).ok).toBe(false);
  });

  test('works for what is only listed, only locked, or whose folder is gone', async () => {
    const world = await install();
    rmSync(join(world.plugins, 'pdf'), { recursive: true });
    await editConfig(join(world.agentHome, 'config.yaml'), (editor) =>
      editor.putPlugin({ url: 'https://example.org/o/listed', enabled: true }),
    );
    expect(done(await world.user.list()).plugins).toMatchObject([
      { name: 'listed', isPresent: false, locked: undefined, tracked: { url: 'https://example.org/o/listed' } },
      { name: 'pdf', isPresent: false, locked: { name: 'pdf' }, tracked: { name: 'pdf' } },
    ]);
    done(await world.user.remove('pdf'));
    done(await world.user.remove('listed'));
    expect(done(await world.user.list()).plugins).toEqual([]);
    expect(await world.user.remove('pdf')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });
});

describe('verifying', () => {
  test('names every file that is not as it was installed', async () => {
    const world = await install({
      'SKILL.md': skill('pdf'),
      'changed.txt': 'x',
      'gone.txt': 'x',
      'mode.sh': '#!/bin/sh\n',
      'linked.txt': 'x',
      'kept.txt': 'x',
    });
    expect(done(await world.user.verify()).plugins).toMatchObject([{ name: 'pdf', state: 'unchanged', changes: [] }]);
    const dir = join(world.plugins, 'pdf');
    writeTree(dir, { 'changed.txt': 'y', 'deep/added.txt': 'x' });
    rmSync(join(dir, 'gone.txt'));
    chmodSync(join(dir, 'mode.sh'), 0o644);
    rmSync(join(dir, 'linked.txt'));
    symlinkSync('kept.txt', join(dir, 'linked.txt'));
    symlinkSync('/etc/passwd', join(dir, 'outside.txt'));
    expect(done(await world.user.verify(['pdf'])).plugins).toMatchObject([
      {
        state: 'changed',
        changes: [
          { path: 'changed.txt', kind: 'changed' },
          { path: 'deep/added.txt', kind: 'added' },
          { path: 'gone.txt', kind: 'removed' },
          { path: 'linked.txt', kind: 'changed' },
          { path: 'mode.sh', kind: 'mode' },
          { path: 'outside.txt', kind: 'added' },
        ],
      },
    ]);
    rmSync(dir, { recursive: true });
    expect(done(await world.user.verify()).plugins).toMatchObject([{ state: 'missing', changes: [] }]);
  });

  test('a change ends the trust in a skill', async () => {
    const world = await install();
    await using catalog = await catalogOf(world);
    const found = done(catalog.find('pdf')).skill;
    const trust = openTrust(world.agentHome);
    done(await trust.grant(found, done(skillDigest(openSkillFolder(found.dir))).digest));
    world.source.commit({ 'a.txt': 'two\n' });
    done(await world.user.update([], takeNone));
    expect(trust.judge(found).ok).toBe(true);
    done(await world.user.update([], takeAll));
    expect(trust.judge(found)).toMatchObject({ ok: false, message: expect.stringContaining('has changed since') });
    done(await world.user.rollback('pdf'));
    writeTree(world.plugins, { 'pdf/a.txt': 'mine' });
    expect(trust.judge(found).ok).toBe(false);
  });
});

describe('installing what the lock says', () => {
  test('takes the exact commit, even where branch and tag have moved', async () => {
    const world = await install({ 'SKILL.md': skill('pdf'), v: '1' }, 'main');
    world.source.commit({ v: '2' });
    rmSync(world.plugins, { recursive: true });
    const lock = readFileSync(join(world.agentHome, 'skills-lock.yaml'), 'utf8');
    expect(done(await world.user.restore())).toMatchObject({ restored: ['pdf'], present: [] });
    expect(world.read('pdf/v')).toBe('1');
    expect(readFileSync(join(world.agentHome, 'skills-lock.yaml'), 'utf8')).toBe(lock);
    expect(done(await world.user.restore())).toMatchObject({ restored: [], present: ['pdf'] });
  });

  test('works in a project that somebody else cloned', async () => {
    const world = makeInstallWorld();
    const source = makeRepository({ 'SKILL.md': skill('pdf'), 'run.sh': '#!/bin/sh\n' });
    done(await world.team.install({ url: source.url }));
    const lock = readFileSync(join(world.project, '.agent/skills-lock.yaml'), 'utf8');
    const other = makeInstallWorld({ 'project/.agent/skills-lock.yaml': lock });
    expect(done(await other.team.restore(['pdf']))).toMatchObject({ restored: ['pdf'] });
    expect(snapshot(other.project)).toEqual(snapshot(world.project));
    expect(done(await other.team.verify()).plugins).toMatchObject([{ state: 'unchanged' }]);
  });

  test('installs nothing where the content is not what the lock says, be it of one skill of several', async () => {
    const tree = { 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') };
    const world = await install(tree);
    rmSync(world.plugins, { recursive: true });
    const lock = join(world.agentHome, 'skills-lock.yaml');
    const text = readFileSync(lock, 'utf8');
    const { digest, files } = parse(text).skills.b;
    for (const old of [digest, files[0].digest]) {
      writeFileSync(lock, text.replace(old, `sha256:${'0'.repeat(64)}`));
      const before = snapshot(world.root);
      expect(await world.user.restore()).toMatchObject({
        ok: false,
        code: 'INSTALL_FAILED',
        message: expect.stringMatching(/"b".*not what the lock says; nothing was installed/),
      });
      expect(snapshot(world.root)).toEqual(before);
    }
  });

  test('says so where the commit is gone', async () => {
    const world = await install();
    rmSync(world.plugins, { recursive: true });
    world.source.commit({ 'a.txt': 'two\n' });
    world.source.git(['checkout', '--quiet', '--orphan', 'new']);
    world.source.commit({});
    world.source.git(['branch', '--quiet', '-D', 'main']);
    world.source.git(['reflog', 'expire', '--expire=now', '--all']);
    world.source.git(['gc', '--quiet', '--prune=now']);
    const before = snapshot(world.root);
    const failed = await world.user.restore();
    expect(failed).toMatchObject({ ok: false, message: expect.stringContaining(world.first) });
    expect(snapshot(world.root)).toEqual(before);
  });

  test('replaces what was changed on the disk, and keeps that for going back', async () => {
    const world = await install();
    writeTree(world.plugins, { 'pdf/a.txt': 'mine\n' });
    expect(done(await world.user.restore())).toMatchObject({ restored: ['pdf'] });
    expect(world.read('pdf/a.txt')).toBe('one\n');
    done(await world.user.rollback('pdf'));
    expect(world.read('pdf/a.txt')).toBe('mine\n');
  });

  test('replaces even a file or a link that is there in its place', async () => {
    const world = await install();
    const dir = join(world.plugins, 'pdf');
    rmSync(dir, { recursive: true });
    writeFileSync(dir, 'x');
    done(await world.user.restore());
    expect(world.read('pdf/a.txt')).toBe('one\n');
    renameSync(dir, join(world.root, 'elsewhere'));
    mkdirSync(join(world.root, 'mine'));
    symlinkSync(join(world.root, 'mine'), dir);
    done(await world.user.restore());
    expect(world.read('pdf/a.txt')).toBe('one\n');
    expect(readdirSync(join(world.root, 'mine'))).toEqual([]);
  });

  test.each(['../../etc', '/etc', '.git', 'a//b'])('refuses the folder %j of a lock', async (path) => {
    const world = await install();
    rmSync(world.plugins, { recursive: true });
    const lock = join(world.agentHome, 'skills-lock.yaml');
    const text = readFileSync(lock, 'utf8');
    writeFileSync(lock, text.replace('    digest:', `    path: ${JSON.stringify(path)}\n    digest:`));
    expect(await world.user.restore()).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });
});
