import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { serve } from '../../../test/support/https-server.ts';
import { done, makeInstallWorld, skill, type InstallWorld } from '../../../test/support/install-world.ts';
import { findLeftovers, readInstalled } from '../../../test/support/installed.ts';
import { serveRegistry, type TestRegistry } from '../../../test/support/origin-worlds.ts';
import { writeTree } from '../../../test/support/tree.ts';
import { SkillInstaller } from '../installer.ts';

interface Scene extends InstallWorld, TestRegistry {}

async function setScene(): Promise<Scene> {
  const world = makeInstallWorld();
  return { ...world, ...(await serveRegistry(world.home)) };
}

const PDF = { path: 'pdf/SKILL.md', content: skill('pdf') };
const failed = (message: RegExp): object => ({ ok: false, message: expect.stringMatching(message) as string });

test("installing from an npm package runs none of its scripts, even if the user's npm allows scripts", async () => {
  const { user, home, root, publish, plugins } = await setScene();
  const mark = join(root, 'ran');
  const names = ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'pack', 'postpack', 'prepublishOnly'];
  const scripts = Object.fromEntries(names.map((name) => [name, `touch '${mark}'`]));
  publish('evil@1.0.0', [PDF], { fields: { scripts } });
  writeTree(home, {
    '.npmrc': `${readFileSync(join(home, '.npmrc'), 'utf8')}ignore-scripts=false\nforeground-scripts=true\n`,
  });
  done(await user.install({ url: 'npm:evil' }));
  expect(existsSync(join(plugins, 'pdf/SKILL.md'))).toBe(true);
  expect(existsSync(mark)).toBe(false);
});

test('the npm settings of a project cannot choose the registry; those of the user can', async () => {
  const { team, home, project, publish, env, server } = await setScene();
  const other = await serve(() => undefined, { isPlain: true });
  publish('@team/skills@1.0.0', [PDF]);
  writeTree(project, {
    '.npmrc': `registry=${other.url}/\n@team:registry=${other.url}/\n`,
    'package.json': `{"name":"x","workspaces":["a"],"publishConfig":{"registry":"${other.url}/"}}`,
    'a/package.json': '{"name":"@team/skills","version":"9.9.9"}',
  });
  done(await team.install({ url: 'npm:@team/skills' }));
  expect(other.seen).toEqual([]);
  expect(existsSync(join(project, '.agents/skills/pdf/SKILL.md'))).toBe(true);
  const asUser = new SkillInstaller({
    cwd: project,
    home,
    env: { ...env, 'npm_config_@team:registry': `${other.url}/` },
  });
  server.seen.length = 0;
  expect(await asUser.install({ url: 'npm:@team/skills' })).toMatchObject({ ok: false });
  expect([server.seen.length, other.seen.length > 0]).toEqual([0, true]);
});

test('skills of an npm package are found in skills/, dist/skills/, where its field skills points, and elsewhere', async () => {
  const { user, publish } = await setScene();
  const files = ['skills/a', 'dist/skills/b', 'tools/c', 'more/d', 'more/e', 'src/skills/f'].map((path) => {
    return { path: `${path}/SKILL.md`, content: skill(path.slice(-1)) };
  });
  const fields = { skills: ['./tools/c', 'more', 'npm:other', '../outside', '/etc'] };
  publish('many@1.0.0', files, { folder: '', fields });
  const installed = done(await user.install({ url: 'npm:many', all: true }));
  expect(installed.installed.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  const messages = installed.diagnostics.map(({ message }) => message).join('\n');
  expect(messages).toMatch(/npm:other is elsewhere; install it from there/);
  expect(messages).toMatch(/it names a path outside: \.\.\/outside[^]*outside: \/etc/);
});

test('an unnamed skill at the root of an npm package is named after the package', async () => {
  const { user, publish, plugins } = await setScene();
  const files = [
    { path: 'SKILL.md', content: '---\ndescription: Does it.\n---\n# It\n' },
    { path: 'skills/inner/SKILL.md', content: skill('inner') },
  ];
  publish('@team/one-skill@1.0.0', files, { folder: '' });
  const { installed } = done(await user.install({ url: 'npm:@team/one-skill' }));
  expect(installed).toMatchObject([{ name: 'team-one-skill' }]);
  expect(existsSync(join(plugins, 'team-one-skill/skills/inner/SKILL.md'))).toBe(true);
});

test('an npm range installs its newest version, a tag its version, and an exact version stays pinned', async () => {
  const { user, publish, home } = await setScene();
  const offer = (version: string, name: string, tag = 'latest'): void =>
    publish(`p@${version}`, [{ path: `${name}/SKILL.md`, content: skill(name, { version }) }], { tag });
  for (const [version, tag] of [['1.0.0'], ['1.2.0'], ['3.0.0-rc.1', 'next'], ['2.0.0']] as const)
    offer(version, 'pdf', tag);
  const chosen = async (url: string): Promise<unknown> => {
    done(await user.install({ url, force: true, name: 'pdf' }));
    const { origin } = readInstalled(home)['pdf']?.locked ?? {};
    return [origin?.ref, origin?.kind === 'npm' && origin.version];
  };
  expect(await chosen('npm:p@^1')).toEqual(['^1', '1.2.0']);
  offer('1.3.0', 'pdf', 'old');
  expect(done(await user.update([], async ({ updates }) => updates)).updated).toMatchObject([{ name: 'pdf' }]);
  expect(readInstalled(home)['pdf']?.locked.origin).toMatchObject({ ref: '^1', version: '1.3.0' });
  done(await user.remove('pdf'));
  expect(await chosen('npm:p@next')).toEqual(['next', '3.0.0-rc.1']);
  done(await user.remove('pdf'));
  expect(await chosen('npm:p@1.0.0')).toEqual(['1.0.0', '1.0.0']);
  expect(done(await user.update([], async ({ updates }) => updates))).toMatchObject({ pinned: ['pdf'], updates: [] });
  expect(await user.install({ url: 'npm:p@^9' })).toMatchObject(
    failed(/p@\^9 could not be fetched: it has no version in this range/),
  );
});

describe('installing from npm', () => {
  test('refuses a missing, empty or broken package with the reason and leaves nothing behind', async () => {
    const { user, publish, home } = await setScene();
    publish('empty@1.0.0', [{ path: 'x', content: 'x' }]);
    publish('broken@1.0.0', [PDF], { sent: Buffer.from('not a package') });
    const cases = [
      ['npm:gone', /the registry has no such package, or it is private/],
      ['npm:empty', /no skills in/],
      ['npm:broken', /npm:broken@1\.0\.0: the archive is not used: it is neither|broken could not be fetched/],
    ] as const;
    for (const [url, message] of cases) expect(await user.install({ url })).toMatchObject(failed(message));
    expect(readInstalled(home)).toEqual({});
    expect(findLeftovers(home)).toEqual([]);
  });

  test('says that the registry requires a login, and does not show the token', async () => {
    const { user, home, publish, server } = await setScene();
    publish('p@1.0.0', [PDF]);
    writeTree(home, { '.npmrc': `registry=${server.url}/\n//127.0.0.1:${server.port}/:_authToken=wrong-secret\n` });
    const refused = await user.install({ url: 'npm:p' });
    expect(refused).toMatchObject({
      ...failed(/the registry requires you to log in/),
      next: { ask: 'user', to: expect.stringContaining('.npmrc') as string },
    });
    expect(JSON.stringify(refused)).not.toContain('wrong-secret');
  });

  test('fails with a clear message if npm is not installed', async () => {
    const { project, home } = makeInstallWorld();
    const installer = new SkillInstaller({ cwd: project, home, env: { HOME: home, PATH: join(home, 'bin') } });
    expect(await installer.install({ url: 'npm:p' })).toMatchObject(failed(/npm is not installed, or not on the PATH/));
  });
});
