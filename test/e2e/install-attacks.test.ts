import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { SkillInstaller } from '../../src/install/installer.ts';
import { skillplane, type CommandResult } from '../support/command-line.ts';
import { commitRaw, makeRepository, writeBlob, type TestRepository } from '../support/git-repositories.ts';
import { serveGit, serveSilence } from '../support/git-server.ts';
import { findLeftovers, listEverything, readInstalled } from '../support/installed.ts';
import { findSurvivors } from '../support/processes.ts';
import { snapshotTree } from '../support/snapshot.ts';
import { link, makeTree, skillText, type Tree } from '../support/tree.ts';

const skill = (name: string, body = '# Title\n'): string => skillText({ name, description: `Does ${name}.` }, body);

/** A file that appears only if a command runs that never should. */
function makeHome(tree: Tree = {}): {
  readonly home: string;
  readonly mark: string;
  readonly wasMarked: () => boolean;
} {
  const root = makeTree({
    'home/': '',
    ...Object.fromEntries(Object.entries(tree).map(([path, text]) => [`home/${path}`, text])),
  });
  const mark = join(root, 'mark');
  return { home: join(root, 'home'), mark, wasMarked: () => existsSync(mark) };
}

function expectRefused(result: CommandResult, home: string): void {
  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toMatch(/^skillplane: .+\n$/);
  expect(listEverything(home).filter((path) => !/^\.agent\/(?:pending\/)?$/.test(path))).toEqual([]);
}

describe('an address or a ref', () => {
  test('never becomes an option, a command or another protocol if it is given as the address to install', async () => {
    const { home, mark, wasMarked } = makeHome();
    const touch = `touch ${mark}`;
    const { url } = makeRepository({ 'SKILL.md': skill('a') });
    for (const address of [
      `--upload-pack=${touch}`,
      `ext::sh -c "${touch}"`,
      `ext::sh -c ${touch}`,
      `ssh://-oProxyCommand=${touch}/x`,
      `git@-oProxyCommand=${touch}:x/y`,
      `${url}#--upload-pack=${touch}`,
      'git://127.0.0.1/x',
    ])
      expectRefused(await skillplane(['install', '--yes', '--use-git-credentials', '--', address], { home }), home);
    expect(wasMarked()).toBe(false);
  });

  test('never becomes an option, a command or another protocol if it is given as the ref to install', async () => {
    const { home, mark, wasMarked } = makeHome();
    const { url } = makeRepository({ 'SKILL.md': skill('a') });
    for (const ref of [
      `--upload-pack=touch ${mark}`,
      '-x',
      '+refs/heads/*:refs/heads/*',
      'main:refs/x',
      '@{u}',
      'a..b',
    ])
      expectRefused(await skillplane(['install', url, `--ref=${ref}`, '--yes'], { home }), home);
    expect(wasMarked()).toBe(false);
  });

  test('never becomes an option, a command or another protocol if it is in a cloned lock or a configuration', async () => {
    const { home, mark, wasMarked } = makeHome();
    const cwd = join(home, 'work');
    mkdirSync(cwd);
    execFileSync('git', ['init', '-q'], { cwd });
    for (const origin of [
      { url: `ext::sh -c "touch ${mark}"` },
      { url: `--upload-pack=touch ${mark}` },
      { url: makeRepository({ 'SKILL.md': skill('a') }).url, ref: `--upload-pack=touch ${mark}` },
    ]) {
      mkdirSync(join(cwd, '.agent'), { recursive: true });
      writeLock(cwd, { a: origin });
      const before = listEverything(home);
      expect((await skillplane(['manage', 'update', '--project', '--yes'], { home, cwd })).code).toBe(1);
      expect(listEverything(home).filter((path) => !/pending\/$|\.agent\/$/.test(path))).toEqual(
        before.filter((path) => !path.endsWith('.agent/')),
      );
    }
    expect(wasMarked()).toBe(false);
  });
});

test('install runs nothing that git is configured to run: hooks, templates, filters, monitors, helpers, includes, variables', async () => {
  const repository = makeRepository({ 'SKILL.md': skill('a'), '.gitattributes': '* filter=evil\n', 'x.txt': 'x\n' });
  const { origin } = await serveGit(join(repository.dir, '..'), {
    before(request, response) {
      // Only once, so that a credential helper would be asked.
      if (request.headers.authorization !== undefined || !(request.url ?? '').includes('private')) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    },
  });
  const { home, mark, wasMarked } = makeHome();
  const evil = join(home, 'evil.sh');
  const hooks = join(home, 'hooks');
  const template = join(home, 'template/hooks');
  for (const dir of [hooks, template]) mkdirSync(dir, { recursive: true });
  const script = `#!/bin/sh\necho "$0 $*" >> ${mark}\nexit 0\n`;
  const names = ['post-checkout', 'reference-transaction', 'pre-auto-gc', 'fsmonitor-watchman', 'post-index-change'];
  for (const path of [evil, ...[hooks, template].flatMap((dir) => names.map((name) => join(dir, name)))]) {
    writeFile(path, script);
    chmodSync(path, 0o755);
  }
  const config = [
    `[core]\n\thooksPath = ${hooks}\n\tfsmonitor = ${evil}\n\tsshCommand = ${evil}\n\tpager = ${evil}\n\taskPass = ${evil}\n\teditor = ${evil}\n\tgitProxy = ${evil}\n\talternateRefsCommand = ${evil}`,
    `[filter "evil"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n\tprocess = ${evil}\n\trequired = true`,
    `[credential]\n\thelper = !${evil}`,
    `[init]\n\ttemplateDir = ${join(home, 'template')}`,
    `[url "ext::${evil} "]\n\tinsteadOf = file://\n\tinsteadOf = http://`,
    `[protocol]\n\tallow = always`,
    `[uploadpack]\n\tpackObjectsHook = ${evil}`,
    `[alias]\n\tfetch = !${evil}\n\tls-tree = !${evil}`,
    `[includeIf "gitdir:/"]\n\tpath = ${join(home, 'more')}`,
    `[http]\n\tproxy = http://127.0.0.1:9`,
  ].join('\n');
  writeFile(join(home, '.gitconfig'), `${config}\n`);
  writeFile(join(home, 'more'), `[core]\n\thooksPath = ${hooks}\n\tsshCommand = ${evil}\n`);
  mkdirSync(join(home, '.config/git'), { recursive: true });
  writeFile(join(home, '.config/git/config'), `${config}\n`);
  const env = {
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_CONFIG_SYSTEM: join(home, '.gitconfig'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: hooks,
    GIT_CONFIG_PARAMETERS: `'core.hookspath=${hooks}'`,
    GIT_TEMPLATE_DIR: join(home, 'template'),
    GIT_SSH: evil,
    GIT_SSH_COMMAND: evil,
    GIT_ASKPASS: evil,
    SSH_ASKPASS: evil,
    GIT_PROXY_COMMAND: evil,
    GIT_EXTERNAL_DIFF: evil,
    GIT_PAGER: evil,
    GIT_EDITOR: evil,
    GIT_TRACE: join(home, 'trace'),
    GIT_DIR: repository.dir,
    GIT_OBJECT_DIRECTORY: join(home, 'objects'),
    GIT_EXEC_PATH: hooks,
    GIT_ALLOW_PROTOCOL: 'ext:file:http',
  };
  const before = listEverything(home);
  const install = (...args: readonly string[]): Promise<CommandResult> =>
    skillplane(['install', ...args, '--yes'], { home, env });
  expect(await install(repository.url)).toMatchObject({ code: 0, stderr: '' });
  expect(await install(`${origin}/repo`, '--name', 'b')).toMatchObject({ code: 0, stderr: '' });
  const denied = await install(`${origin}/private`, '--name', 'c');
  expect(denied.stderr).toContain('it does not exist or is private');
  expect(wasMarked()).toBe(false);
  expect(Object.keys(readInstalled(home))).toEqual(['a', 'b']);
  expect(readFileSync(join(home, '.agent/plugins/a/x.txt'), 'utf8')).toBe('x\n');
  expect(listEverything(home).filter((path) => !path.startsWith('.agent/'))).toEqual(
    before.filter((path) => !path.startsWith('.agent/')),
  );
  expect(findLeftovers(home)).toEqual([]);
});

describe('install', () => {
  const attempt = async (
    repository: TestRepository,
    ...args: readonly string[]
  ): Promise<{ result: CommandResult; home: string }> => {
    const { home } = makeHome();
    return { home, result: await skillplane(['install', repository.url, '--yes', ...args], { home }) };
  };

  test('refuses a link, wherever it leads', async () => {
    for (const target of ['/etc/passwd', '../../../../.ssh', 'SKILL.md']) {
      const { result, home } = await attempt(makeRepository({ 'SKILL.md': skill('a'), 'docs/x': link(target) }));
      expectRefused(result, home);
      expect(result.stderr).toContain('docs/x');
    }
  });

  test('does not fetch a submodule', async () => {
    const { home, mark, wasMarked } = makeHome();
    const repository = makeRepository({
      'SKILL.md': skill('a'),
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${mark}"\n`,
    });
    repository.git(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},x`]);
    repository.git(['commit', '--quiet', '--message', 'x']);
    const result = await skillplane(['install', repository.url, '--yes'], { home });
    expect(result.code === 0 ? Object.keys(readInstalled(home)) : []).toEqual(result.code === 0 ? ['a'] : []);
    expect(existsSync(join(home, '.agent/plugins/a/x'))).toBe(false);
    expect(findLeftovers(home)).toEqual([]);
    expect(wasMarked()).toBe(false);
  });

  test('runs nothing of an embedded bare repository with hooks', async () => {
    const { home, mark, wasMarked } = makeHome();
    const repository = makeRepository({
      'SKILL.md': skill('a'),
      'bare/HEAD': 'ref: refs/heads/main\n',
      'bare/config': `[core]\n\tbare = true\n\tfsmonitor = "touch ${mark}"\n\thooksPath = .\n`,
      'bare/objects/x': 'x',
      'bare/refs/x': 'x',
      'bare/post-checkout': `#!/bin/sh\ntouch ${mark}\n`,
    });
    const result = await skillplane(['install', repository.url, '--yes'], { home });
    expect([0, 1]).toContain(result.code);
    expect((await skillplane(['manage', 'verify'], { home })).code).toBe(0);
    expect(findLeftovers(home)).toEqual([]);
    expect(wasMarked()).toBe(false);
  });

  test('refuses names that lead out, are reserved, or differ only in case', async () => {
    const names = ['..', 'a\\..\\b', 'con', 'skill.md'];
    for (const name of names) {
      const repository = makeRepository({ 'keep/x': 'x' });
      const entries = [
        ['100644', 'SKILL.md', writeBlob(repository, skill('a'))],
        ['100644', name, writeBlob(repository, 'x')],
      ] as const;
      commitRaw(
        repository,
        entries.toSorted(([, a], [, b]) => (a < b ? -1 : 1)),
      );
      const { result, home } = await attempt(repository);
      expectRefused(result, home);
      expect(existsSync(join(home, '.agent/plugins'))).toBe(false);
    }
  });
});

test('install ends a hanging remote and its helpers at the time limit', async () => {
  const silence = await serveSilence();
  const { home } = makeHome();
  const url = `${silence.origin}/repo.git`;
  const env = { PATH: process.env['PATH'], HOME: home, AGENT_HOME: join(home, '.agent') };
  const installer = new SkillInstaller({ cwd: home, home, env });
  const stop = new AbortController();
  const pending = installer.install({ url, signal: stop.signal });
  while (silence.requests.length === 0) await new Promise((done) => void setTimeout(done, 20));
  stop.abort();
  expect(await pending).toMatchObject({ ok: false, message: expect.stringContaining('it was cancelled') as string });
  writeLock(home, { a: { url } });
  const updated = await installer.update([], async () => [], { timeoutMs: 500 });
  expect(updated).toMatchObject({
    ok: true,
    failed: [{ name: 'a', message: expect.stringContaining('it took longer than 1 s') as string }],
  });
  expect(await findSurvivors(url)).toEqual([]);
  expect(findLeftovers(home)).toEqual([]);
});

test('install --frozen does not follow a tag that moved, and update shows the change before it takes it', async () => {
  const repository = makeRepository({ 'SKILL.md': skill('a', 'Good.\n') });
  repository.git(['tag', 'v1']);
  const { home } = makeHome();
  expect((await skillplane(['install', repository.url, '--ref', 'v1', '--yes'], { home })).code).toBe(0);
  const before = readInstalled(home);
  repository.commit({ 'SKILL.md': skill('a', 'Evil.\n') });
  repository.git(['tag', '--force', 'v1']);
  const other = makeTree({ '.agent/skills-lock.yaml': readFileSync(join(home, '.agent/skills-lock.yaml'), 'utf8') });
  expect((await skillplane(['install', '--frozen'], { home: other })).code).toBe(0);
  expect(readInstalled(other)['a']?.digest).toBe(before['a']?.digest);
  const outdated = await skillplane(['manage', 'outdated', '--diff'], { home });
  expect(outdated.stdout).toContain('(v1)');
  expect(outdated.stdout).toContain('+Evil.');
  expect(readInstalled(home)).toEqual(before);
});

describe('the .agent folder of a hostile clone', () => {
  const project = (tree: Tree): { readonly home: string; readonly cwd: string } => {
    const { home } = makeHome({ 'work/.git/': '', 'precious/keep.txt': 'x', ...tree });
    return { home, cwd: join(home, 'work') };
  };
  /** Runs every `manage` action and `install --frozen` on a skill, one after the other; returns how each went. */
  const doAll = async (home: string, name: string): Promise<readonly boolean[]> => {
    const env = { HOME: home, AGENT_HOME: join(home, '.agent'), PATH: process.env['PATH'] };
    const installer = new SkillInstaller({ cwd: join(home, 'work'), home, env, scope: 'project' });
    return [
      await installer.restore(),
      await installer.update([], async ({ updates }) => updates),
      await installer.rollback(name),
      await installer.verify(),
      await installer.remove(name),
    ].map(({ ok }) => ok);
  };

  test('does no harm by names in its lock that lead out of it', async () => {
    const { url } = makeRepository({ 'SKILL.md': skill('a') });
    for (const name of ['../../../precious', '../precious', '.skillplane', '/etc']) {
      const { home, cwd } = project({ 'work/.agent/': '' });
      writeLock(cwd, { [name]: { url } });
      expect(await doAll(home, name)).toEqual([false, false, false, false, false]);
      expect((await skillplane(['manage', 'remove', name, '--project', '--yes'], { home, cwd })).code).toBe(1);
      expect(listEverything(join(home, 'precious'))).toEqual(['keep.txt']);
    }
  });

  test('does no harm by paths in its lock that lead out of the repository', async () => {
    const { home, cwd } = project({ 'work/.agent/': '', 'work/local/x': 'x' });
    for (const origin of [{ url: './local', path: '../../precious' }, { url: '../precious' }, { url: home }]) {
      writeLock(cwd, { a: origin });
      expect((await skillplane(['install', '--frozen', '--project'], { home, cwd })).code).toBe(1);
      expect(existsSync(join(cwd, '.agent/skills/a'))).toBe(false);
    }
  });

  test('does no harm by links in place of its folders', async () => {
    const { url } = makeRepository({ 'SKILL.md': skill('a') });
    const skills = 'work/.agent/skills';
    const refusal = /Move .* away/;
    for (const [path, target, message] of [
      [skills, '../../precious', refusal],
      [`${skills}/.skillplane`, '../../../precious', refusal],
      [`${skills}/.skillplane/previous-a`, '../../../../precious', /^$/],
      ['work/.agent', '../precious', refusal],
      ['work/.agents/skills', '../../precious', refusal],
      ['work/.agents', '../precious', refusal],
    ] as const) {
      const { home, cwd } = project({ [path]: link(target) });
      if (path !== 'work/.agent') writeLock(cwd, { a: { url } });
      await doAll(home, 'a');
      const { stderr } = await skillplane(['install', url, '--project', '--yes', '--name', 'b'], { home, cwd });
      expect(stderr).toMatch(message);
      expect([path, listEverything(join(home, 'precious'))]).toEqual([path, ['keep.txt']]);
    }
  });

  test('does no harm by a link in place of its lock, which would be written through', async () => {
    const { home, cwd } = project({ 'work/.agent/skills-lock.yaml': link('../../precious/new.yaml') });
    await skillplane(['install', makeRepository({ 'SKILL.md': skill('a') }).url, '--project', '--yes'], { home, cwd });
    expect(listEverything(join(home, 'precious'))).toEqual(['keep.txt']);
  });

  test('does no harm by a pending change that another user began', async () => {
    const record = JSON.stringify({
      version: 1,
      guard: 'x',
      moves: [{ kind: 'in', from: '../precious/keep.txt', to: 'gone.txt' }],
      discard: ['../precious'],
    });
    const { home, cwd } = project({
      'work/.agent/pending/1-a.json': record,
      'work/.agent/skills/.skillplane/1-a.json': record,
    });
    for (const args of [['show'], ['manage', 'list', '--project']])
      expect((await skillplane(args, { home, cwd })).code).toBe(0);
    expect(readdirSync(join(home, 'precious'))).toEqual(['keep.txt']);
  });

  test.each(['../../../../precious', 'a/../../../../../precious'])(
    'does no harm by an entry of a previous version whose name leads out of it: %s',
    async (path) => {
      const { url } = makeRepository({ 'SKILL.md': skill('a') });
      const { home, cwd } = project({});
      expect((await skillplane(['install', url, '--project', '--yes'], { home, cwd })).code).toBe(0);
      const previous = join(home, 'work/.agent/skills/.skillplane/previous-a');
      writeFile(join(previous, '1.yaml'), lockText({ [path]: { url } }));
      writeFile(join(previous, '1/SKILL.md'), skill('a'));
      expect((await skillplane(['manage', 'rollback', 'a', '--project'], { home, cwd })).code).toBe(1);
      expect(listEverything(join(home, 'precious'))).toEqual(['keep.txt']);
    },
  );

  test.each(['1', '1.yaml'])('does no harm by a link in place of a part of the previous version: %s', async (part) => {
    const { url } = makeRepository({ 'SKILL.md': skill('a') });
    const { home, cwd } = project({});
    expect((await skillplane(['install', url, '--project', '--yes'], { home, cwd })).code).toBe(0);
    const previous = join(home, 'work/.agent/skills/.skillplane/previous-a');
    writeFile(join(home, 'elsewhere/1.yaml'), lockText({ a: { url } }));
    writeFile(join(home, 'elsewhere/1/SKILL.md'), skill('a'));
    const before = snapshotTree(join(home, 'elsewhere'));
    cpSync(join(home, 'elsewhere'), previous, { recursive: true });
    rmSync(join(previous, part), { recursive: true });
    symlinkSync(join(home, 'elsewhere', part), join(previous, part));
    expect((await skillplane(['rollback', 'a', '--project'], { home, cwd })).stderr).toContain('no previous version');
    expect((await skillplane(['remove', 'a', '--project', '--yes'], { home, cwd })).code).toBe(0);
    expect(snapshotTree(join(home, 'elsewhere'))).toEqual(before);
  });

  test('does no harm by a link in place of the folder for previous versions', async () => {
    const { url } = makeRepository({ 'SKILL.md': skill('a') });
    const { home, cwd } = project({});
    expect((await skillplane(['install', url, '--project', '--yes'], { home, cwd })).code).toBe(0);
    const state = join(home, 'work/.agent/skills/.skillplane');
    mkdirSync(state, { recursive: true });
    symlinkSync(join(home, 'precious'), join(state, 'previous-a'));
    expect((await skillplane(['remove', 'a', '--project', '--yes'], { home, cwd })).stderr).toContain(
      'is not a folder',
    );
    expect(listEverything(join(home, 'precious'))).toEqual(['keep.txt']);
  });

  test('does no harm by a lock that is huge, deeply nested or full of aliases', async () => {
    const entry = lockText({ a: { url: 'file:///x' } })
      .split('\n')
      .slice(3)
      .join('\n');
    const many = Array.from({ length: 4_000 }, (_, at) => entry.replace('"a"', `"a${at}"`)).join('');
    for (const text of [
      `version: 1\nskills:\n${many}`,
      `version: 1\nskills: ${'['.repeat(50_000)}`,
      `version: 1\nskills: ${'{a: '.repeat(50_000)}`,
      `a: &a [x,x,x,x,x,x,x,x]\n${Array.from({ length: 20 }, (_, at) => `b${at}: &b${at} [${`*${at === 0 ? 'a' : `b${at - 1}`},`.repeat(8)}]\n`).join('')}`,
      `version: 1\nskills:\n${'  a: 1\n'.repeat(50_000)}`,
    ]) {
      const { home, cwd } = project({ 'work/.agent/skills-lock.yaml': text });
      // The code is null if the time that it may take is over.
      expect([0, 1]).toContain((await skillplane(['manage', 'verify', 'z', '--project'], { home, cwd })).code);
    }
  });
});

interface Origin {
  readonly url: string;
  readonly ref?: string;
  readonly path?: string;
}

function lockText(skills: Readonly<Record<string, Origin>>): string {
  const digest = `sha256:${'0'.repeat(64)}`;
  const entries = Object.entries(skills).map(
    ([name, origin]) =>
      `  ${JSON.stringify(name)}:\n${Object.entries({ ...origin, digest, commit: '1'.repeat(40) })
        .map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`)
        .join('')}    files: []\n`,
  );
  return `# x\nversion: 1\nskills:\n${entries.join('')}`;
}

function writeLock(project: string, skills: Readonly<Record<string, Origin>>): void {
  writeFile(join(project, '.agent/skills-lock.yaml'), lockText(skills));
}

function writeFile(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}
