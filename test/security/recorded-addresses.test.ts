import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { renderLock } from '../../src/config/lock-file.ts';
import { findForeignSkills } from '../../src/hosts/importing/find-foreign-skills.ts';
import { SkillInstaller } from '../../src/install/installer.ts';
import type { Origin } from '../../src/model/origin.ts';
import { makeRepository } from '../support/git-repositories.ts';
import { serveGit } from '../support/git-server.ts';
import { serve, type TestServer } from '../support/https-server.ts';
import { done, makeInstallWorld, skill, type InstallWorld } from '../support/install-world.ts';
import { ORIGIN_MAKERS, type OriginMaker, type OriginWorld } from '../support/origin-worlds.ts';
import { writeTree } from '../support/tree.ts';

/*
 * A clone's lock, and the records of other tools in it, name addresses that no person typed. Whoever wrote them must not
 * make this machine send requests into its own network.
 */

const DIGEST = `sha256:${'0'.repeat(64)}`;

function lockOf(origin: Origin, path = 'pdf'): string {
  const file = { path: 'SKILL.md', digest: DIGEST, executable: false };
  return renderLock([{ name: 'pdf', origin, path, digest: DIGEST, files: [file] }]);
}

function team({ project: cwd, home, env }: InstallWorld, more: Readonly<Record<string, string>> = {}): SkillInstaller {
  return new SkillInstaller({ cwd, home, env: { ...env, ...more }, scope: 'project' });
}

async function messageOf(asked: ReturnType<SkillInstaller['restore']>): Promise<string> {
  const restored = await asked;
  return restored.ok ? 'it was installed' : `${restored.message}\n${JSON.stringify(restored.next)}`;
}

async function failuresOf(installer: SkillInstaller): Promise<string> {
  const { failed } = done(await installer.update([], async () => []));
  return failed.map(({ message }) => message).join();
}

const REFUSED = /inside your network/;

describe('an address in the own network', () => {
  async function makeServer(isPlain = false): Promise<TestServer> {
    return serve(() => ({ body: '{}' }), { isPlain });
  }

  const ORIGINS: Readonly<Record<string, (url: string) => Origin>> = {
    'a repository': (url) => ({ kind: 'git', url: `${url}/team/skills.git`, commit: 'a'.repeat(40) }),
    'an archive': (url) => ({ kind: 'archive', url: `${url}/skills.zip`, integrity: DIGEST }),
    'an index': (url) => ({ kind: 'web', url: `${url}/index.json`, artifact: `${url}/pdf/` }),
    'an artifact of an index': (url) => {
      return { kind: 'web', url: 'https://10.0.0.1/index.json', artifact: `${url}/x.zip`, integrity: DIGEST };
    },
  };

  const cases = Object.entries(ORIGINS).flatMap(([what, originOf]) =>
    ['https', 'http'].map((protocol) => [what, protocol, originOf] as const),
  );

  test.each(cases)('gets no request because a clone locks %s there, over %s', async (_what, protocol, originOf) => {
    const server = await makeServer(protocol === 'http');
    const world = makeInstallWorld({ 'project/.agent/skills-lock.yaml': lockOf(originOf(server.url)) });
    const installer = team(world, server.env);
    const message = await messageOf(installer.restore());
    expect(message).toMatch(REFUSED);
    expect(message).toMatch(/"set":"privateHosts","add":"(?:localhost|127\.0\.0\.1)"/);
    expect(await failuresOf(installer)).not.toBe('');
    expect(server.seen).toEqual([]);
  });

  test('gets no request because a clone locks a repository there for ssh', async () => {
    const world = makeInstallWorld({
      'project/.agent/skills-lock.yaml': lockOf({ kind: 'git', url: 'git@localhost:a/b', commit: 'a'.repeat(40) }),
    });
    const bin = makeInstallWorld({ 'home/ssh': '#!/bin/sh\ntouch "$0-was-called"\nexit 1\n' }).home;
    const PATH = `${bin}:${process.env['PATH']}`;
    expect(await messageOf(team(world, { PATH }).restore())).toMatch(REFUSED);
  });

  test.each([
    ['a repository', (url: string) => ({ sourceType: 'git', sourceUrl: `${url}/a/b.git`, skillPath: 'SKILL.md' })],
    ['an index', (url: string) => ({ sourceType: 'well-known', sourceUrl: `${url}/.well-known/skills/x` })],
    ['an archive', (url: string) => ({ sourceType: 'git', sourceUrl: `${url}/a.zip`, skillPath: 'SKILL.md' })],
  ])('gets no request because a clone has records of another tool that name %s there', async (_what, entryOf) => {
    const server = await makeServer();
    const world = makeInstallWorld({
      'project/skills-lock.json': JSON.stringify({ version: 1, skills: { pdf: entryOf(server.url) } }),
      'project/.agents/skills/pdf/SKILL.md': skill('pdf'),
    });
    const { project: cwd, home, env } = world;
    const { skills } = findForeignSkills({ cwd, home, env, scope: 'project' });
    expect(skills).toMatchObject([{ from: { address: expect.stringContaining(server.url) } }]);
    const taken = done(await team(world, server.env).takeOver({ skills }));
    expect(taken.notices.join()).toMatch(REFUSED);
    expect(server.seen).toEqual([]);
  });

  test('gets no request because a skill for all projects has a mark of another tool that names it', async () => {
    const server = await makeServer();
    const mark = { source: `${server.url}/a/b.git`, sourceType: 'git', repoUrl: `${server.url}/a/b.git`, subpath: '' };
    const {
      project: cwd,
      home,
      env,
    } = makeInstallWorld({
      'home/.claude/skills/pdf/SKILL.md': skill('pdf'),
      'home/.claude/skills/pdf/.openskills.json': JSON.stringify(mark),
    });
    const { skills } = findForeignSkills({ cwd, home, env });
    expect(skills).toMatchObject([{ from: { address: expect.stringContaining(server.url) } }]);
    const own = new SkillInstaller({ cwd, home, env: { ...env, ...server.env } });
    expect(done(await own.takeOver({ skills })).notices.join()).toMatch(REFUSED);
    expect(server.seen).toEqual([]);
  });
});

interface HubNames {
  readonly version?: string;
  readonly name?: string;
  readonly scope?: string;
}

describe('a hub', () => {
  const locked = { kind: 'hub', version: '1.0.0', integrity: DIGEST } as const;

  test.each([
    ['version', { version: '../../../../backup?x=' }],
    ['version', { version: '1.0.0/../../../../../backup?x=' }],
    ['version', { version: '%2e%2e%2f%2e%2e%2fbackup' }],
    ['name', { name: '..' }],
    ['name', { name: '..%2f..%2fbackup' }],
    ['name', { name: '%2e%2e' }],
    ['team', { scope: '..' }],
  ] satisfies readonly (readonly [string, HubNames])[])(
    'is asked for nothing but the skill that the lock names, whatever the %s there is: %j',
    async (_what, names: HubNames) => {
      const { version = '1.0.0', name = 'pdf', scope = 'team' } = names;
      const server = await serve(() => ({ body: '{}' }));
      const url = `${server.url}/@${scope}/${name}`;
      const world = makeInstallWorld({
        'home/.agent/hubs.json': JSON.stringify({ hubs: [{ url: server.url, token: 'made-for-tests', person: 'a' }] }),
        'project/.agent/skills-lock.yaml': lockOf({ ...locked, url, version }),
      });
      const installer = team(world, server.env);
      expect((await installer.restore()).ok).toBe(false);
      await installer.update([], async () => []);
      expect(server.seen).toEqual([]);
    },
  );
});

describe('an address of a clone in the own network', () => {
  const offered = [{ path: 'pdf/SKILL.md', content: skill('pdf') }];
  const makers = Object.entries(ORIGIN_MAKERS).filter(([, { kind }]) => ['archive', 'web', 'hub'].includes(kind));

  interface Scene extends InstallWorld {
    readonly installer: SkillInstaller;
    readonly origin: OriginWorld;
  }

  /** A project with the skill in its lock, as a colleague has installed it. */
  async function setScene(maker: OriginMaker): Promise<Scene> {
    const world = makeInstallWorld();
    const origin = await maker.make(world.home);
    origin.offer(offered);
    const installer = team(world, origin.env);
    done(await installer.install({ url: origin.url, skills: ['pdf'] }));
    writeTree(world.project, { '.agents/skills/pdf/SKILL.md': 'changed' });
    return { ...world, installer, origin };
  }

  test.each(makers)('is used for %s if the user lists its host in `privateHosts`', async (_name, maker) => {
    const { home, installer } = await setScene(maker);
    writeTree(home, { '.agent/config.yaml': 'skills:\n  privateHosts: [localhost]\n' });
    expect(done(await installer.restore()).restored).toEqual(['pdf']);
    expect(await failuresOf(installer)).toBe('');
  });

  test.each(makers)('is used for %s if the user has installed the same from there', async (_name, maker) => {
    const { project: cwd, home, env, installer, origin } = await setScene(maker);
    const own = new SkillInstaller({ cwd, home, env: { ...env, ...origin.env } });
    done(await own.install({ url: origin.url, skills: ['pdf'], replace: true }));
    expect(done(await installer.restore()).restored).toEqual(['pdf']);
    expect(await failuresOf(installer)).toBe('');
  });

  test('is used for a git server if the user lists its host', async () => {
    const source = makeRepository({ 'pdf/SKILL.md': skill('pdf') });
    const server = await serveGit(join(source.dir, '..'));
    const world = makeInstallWorld();
    const installer = team(world);
    done(await installer.install({ url: `${server.origin}/repo/.git`, skills: ['pdf'] }));
    writeTree(world.project, { '.agents/skills/pdf/SKILL.md': 'changed' });
    expect(await messageOf(installer.restore())).toMatch(REFUSED);
    writeTree(world.home, { '.agent/config.yaml': 'skills:\n  privateHosts: [127.0.0.1]\n' });
    expect(done(await installer.restore()).restored).toEqual(['pdf']);
    expect(await failuresOf(installer)).toBe('');
  });

  test('is not used because the project says so', async () => {
    const server = await serve(() => ({ body: '{}' }));
    const origin = { kind: 'archive', url: `${server.url}/skills.zip`, integrity: DIGEST } as const;
    const world = makeInstallWorld({
      'project/.agent/skills-lock.yaml': lockOf(origin),
      'project/.agent/config.yaml': 'skills:\n  privateHosts: [localhost]\n',
    });
    expect(await messageOf(team(world, server.env).restore())).toMatch(REFUSED);
    expect(server.seen).toEqual([]);
  });
});
