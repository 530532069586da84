import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { nameChoice } from '../../src/model/origin.ts';
import { answerOnTerminal, KEYS, skillplane, type CommandResult } from '../support/command-line.ts';
import { makeRepository, type TestRepository } from '../support/git-repositories.ts';
import { findLeftovers, listEverything, readInstalled } from '../support/installed.ts';
import { makeTree, skillText } from '../support/tree.ts';

const skill = (name: string, body = 'One.\n'): string =>
  skillText({ name, description: `Does ${name}.`, version: '1.2.3' }, body);

interface Setting {
  readonly home: string;
  readonly repository: TestRepository;
  readonly manage: (...args: readonly string[]) => Promise<CommandResult>;
  /** With `--json`, parsed. */
  readonly json: (...args: readonly string[]) => Promise<unknown>;
}

/** `a` and `b` of one repository are installed. */
async function makeSetting(...args: readonly string[]): Promise<Setting> {
  const repository = makeRepository({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
  const home = makeTree();
  expect((await skillplane(['install', repository.url, '--all', '--yes', ...args], { home })).code).toBe(0);
  const manage = (...words: readonly string[]): Promise<CommandResult> => skillplane(['manage', ...words], { home });
  return {
    home,
    repository,
    manage,
    async json(...words) {
      const { stdout, stderr } = await manage(...words, '--json');
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    },
  };
}

test('doctor names an outdated copy of a bundled skill, and update updates it', async () => {
  const text = skillText({ name: 'skill-author', description: 'x', producer_version: '0.0.1' }, 'My edits.\n');
  const home = makeTree({ '.agent/skills/skill-author/SKILL.md': text });
  const dir = join(home, '.agent/skills/skill-author');
  const doctor = await skillplane(['doctor'], { home });
  expect(doctor.stdout).toContain(`skill-author: ${dir} is a copy of version 0.0.1`);
  expect(doctor.stdout).toContain('`skillplane update skill-author`');
  const listed = JSON.parse((await skillplane(['manage', 'outdated', '--json'], { home })).stdout);
  expect(JSON.parse((await skillplane(['outdated', 'skill-author', '--json'], { home })).stdout)).toEqual(listed);
  expect(listed).toMatchObject({ ok: true, updated: [], copies: [{ name: 'skill-author', before: '0.0.1' }] });
  expect((await skillplane(['manage', 'update', 'skill-author'], { home })).code).toBe(1);
  expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toBe(text);
  const updated = await skillplane(['manage', 'update', '--yes'], { home });
  expect(updated).toMatchObject({ code: 0, stdout: expect.stringContaining(join(dir, 'SKILL.0.0.1.md')) });
  expect(readFileSync(join(dir, 'SKILL.0.0.1.md'), 'utf8')).toBe(text);
  expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).not.toContain('My edits');
  expect((await skillplane(['doctor'], { home })).stdout).not.toContain('was copied from');
  expect(await skillplane(['manage', 'update', 'skill-author'], { home })).toMatchObject({
    code: 0,
    stdout: 'skill-author is up to date.\n',
  });
});

test('doctor gives each next step as data, and prints the command for it', async () => {
  const home = makeTree({ 'work/.cursor/skills/tips/SKILL.md': skillText({ name: 'tips', description: 'Tips.' }) });
  const cwd = join(home, 'work');
  const command = 'skillplane config set enabledSources+=cursor-project';
  expect((await skillplane(['doctor'], { home, cwd, env: WIDE })).stdout).toContain(`Run \`${command}\`.`);
  const { checks } = JSON.parse((await skillplane(['doctor', '--json'], { home, cwd })).stdout);
  const next = { set: 'enabledSources', add: 'cursor-project' };
  expect(checks).toContainEqual(expect.objectContaining({ area: 'source', next }));
  expect((await skillplane(command.split(' ').slice(1), { home })).code).toBe(0);
  expect((await skillplane(['show'], { home, cwd })).stdout).toContain('tips');
});

test('manage pins and unpins a skill, and names the changed file', async () => {
  const home = makeTree({ '.claude/skills/pdf/SKILL.md': skill('pdf') });
  const config = join(home, '.agent/config.yaml');
  const pinned = await skillplane(['manage', 'pin', 'pdf'], { home });
  expect(pinned).toEqual({ code: 0, stdout: `pdf is pinned: changed ${config}\n`, stderr: '' });
  const unpinned = await skillplane(['manage', 'unpin', 'pdf', '--json'], { home });
  expect(JSON.parse(unpinned.stdout)).toEqual({ ok: true, name: 'pdf', pinned: false, changed: true, file: config });
  expect((await skillplane(['manage', 'pin'], { home })).code).toBe(2);
});

/** Keeps long lines whole. */
const WIDE = { COLUMNS: '300' };

const headOf = (repository: TestRepository): string => repository.git(['rev-parse', 'HEAD']).trim();

describe('manage', () => {
  test('without an action lists its actions', async () => {
    const home = makeTree();
    const { code, stdout } = await skillplane(['manage'], { home });
    expect(code).toBe(0);
    const actions = ['list', 'verify', 'rollback', 'hold', 'unhold', 'pin', 'unpin', 'prefer'];
    for (const action of actions) expect(stdout).toMatch(new RegExp(`^  ${action} +\\w`, 'm'));
    const json = JSON.parse((await skillplane(['manage', '--json'], { home })).stdout) as {
      readonly commands: readonly { readonly name: string }[];
    };
    expect(json.commands.map(({ name }) => name)).toEqual(actions.map((action) => `manage ${action}`));
  });

  test('tells wrong usage from unknown skills', async () => {
    const home = makeTree();
    const unknown = await skillplane(['manage', 'toString'], { home });
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('unknown action "toString"\nActions of manage: list, verify');
    for (const action of ['enable', 'disable', 'rollback', 'remove'])
      expect(await skillplane(['manage', action, '--json'], { home })).toMatchObject({ code: 2, stderr: '' });
    for (const action of ['disable', 'rollback', 'remove', 'update', 'verify']) {
      const { code, stdout } = await skillplane(['manage', action, 'gone', '--json'], { home });
      expect([action, code]).toEqual([action, 1]);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
    }
    expect(listEverything(home).filter((path) => !/^\.agent\/(?:pending\/)?$/.test(path))).toEqual([]);
  });
});

test('every action of manage takes several names, and fails if one is unknown', async () => {
  const { home } = await makeSetting('--ref', 'main');
  const some = await skillplane(['disable', 'a', 'gone', 'b'], { home });
  expect(some).toMatchObject({ code: 1, stderr: expect.stringContaining('no skill called "gone"') });
  expect(some.stdout).toBe('Disabled a.\nDisabled b.\n');
  const json = JSON.parse((await skillplane(['enable', 'a', 'b', '--json'], { home })).stdout);
  expect(json).toMatchObject({ ok: true, results: [{ name: 'a' }, { name: 'b' }] });
  expect(JSON.parse((await skillplane(['rollback', 'a', 'b', '-j'], { home })).stdout)).toMatchObject({
    ok: false,
    results: [
      { name: 'a', ok: false },
      { name: 'b', ok: false },
    ],
  });
  expect(await skillplane(['remove', 'a', 'b', '-y'], { home })).toMatchObject({ code: 0 });
  expect(JSON.parse((await skillplane(['plugins', '-j'], { home })).stdout)).toMatchObject({ plugins: [] });
});

test('manage list shows origin, version, trust and state of everything that is installed', async () => {
  const { home, repository, manage, json } = await makeSetting('--ref', 'main');
  rmSync(join(home, '.agent/plugins/b'), { recursive: true });
  expect((await manage('list')).stdout).toBe(
    [
      'a  1.2.3  (enabled)',
      `    ${repository.url}#main  ${headOf(repository).slice(0, 12)}`,
      'b  (missing)',
      `    ${repository.url}#main  ${headOf(repository).slice(0, 12)}`,
      `2 installed; lock file: ${join(home, '.agent/skills-lock.yaml')}`,
      '',
    ].join('\n'),
  );
  expect((await skillplane(['trust', 'a', '--yes'], { home })).code).toBe(0);
  expect(await json('list')).toEqual({
    ok: true,
    lockFiles: { user: join(home, '.agent/skills-lock.yaml') },
    plugins: [
      {
        name: 'a',
        scope: 'user',
        locked: expect.objectContaining({
          origin: { kind: 'git', url: repository.url, ref: 'main', commit: headOf(repository) },
          path: 'skills/a',
          digest: expect.stringMatching(/^sha256:/) as string,
        }) as object,
        tracked: expect.objectContaining({ enabled: true, installedAt: expect.any(String) as string }) as object,
        skill: expect.objectContaining({ version: '1.2.3' }) as object,
        status: 'enabled',
        isPresent: true,
        isTrusted: true,
        dir: join(home, '.agent/plugins/a'),
      },
      expect.objectContaining({ name: 'b', status: 'missing', isTrusted: false }) as object,
    ],
  });
  expect((await skillplane(['manage', 'list'], { home: makeTree() })).stdout).toBe('Nothing is installed.\n');
});

test('show prints origin, version, commit and trust of installed skills only', async () => {
  const { home, repository } = await makeSetting();
  const commit = headOf(repository);
  expect((await skillplane(['trust', 'a', '--yes'], { home })).code).toBe(0);
  expect((await skillplane(['show'], { home })).stdout).toContain('  ✓ a  Does a.\n  ✓ b  Does b.\n');
  const { stdout } = await skillplane(['show', '--verbose'], { home, env: WIDE });
  const from = `${repository.url}  ${commit.slice(0, 12)}  1.2.3`;
  expect(stdout).toContain(`  ✓ a  Does a.\n      ${from}  trusted\n`);
  expect(stdout).toContain(`  ✓ b  Does b.\n      ${from}\n`);
  const { skills } = JSON.parse((await skillplane(['show', '--json'], { home })).stdout) as {
    readonly skills: readonly { readonly name: string; readonly origin?: object; readonly trusted?: boolean }[];
  };
  const [a, author] = ['a', 'skill-author'].map((wanted) => skills.find(({ name }) => name === wanted));
  const { digest } = readInstalled(home)['a'] ?? {};
  expect(a).toMatchObject({ trusted: true, origin: { url: repository.url, commit, path: 'skills/a', digest } });
  expect(author).not.toHaveProperty('origin');
});

test('manage list shows an installed skill as broken, without a version, if its file broke', async () => {
  const { home, manage, repository } = await makeSetting();
  writeFileSync(join(home, '.agent/plugins/a/SKILL.md'), '');
  expect((await manage('list')).stdout).toContain('a  (broken)\n');
  expect(await manage('enable', 'a')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^skillplane: cannot read "a": .*: the file is empty\n/),
  });
  const { stdout } = await skillplane(['show', '--verbose'], { home, env: WIDE });
  expect(stdout).toMatch(/^\[Problems\]\n {2}✗ a +broken: the file is empty\. /);
  expect(stdout).toContain(`\n      ${repository.url}  `);
  expect(stdout).not.toContain('1.0.0');
});

describe('disable and enable', () => {
  test('switch a plugin by its entry, a bundled skill by its list, any other by "disabled"', async () => {
    const { home, manage, json } = await makeSetting();
    const config = join(home, '.agent/config.yaml');
    const before = readFileSync(config, 'utf8');
    expect((await manage('disable', 'a')).stdout).toBe('Disabled a.\n');
    expect(readInstalled(home)['a']?.tracked?.enabled).toBe(false);
    expect((await manage('disable', 'a')).stdout).toBe('a is already disabled.\n');
    expect(await json('enable', 'a')).toMatchObject({
      ok: true,
      name: 'a',
      skill: { status: 'enabled' },
      file: config,
      before: { name: 'a' },
      after: { name: 'a' },
    });
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect(await json('disable', 'skill-author')).toMatchObject({ ok: true, skill: { status: 'disabled' } });
    expect(readFileSync(config, 'utf8')).toContain('disabledBundled:\n    - skill-author\n');
    expect(await json('enable', 'skill-author')).toMatchObject({ ok: true, skill: { status: 'enabled' } });
  });
});

describe('outdated and update', () => {
  test('adopt a plugin that is only in the configuration, as list and verify say', async () => {
    const { home, manage, json } = await makeSetting();
    rmSync(join(home, '.agent/skills-lock.yaml'));
    expect((await manage('list')).stdout).toContain('not in the lock');
    expect(await manage('verify')).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ a  unlocked') });
    expect((await manage('outdated')).stdout).toContain('not in the lock file yet: the update adds it');
    expect(await json('update', '--yes')).toMatchObject({
      ok: true,
      updated: [
        { name: 'a', isAdopted: true, changes: [] },
        { name: 'b', isAdopted: true, changes: [] },
      ],
    });
    expect((await manage('verify')).stdout).toBe('2 skills match the lock file, 0 differ.\n');
    expect(await json('list')).toMatchObject({ plugins: [{ name: 'a', locked: { name: 'a' } }, { name: 'b' }] });
  });

  test('say so if nothing is newer', async () => {
    const { manage, json } = await makeSetting();
    expect((await manage('outdated')).stdout).toBe('0 updates available, 2 up to date.\n');
    expect(await json('update')).toEqual({
      ok: true,
      updated: [],
      current: ['a', 'b'],
      pinned: [],
      held: [],
      failed: [],
      copies: [],
    });
  });

  test('show commits and files, and lines with --diff, while outdated changes nothing', async () => {
    const { home, repository, manage, json } = await makeSetting();
    const old = headOf(repository);
    const now = repository.commit({ 'skills/a/SKILL.md': skill('a', 'Two.\n'), 'skills/a/new.md': 'x\n' });
    const before = readInstalled(home);
    const { code, stdout } = await manage('outdated', '--diff');
    expect(code).toBe(0);
    expect(stdout).toContain(`a  ${old.slice(0, 12)} → ${now.slice(0, 12)}\n    ~ SKILL.md\n    + new.md\n`);
    expect(stdout).toContain('-One.\n+Two.\n');
    expect(stdout).toContain('1 update available, 1 up to date.\n');
    expect(await json('outdated')).toEqual({
      ok: true,
      dryRun: true,
      updated: [
        {
          name: 'a',
          before: expect.objectContaining({ origin: { kind: 'git', url: repository.url, commit: old } }) as object,
          after: expect.objectContaining({ origin: { kind: 'git', url: repository.url, commit: now } }) as object,
          changes: [
            { path: 'SKILL.md', kind: 'changed' },
            { path: 'new.md', kind: 'added' },
          ],
          isAdopted: false,
          localChanges: [],
          addedFindings: [],
          refused: [],
          rules: [],
          scope: 'user',
        },
      ],
      current: ['b'],
      pinned: [],
      held: [],
      failed: [],
      copies: [],
    });
    expect(readInstalled(home)).toEqual(before);
    expect(findLeftovers(home)).toEqual([]);
  });

  test('install the newer version with --yes, and rollback switches to the previous one and back', async () => {
    const { home, repository, manage, json } = await makeSetting();
    const old = readInstalled(home)['a'];
    expect((await manage('disable', 'a')).code).toBe(0);
    expect((await skillplane(['trust', 'a', '--yes'], { home })).code).toBe(0);
    const now = repository.commit({ 'skills/a/SKILL.md': skill('a', 'Two.\n') });
    const refused = await manage('update', 'a');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('nothing was updated\nUse --yes to continue without questions');
    expect(readInstalled(home)['a']?.locked).toEqual(old?.locked);
    expect(await json('update', 'a', '--yes', '--diff')).toMatchObject({
      ok: true,
      updated: [{ name: 'a', after: { origin: { commit: now } }, diff: expect.stringContaining('+Two.') as string }],
    });
    expect(readInstalled(home)['a']).toMatchObject({
      locked: { origin: { commit: now } },
      tracked: { enabled: false },
    });
    const plugins = ((await json('list')) as { readonly plugins: readonly { readonly isTrusted: boolean }[] }).plugins;
    expect(plugins[0]?.isTrusted).toBe(false);
    expect(await manage('rollback', 'b')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no previous version of "b"') as string,
    });
    expect((await manage('rollback', 'a')).stdout).toBe(
      `Rolled a back from ${now.slice(0, 12)} to ${old && nameChoice(old.locked.origin)}.\nTo stay on this version, use \`skillplane manage hold a\`.\n`,
    );
    expect(readInstalled(home)['a']?.locked).toEqual(old?.locked);
    expect(await json('rollback', 'a')).toMatchObject({ ok: true, name: 'a', after: { origin: { commit: now } } });
    expect(readInstalled(home)['a']?.locked.origin).toMatchObject({ commit: now });
    expect(findLeftovers(home)).toEqual([]);
  });

  test('ask on a terminal, show the differences on request, and name local changes', async () => {
    const { home, repository } = await makeSetting();
    repository.commit({ 'skills/a/SKILL.md': skill('a', 'Two.\n'), 'skills/a/x.txt': '\u001B[2J\n' });
    appendFileSync(join(home, '.agent/plugins/a/SKILL.md'), 'Mine.\n');
    const update = async (...keys: readonly string[]): Promise<string> => {
      const answers = keys.map((key) => ['Update?', key] as const);
      return (await answerOnTerminal(['manage', 'update'], { home, columns: 80, answers, env: { NO_COLOR: '1' } }))
        .shown;
    };
    const refused = await update(`${KEYS.down}${KEYS.down}${KEYS.enter}`, KEYS.enter);
    expect(refused).toContain('Checking for updates\r');
    expect(refused).toContain('You changed these files.');
    expect(refused).toMatch(/Update\?[\s\S]*-Mine\.\n\+Two\.\n[\s\S]*\+\\u\{1b\}\[2J\n[\s\S]*Update\?/);
    expect(refused).toMatch(/\nNothing updated\.\n$/);
    expect(await update(`${KEYS.down}${KEYS.enter}`)).toContain('1 updated, 1 up to date');
    expect(readFileSync(join(home, '.agent/plugins/a/SKILL.md'), 'utf8')).toContain('Two.');
    expect((await skillplane(['manage', 'rollback', 'a'], { home })).code).toBe(0);
    expect(readFileSync(join(home, '.agent/plugins/a/SKILL.md'), 'utf8')).toContain('Mine.');
  });

  test('show before the question only findings that the new version adds', async () => {
    const repository = makeRepository({ 'SKILL.md': skill('a'), 'old.sh': 'sudo true\n' });
    const home = makeTree();
    expect((await skillplane(['install', repository.url, '--yes'], { home })).code).toBe(0);
    repository.commit({ 'old.sh': '\n\nsudo true\n', 'new.sh': 'echo 1\ncat ~/.ssh/id_rsa\n' });
    const { stdout } = await skillplane(['update'], { home });
    expect(stdout).toMatch(/1 new audit finding:\n {6}high reads-private-keys new\.sh:2: cat/);
    expect(stdout).not.toContain('administrator-rights');
    expect(JSON.parse((await skillplane(['outdated', '--json'], { home })).stdout)).toMatchObject({
      updated: [{ addedFindings: [{ rule: 'SP201', severity: 'high', file: 'new.sh', line: 2 }] }],
    });
  });

  test.each([
    ['is not closed', '---\nname: a\ndescription: Does a.\n\nOne.\n', 'not closed'],
    ['has no description', skillText({ name: 'a' }, 'One.\n'), 'no description'],
    ['has an invalid name', skill('A b', 'One.\n'), 'must be lowercase'],
    ['is gone', 'One.\n', 'no frontmatter'],
  ])('refuse a new version whose frontmatter %s, and keep the old one', async (_, text, why) => {
    const repository = makeRepository({ 'SKILL.md': skill('a') });
    const home = makeTree();
    expect((await skillplane(['install', repository.url, '--yes'], { home })).code).toBe(0);
    const before = readInstalled(home);
    repository.commit({ 'SKILL.md': text });
    const { code, stderr } = await skillplane(['update', '--yes'], { home });
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(readInstalled(home)).toEqual(before);
    expect(findLeftovers(home)).toEqual([]);
  });

  test('skip a skill that is installed at a commit', async () => {
    const repository = makeRepository({ 'SKILL.md': skill('a') });
    const home = makeTree();
    const ref = headOf(repository);
    expect((await skillplane(['install', repository.url, '--ref', ref, '--yes'], { home })).code).toBe(0);
    repository.commit({ 'SKILL.md': skill('a', 'Two.\n') });
    expect((await skillplane(['manage', 'update', '--yes'], { home })).stdout).toBe(
      '0 updated, 0 up to date, 1 at a fixed commit.\n',
    );
  });

  test('keep a skill whose new version is broken, gone or unreachable, and update the others', async () => {
    const { home, repository, manage, json } = await makeSetting();
    const before = readInstalled(home);
    repository.git(['rm', '-rq', 'skills/a']);
    const now = repository.commit({ 'skills/b/SKILL.md': skill('b', 'Two.\n') });
    const partly = await manage('update', '--yes');
    expect(partly.code).toBe(1);
    expect(partly.stderr).toContain('/repo no longer has skills/a; "a" stays as it is');
    expect(partly.stdout).toContain('1 updated, 0 up to date, 1 failed.');
    expect(readInstalled(home)).toMatchObject({ a: before['a'], b: { locked: { origin: { commit: now } } } });
    repository.commit({ 'skills/a/SKILL.md': skill('a', 'Do\u202E it.\n') });
    expect(await json('update', 'a', '--yes')).toMatchObject({ ok: false, updated: [], failed: [{ name: 'a' }] });
    rmSync(repository.dir, { recursive: true });
    expect(await json('update', '--yes')).toMatchObject({ ok: false, failed: [{ name: 'a' }, { name: 'b' }] });
    expect(readInstalled(home)['a']).toEqual(before['a']);
    expect(findLeftovers(home)).toEqual([]);
  });
});

test('verify lists changed files, and a changed skill is no longer trusted', async () => {
  const { home, manage, json } = await makeSetting();
  const dir = join(home, '.agent/plugins/a');
  expect((await skillplane(['trust', 'a', '--yes'], { home })).code).toBe(0);
  expect(await manage('verify')).toEqual({ code: 0, stdout: '2 skills match the lock file, 0 differ.\n', stderr: '' });
  writeFileSync(join(dir, 'added.sh'), 'x');
  appendFileSync(join(dir, 'SKILL.md'), 'x');
  rmSync(join(home, '.agent/plugins/b'), { recursive: true });
  const { code, stdout } = await manage('verify');
  expect(code).toBe(1);
  expect(stdout).toContain(`✗ a  changed  ${dir}\n    ~ SKILL.md\n    + added.sh\n`);
  expect(stdout).toContain(`✗ b  missing  ${join(home, '.agent/plugins/b')}\n`);
  expect(stdout).toContain('0 skills match the lock file, 2 differ.\n');
  expect(await json('verify', 'a')).toEqual({
    ok: false,
    plugins: [
      {
        name: 'a',
        dir,
        state: 'changed',
        changes: [
          { path: 'SKILL.md', kind: 'changed' },
          { path: 'added.sh', kind: 'added' },
        ],
        scope: 'user',
      },
    ],
  });
  expect((await skillplane(['show', '--verbose'], { home, env: WIDE })).stdout).not.toMatch(/✓ a .*\n.* {2}trusted\n/);
});

describe('remove', () => {
  test('asks, and keeps everything without an answer', async () => {
    const { home, manage } = await makeSetting();
    const before = listEverything(home);
    const refused = await manage('remove', 'a');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('a was not removed\nUse --yes to continue without questions.\n');
    const answers = [['Remove ', 'n']] as const;
    const asked = await answerOnTerminal(['manage', 'remove', 'a'], { home, columns: 120, answers });
    expect(asked.code).toBe(0);
    expect(asked.shown).toMatch(/Remove a\?[^]*Nothing removed\.\n$/);
    expect(listEverything(home)).toEqual(before);
  });

  test('deletes the folder, its entries, the previous version and the trust', async () => {
    const { home, repository, manage, json } = await makeSetting();
    repository.commit({ 'skills/a/SKILL.md': skill('a', 'Two.\n') });
    expect((await manage('update', 'a', '--yes')).code).toBe(0);
    expect((await skillplane(['trust', 'a', '--yes'], { home })).code).toBe(0);
    expect((await manage('remove', 'a', '--yes')).stdout).toBe('Removed a.\n');
    expect(Object.keys(readInstalled(home))).toEqual(['b']);
    expect(readFileSync(join(home, '.agent/trust.json'), 'utf8')).not.toContain('plugins/a');
    expect(await json('remove', 'b', '--yes')).toEqual({
      ok: true,
      name: 'b',
      dir: join(home, '.agent/plugins/b'),
      agents: [],
    });
    expect(readInstalled(home)).toEqual({});
    expect(existsSync(join(home, '.agent/plugins/.skillplane'))).toBe(false);
  });
});
