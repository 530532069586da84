import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane, type CommandResult } from '../support/command-line.ts';
import { makeRepository, type TestRepository } from '../support/git-repositories.ts';
import { serveGit } from '../support/git-server.ts';
import { readInstalled } from '../support/installed.ts';
import { makeTree, skillText } from '../support/tree.ts';

const skill = (name: string, body = 'One.\n'): string => skillText({ name, description: `Does ${name}.` }, body);

interface Setting {
  readonly home: string;
  readonly repository: TestRepository;
  readonly run: (...args: readonly string[]) => Promise<CommandResult>;
  /** With `--json`, parsed. */
  readonly json: (...args: readonly string[]) => Promise<unknown>;
}

function makeSetting(cwd?: string): Setting {
  const repository = makeRepository({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
  const home = makeTree();
  const run = (...args: readonly string[]): Promise<CommandResult> =>
    skillplane(args, { home, ...(cwd === undefined ? {} : { cwd }) });
  return { home, repository, run, json: async (...args) => JSON.parse((await run(...args, '--json')).stdout) };
}

describe('hold', () => {
  test('excludes a plugin from updates until unhold, and every list says so', async () => {
    const { home, repository, run, json } = makeSetting();
    expect((await run('install', repository.url, '--all', '--yes')).code).toBe(0);
    const first = readInstalled(home)['a']?.locked.origin;
    expect((await run('hold', 'a', 'b')).stdout).toMatch(/^a stays at [0-9a-f]{12}. Updates skip it.\nb stays at/);
    expect((await run('hold', 'a')).stdout).toBe('a is already on hold.\n');
    expect(await json('unhold', 'b')).toMatchObject({ ok: true, name: 'b', held: false, changed: true });
    const now = repository.commit({
      'skills/a/SKILL.md': skill('a', 'Two.\n'),
      'skills/b/SKILL.md': skill('b', '2\n'),
    });
    expect(await json('outdated')).toMatchObject({ updated: [{ name: 'b' }], held: ['a'] });
    expect((await run('plugins')).stdout).toMatch(/^a .*\(enabled, on hold\)$/m);
    expect((await run('info', 'a')).stdout).toMatch(/State +enabled, on hold/);
    const updated = await run('update', '--yes');
    expect(updated.stdout).toContain('On hold: a. Resume updates with `skillplane manage unhold`');
    expect(updated.stdout).toContain('1 updated, 0 up to date');
    expect(await json('update', 'a', '--yes')).toMatchObject({ updated: [], held: ['a'] });
    expect(readInstalled(home)).toMatchObject({
      a: { locked: { origin: first } },
      b: { locked: { origin: { commit: now } } },
    });
    expect((await run('unhold', 'a')).code).toBe(0);
    expect(await json('update', '--yes')).toMatchObject({ updated: [{ name: 'a' }], held: [] });
    expect(readFileSync(join(home, '.agent/skills-lock.yaml'), 'utf8')).not.toContain('held');
  });

  test('stays after a rollback, and fails for an unknown plugin', async () => {
    const { home, repository, run, json } = makeSetting();
    expect((await run('install', repository.url, '--skill', 'a', '--yes')).code).toBe(0);
    repository.commit({ 'skills/a/SKILL.md': skill('a', 'Two.\n') });
    expect((await run('update', '--yes')).code).toBe(0);
    expect((await run('rollback', 'a')).stdout).toContain('To stay on this version, use `skillplane manage hold a`');
    expect((await run('hold', 'a')).code).toBe(0);
    expect((await run('update', '--yes')).stdout).toContain('0 updated');
    expect((await run('rollback', 'a')).stdout).not.toContain('hold');
    expect(readInstalled(home)['a']?.locked).toMatchObject({ held: true });
    expect(await json('hold', 'gone')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });

  test('of a project skill is stored in the lock of the project', async () => {
    const cwd = makeTree({ '.git/HEAD': '' });
    const { repository, run } = makeSetting(cwd);
    expect((await run('install', repository.url, '--skill', 'a', '--project', '--yes')).code).toBe(0);
    expect((await run('hold', 'a', '--project')).code).toBe(0);
    expect(readFileSync(join(cwd, '.agent/skills-lock.yaml'), 'utf8')).toContain('    held: true\n');
  });
});

describe('inside a project with a lock', () => {
  /** `a` is installed in the project, `b` for the user. */
  async function makeProject(): Promise<Setting & { readonly cwd: string }> {
    const cwd = makeTree({ '.git/HEAD': '' });
    const setting = makeSetting(cwd);
    const { repository, run } = setting;
    expect((await run('install', repository.url, '--skill', 'a', '--project', '--yes')).code).toBe(0);
    expect((await run('install', repository.url, '--skill', 'b', '--yes')).code).toBe(0);
    return { ...setting, cwd };
  }

  test('plugins, outdated and update cover project and user, say which is which, and can be narrowed', async () => {
    const { home, cwd, repository, run, json } = await makeProject();
    const rows = async (...args: readonly string[]): Promise<unknown> =>
      ((await json('plugins', ...args)) as { readonly plugins: readonly object[] }).plugins;
    const [a, b] = [
      { name: 'a', scope: 'project' },
      { name: 'b', scope: 'user' },
    ];
    expect(await rows()).toMatchObject([a, b]);
    expect(await rows('--project')).toMatchObject([a]);
    expect(await rows('--user')).toMatchObject([b]);
    expect((await run('plugins')).stdout).toMatch(/In this project: 1 installed;[^]*For you: 1 installed;/);
    repository.commit({ 'skills/a/SKILL.md': skill('a', '2\n'), 'skills/b/SKILL.md': skill('b', '2\n') });
    expect(await json('outdated')).toMatchObject({ updated: [a, b] });
    expect(await json('outdated', '--user')).toMatchObject({ updated: [b] });
    const updated = await run('update', 'b', '--yes');
    expect(updated).toMatchObject({ code: 0, stderr: '' });
    expect((await run('update', '--yes')).stdout).toMatch(
      /In this project: 1 updated[^]*For you: 0 updated, 1 up to date/,
    );
    for (const file of [join(cwd, '.agents/skills/a/SKILL.md'), join(home, '.agent/plugins/b/SKILL.md')])
      expect(readFileSync(file, 'utf8')).toContain('2\n');
    expect(await run('update', 'gone')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'Skillplane did not install "gone", neither for you nor in this project',
      ) as string,
    });
  });

  test('verify fails if locked skills are missing, and the command that it names restores them', async () => {
    const { cwd, home, run, json } = await makeProject();
    expect(await run('verify')).toMatchObject({ code: 0 });
    rmSync(join(cwd, '.agents/skills'), { recursive: true });
    const failed = await run('verify');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('✗ a  missing');
    expect(failed.stdout).toContain(
      'In this project: 0 skills match the lock file, 1 differs.\nFor you: 1 skill matches the lock file, 0 differ.\n',
    );
    const remedy = /`skillplane (.+)`/.exec(failed.stdout)?.[1] ?? '';
    expect(remedy).toBe('install --frozen --project');
    expect((await run('verify', '--user')).code).toBe(0);
    expect((await run(...remedy.split(' '))).code).toBe(0);
    expect((await run('verify')).code).toBe(0);
    rmSync(join(cwd, '.agents/skills'), { recursive: true });
    rmSync(join(home, '.agent/plugins'), { recursive: true });
    expect((await run('verify')).stdout).toContain('`skillplane install --frozen`');
    expect(await json('install', '--frozen')).toMatchObject({
      restored: ['a', 'b'],
      scopes: [
        { scope: 'project', restored: ['a'] },
        { scope: 'user', restored: ['b'] },
      ],
    });
    expect((await run('verify')).code).toBe(0);
  });

  test('a fresh clone fails verify until install --frozen, even if the user has no lock', async () => {
    const { cwd } = await makeProject();
    const clone = makeTree({ '.git/HEAD': '' });
    cpSync(join(cwd, '.agent/skills-lock.yaml'), join(clone, '.agent/skills-lock.yaml'));
    const run = (...args: readonly string[]): Promise<CommandResult> =>
      skillplane(args, { home: makeTree(), cwd: clone });
    expect((await run('verify')).code).toBe(1);
    expect(await run('install', '--frozen')).toMatchObject({
      code: 0,
      stdout: '1 installed, 0 already as the lock says.\n',
    });
    expect((await run('verify')).code).toBe(0);
  });
});

describe('disable --project', () => {
  test("writes the project's file, and enable --project takes it back", async () => {
    const cwd = makeTree({ '.git/HEAD': '', '.claude/skills/pdf/SKILL.md': skill('pdf') });
    const { home, run, json } = makeSetting(cwd);
    const file = join(cwd, '.agent/config.yaml');
    expect(await json('disable', 'pdf', '--project')).toMatchObject({ ok: true, skill: { status: 'disabled' }, file });
    expect(readFileSync(file, 'utf8')).toContain('- pdf');
    expect(existsSync(join(home, '.agent/config.yaml'))).toBe(false);
    expect((await run('enable', 'pdf')).code).toBe(1);
    expect(await json('enable', 'pdf', '--project')).toMatchObject({ ok: true, skill: { status: 'enabled' } });
  });

  test('follows no link out of the project', async () => {
    const outside = makeTree({ 'config.yaml': 'other: 1\n' });
    const cwd = makeTree({ '.git/HEAD': '', '.agent/x': '', '.claude/skills/pdf/SKILL.md': skill('pdf') });
    symlinkSync(join(outside, 'config.yaml'), join(cwd, '.agent/config.yaml'));
    const { json } = makeSetting(cwd);
    expect(await json('disable', 'pdf', '--project')).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(await json('config', 'set', 'disabled+=pdf', '--project')).toMatchObject({
      ok: false,
      code: 'PATH_REFUSED',
    });
    expect(readFileSync(join(outside, 'config.yaml'), 'utf8')).toBe('other: 1\n');
  });
});

describe('install from the web page of a repository', () => {
  test('takes the longest branch or tag that the remote has, then a folder or file', async () => {
    const repository = makeRepository({ 'skills/a/SKILL.md': skill('a') });
    repository.git(['tag', 'feature']);
    repository.git(['checkout', '--quiet', '-b', 'feature/x']);
    repository.commit({ 'skills/b/SKILL.md': skill('b'), 'skills/b/more.md': 'x' });
    const { origin } = await serveGit(join(repository.dir, '..'));
    const install = async (page: string): Promise<unknown> => {
      const home = makeTree();
      const result = await skillplane(['install', `${origin}/repo/-/${page}`, '--yes'], { home });
      expect(result).toMatchObject({ code: 0, stderr: '' });
      return Object.values(readInstalled(home)).map(({ locked: { name, path, origin: from } }) => [
        name,
        from.ref,
        path,
        from.url,
      ]);
    };
    const url = `${origin}/repo`;
    expect(await install('tree/feature/x/skills/b')).toEqual([['b', 'feature/x', 'skills/b', url]]);
    expect(await install('blob/feature/x/skills/b/more.md')).toEqual([['b', 'feature/x', 'skills/b', url]]);
    expect(await install('tree/feature/skills/a')).toEqual([['a', 'feature', 'skills/a', url]]);
  });

  test('names the branch, folder or file that is missing', async () => {
    const { origin } = await serveGit(join(makeRepository({ 'SKILL.md': skill('a') }).dir, '..'));
    const home = makeTree();
    const install = (page: string): Promise<CommandResult> =>
      skillplane(['install', `${origin}/repo/-/${page}`, '--yes'], { home });
    expect((await install('tree/gone/x')).stderr).toContain('it has no branch, tag or commit gone');
    expect((await install('tree/main/gone')).stderr).toContain('no skills in');
    expect((await skillplane(['install', 'pdf'], { home })).stderr).toContain('use owner/repo, owner/repo@skill');
  });
});

describe('installing a skill that is already installed', () => {
  test('succeeds and changes nothing, unless it differs; --force reinstalls it', async () => {
    const { home, repository, run, json } = makeSetting();
    expect((await run('install', repository.url, '--all', '--yes')).code).toBe(0);
    const before = readFileSync(join(home, '.agent/skills-lock.yaml'), 'utf8');
    const again = await run('install', repository.url, '--all');
    expect(again).toEqual({
      code: 0,
      stdout: 'a is already installed.\nb is already installed.\n',
      stderr: '',
    });
    expect(await json('install', repository.url, '--skill', 'a')).toMatchObject({
      ok: true,
      installed: [],
      present: ['a'],
    });
    expect(readFileSync(join(home, '.agent/skills-lock.yaml'), 'utf8')).toBe(before);
    const file = join(home, '.agent/plugins/a/SKILL.md');
    rmSync(file);
    expect(await run('install', repository.url, '--skill', 'a', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /with other files\nRun `skillplane update a`, or use --force to replace it/,
      ) as string,
    });
    expect(await json('install', repository.url, '--skill', 'a', '--yes', '--force')).toMatchObject({
      ok: true,
      installed: [{ name: 'a' }],
    });
    expect(readFileSync(file, 'utf8')).toContain('One.');
    expect((await run('verify')).code).toBe(0);
    const other = makeRepository({ 'skills/a/SKILL.md': skill('a') });
    expect(await run('install', other.url, '--yes', '--force')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"a" is already installed') as string,
    });
  });
});
