import { appendFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeRepository, type TestRepository } from '../../test/support/git-repositories.ts';
import { done, makeInstallWorld, skill, snapshot, type InstallWorld } from '../../test/support/install-world.ts';
import { writeTree, type Tree } from '../../test/support/tree.ts';
import { exactChoice } from '../model/origin.ts';

interface Scene extends InstallWorld {
  readonly source: TestRepository;
  readonly dir: string;
}

/** A plugin `pdf` in the configuration, without a lock, and its folder. */
function makeScene(folder: Tree, entry = ''): Scene {
  const source = makeRepository({
    'skills/pdf/SKILL.md': skill('pdf'),
    'skills/pdf/run.sh': '#!/bin/sh\n',
    'skills/docx/SKILL.md': skill('docx'),
  });
  const config = `skills:\n  # mine\n  plugins:\n    - url: ${source.url}\n      name: pdf\n      enabled: false\n${entry}`;
  const world = makeInstallWorld({ 'home/.agent/config.yaml': config });
  const dir = join(world.plugins, 'pdf');
  mkdirSync(world.plugins, { recursive: true });
  writeTree(world.plugins, Object.fromEntries(Object.entries(folder).map(([path, text]) => [`pdf/${path}`, text])));
  return { ...world, source, dir };
}

const EDITED = { 'SKILL.md': skill('pdf', { license: 'Mine' }), 'notes.md': 'x', '.git/HEAD': 'ref: x' };

describe('a plugin that is in the configuration but not in the lock', () => {
  test('is listed, verified as unlocked and offered an update, without any change on disk', async () => {
    const { user, dir, root } = makeScene(EDITED);
    const before = snapshot(root);
    expect(done(await user.list()).plugins).toMatchObject([{ name: 'pdf', isPresent: true }]);
    expect(done(await user.verify())).toMatchObject({
      plugins: [{ name: 'pdf', dir, state: 'unlocked', changes: [] }],
    });
    let diff = '';
    const { updates, updated } = done(
      await user.update([], async (check) => {
        diff = check.updates[0]?.diff() ?? '';
        return [];
      }),
    );
    expect([updates, updated]).toMatchObject([
      [
        {
          name: 'pdf',
          isAdopted: true,
          changes: [
            { path: 'SKILL.md', kind: 'changed' },
            { path: 'notes.md', kind: 'removed' },
            { path: 'run.sh', kind: 'added' },
          ],
          localChanges: [],
        },
      ],
      [],
    ]);
    expect(diff).toContain('-license: "Mine"\n');
    expect(snapshot(root)).toEqual(before);
  });

  test('keeps everything from being restored, and from being planned to be', async () => {
    const { user } = makeScene(EDITED);
    const restored = await user.restore();
    expect(restored).toMatchObject({ ok: false, code: 'INSTALL_FAILED' });
    expect(await user.planRestore()).toEqual(restored);
  });

  test('is locked by an update, and rollback restores its earlier files including git data', async () => {
    const { user, dir, home } = makeScene(EDITED);
    done(await user.update(['pdf'], async ({ updates }) => updates));
    expect(done(await user.verify(['pdf'])).plugins).toMatchObject([{ state: 'unchanged' }]);
    const { plugin } = done(await user.find('pdf'));
    expect(plugin).toMatchObject({ locked: { path: 'skills/pdf' }, tracked: { enabled: false } });
    expect(plugin.locked?.origin).toMatchObject({ kind: 'git', commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).toContain('# mine');
    expect(done(await user.update([], async ({ updates }) => updates))).toMatchObject({
      updates: [],
      current: ['pdf'],
    });
    done(await user.rollback('pdf'));
    expect(snapshot(dir)).toMatchObject(EDITED);
  });

  test('is locked by an update even if its folder is identical or missing', async () => {
    for (const folder of [{ 'SKILL.md': skill('pdf') }, {}]) {
      const { user, source } = makeScene(folder);
      source.commit({ 'skills/pdf/SKILL.md': skill('pdf') });
      done(await user.update([], async ({ updates }) => updates));
      expect(done(await user.verify())).toMatchObject({ plugins: [{ name: 'pdf', state: 'unchanged' }] });
    }
  });

  test('stays at the commit that the configuration names', async () => {
    const { user, source, environment } = makeScene({});
    const [found] = done(await user.update([], async () => [])).updates;
    const first = (found && exactChoice(found.after.entry.origin)) ?? '';
    source.commit({ 'skills/pdf/SKILL.md': skill('pdf', { license: 'New' }) });
    const config = join(environment.agentHome, 'config.yaml');
    writeTree(environment.agentHome, {
      'config.yaml': readFileSync(config, 'utf8').replace('name: pdf', `name: pdf\n      ref: ${first}`),
    });
    done(await user.update([], async ({ updates }) => updates));
    expect(done(await user.find('pdf')).plugin.locked).toMatchObject({
      origin: { ref: first, commit: first },
    });
    expect(done(await user.update([], async ({ updates }) => updates))).toMatchObject({ pinned: ['pdf'] });
  });

  test('fails to update with its own reason, while others can still be updated', async () => {
    const entries = '    - url: /no/such/folder\n      name: gone\n    - url: /x/y\n      name: linked\n';
    const { user, plugins, source } = makeScene({}, entries);
    appendFileSync(join(plugins, '../config.yaml'), `    - url: ${source.url}\n      name: other\n`);
    symlinkSync(plugins, join(plugins, 'linked'));
    const { updates, failed } = done(await user.update([], async () => []));
    expect(updates).toMatchObject([{ name: 'pdf' }]);
    expect(failed.map(({ name, message }) => [name, message])).toMatchObject([
      ['gone', expect.stringContaining('/no/such/folder')],
      ['linked', expect.stringContaining('is not a folder')],
      ['other', expect.stringMatching(/has no skill "other"; it has docx, pdf$/)],
    ]);
  });

  test('cannot be rolled back before an update has locked it, and the next step says so', async () => {
    const { user } = makeScene(EDITED);
    const failure = {
      code: 'SKILL_NOT_FOUND',
      message: '"pdf" is in config.yaml, but not in the lock file',
      next: { do: 'update', skill: 'pdf' },
    };
    expect(await user.rollback('pdf')).toMatchObject(failure);
  });

  test('is not locked again if another process locked it in the meantime', async () => {
    const { user } = makeScene(EDITED);
    const raced = await user.update([], async ({ updates }) => {
      done(await user.update([], async (check) => check.updates));
      return updates;
    });
    expect(raced).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  });
});
