import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { snapshotTree } from '../../../test/support/snapshot.ts';
import { link, makeTree, skillText, writeTree, type Tree } from '../../../test/support/tree.ts';
import { openStore } from '../../catalog/store.ts';
import { HOST_IDS } from '../../model/agents.ts';
import type { SyncOptions } from './sync-request.ts';
import { planSync, sync, undoSync, type SyncReport } from './sync.ts';

const skill = (name: string): string => skillText({ name, description: `Does ${name}.` }, 'Text.\n');

interface Home {
  readonly home: string;
  readonly options: SyncOptions;
}

/** A home with the folders of all hosts. The bundled skills are off. */
function makeHome(tree: Tree = {}, config = ''): Home {
  const home = makeTree({
    '.agent/config.yaml': `skills:\n  disabledSources: [bundled]\n${config}`,
    '.claude/': '',
    '.codex/': '',
    '.cursor/': '',
    '.copilot/': '',
    '.gemini/': '',
    '.config/opencode/': '',
    ...tree,
  });
  return { home, options: { cwd: home, home, env: { HOME: home, PATH: '' } } };
}

async function run(options: SyncOptions): Promise<SyncReport> {
  const done = await sync(options);
  if (!done.ok) throw new Error(done.message);
  return done.report;
}

async function undo(options: SyncOptions): Promise<SyncReport> {
  const done = await undoSync(options);
  if (!done.ok) throw new Error(done.message);
  return done.report;
}

const snapshot = (dir: string): Readonly<Record<string, string>> => snapshotTree(dir, ['.agent']);

const describeChanges = ({ changes }: SyncReport, home: string): readonly string[] =>
  changes.map(({ kind, path, skill: name }) => `${kind} ${name} ${path.slice(home.length + 1)}`);

test('sync shows every enabled skill to all hosts through links in two folders', async () => {
  const { home, options } = makeHome({
    '.agent/skills/pdf/SKILL.md': skill('pdf'),
    '.agents/skills/mail/SKILL.md': skill('mail'),
  });
  const report = await run(options);
  expect(describeChanges(report, home)).toEqual([
    'link pdf .agents/skills/pdf',
    'link mail .claude/skills/mail',
    'link pdf .claude/skills/pdf',
  ]);
  expect(report).toMatchObject({ problems: [], isFirst: true, hosts: HOST_IDS });
  expect(readlinkSync(join(home, '.claude/skills/pdf'))).toBe(join(home, '.agent/skills/pdf'));
  expect(readlinkSync(join(home, '.claude/skills/mail'))).toBe(join(home, '.agents/skills/mail'));
});

test('a second sync changes nothing and touches no file', async () => {
  const { home, options } = makeHome(
    { '.agent/skills/pdf/SKILL.md': skill('pdf'), '.claude/settings.json': '{}' },
    '  hosts:\n    claude-code: ["!pdf"]\n    gemini: ["!pdf"]\n',
  );
  await run(options);
  const before = snapshot(home);
  const times = (dir: string): unknown => [lstatSync(dir).mtimeMs, lstatSync(dir).ctimeMs];
  const dirs = ['', '.claude', '.agents/skills', '.agent/sync', '.gemini'].map((dir) => join(home, dir));
  const stamps = dirs.map(times);
  expect(await run(options)).toMatchObject({ changes: [], files: [], isFirst: false });
  expect(dirs.map(times)).toEqual(stamps);
  expect(snapshot(home)).toEqual(before);
});

test('undoing a sync restores every byte, including settings, and removes the folders that it made', async () => {
  const { home, options } = makeHome(
    {
      '.agent/skills/pdf/SKILL.md': skill('pdf'),
      '.agents/skills/mail/SKILL.md': skill('mail'),
      '.claude/settings.json': '{\n  // mine\n  "model": "x",\n}\n',
      '.codex/config.toml': 'model = "x"',
      '.config/opencode/opencode.jsonc': '{ /* nothing */ }',
    },
    '  disabled: [mail]\n',
  );
  chmodSync(join(home, '.claude/settings.json'), 0o600);
  const before = snapshot(home);
  const report = await run(options);
  expect(report.problems).toEqual([
    expect.objectContaining({
      kind: 'shown',
      skill: 'mail',
      hosts: ['cursor'],
      because: expect.stringContaining('Cursor') as unknown,
    }),
  ]);
  const after = snapshot(home);
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toBe(
    `model = "x"\n\n[[skills.config]]\npath = "${home}/.agents/skills/mail/SKILL.md"\nenabled = false\n`,
  );
  expect(JSON.parse(readFileSync(join(home, '.gemini/settings.json'), 'utf8'))).toEqual({
    skills: { disabled: ['mail'] },
  });
  expect(JSON.parse(readFileSync(join(home, '.copilot/settings.json'), 'utf8'))).toEqual({ disabledSkills: ['mail'] });
  expect(after['.config/opencode/opencode.jsonc.bak']).toBe(before['.config/opencode/opencode.jsonc']);
  await undo(options);
  expect(snapshot(home)).toEqual(before);
  expect(readdirSync(join(home, '.agent'))).not.toContain('sync');
});

test("sync uses a host's own settings to hide a skill from only one of the hosts that share a folder", async () => {
  const { home, options } = makeHome(
    { '.agent/skills/pdf/SKILL.md': skill('pdf') },
    '  hosts:\n    codex: ["!pdf"]\n    claude-code: ["!p*"]\n',
  );
  const report = await run(options);
  expect(describeChanges(report, home)).toEqual(['link pdf .agents/skills/pdf', 'switch-off pdf .codex/config.toml']);
  writeFileSync(join(home, '.agent/config.yaml'), 'skills:\n  disabledSources: [bundled]\n');
  expect(describeChanges(await run(options), home)).toEqual([
    'link pdf .claude/skills/pdf',
    'switch-on pdf .codex/config.toml',
  ]);
  expect(readdirSync(join(home, '.codex'))).toEqual([]);
});

test('sync removes links to deleted skills, and keeps and reports entries that it did not make', async () => {
  const { home, options } = makeHome({
    '.agent/skills/pdf/SKILL.md': skill('pdf'),
    '.agent/skills/mail/SKILL.md': skill('mail'),
    '.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Another.' }, 'Else.\n'),
    '.agents/skills/mail': link('nowhere'),
  });
  const first = await run(options);
  expect(describeChanges(first, home)).toEqual(['link pdf .agents/skills/pdf', 'link mail .claude/skills/mail']);
  expect(first.problems.map(({ kind, skill: name, hosts }) => [kind, name, hosts.length])).toEqual([
    ['broken', 'mail', 4],
    ['taken', 'pdf', 1],
    ['unseen', 'pdf', 1],
    ['unseen', 'pdf', 1],
  ]);
  rmSync(join(home, '.agent/skills/mail'), { recursive: true });
  expect(describeChanges(await run(options), home)).toEqual(['remove mail .claude/skills/mail']);
  expect(lstatSync(join(home, '.agents/skills/mail')).isSymbolicLink()).toBe(true);
});

test('a synced link that someone replaced is theirs from then on: sync and undo leave it alone', async () => {
  const { home, options } = makeHome({ '.agent/skills/pdf/SKILL.md': skill('pdf') });
  await run(options);
  const path = join(home, '.claude/skills/pdf');
  rmSync(path);
  writeTree(home, { '.claude/skills/pdf/SKILL.md': skill('pdf') });
  const { problems } = await run(options);
  expect(problems).toMatchObject([
    { kind: 'taken', path },
    { hosts: ['cursor'], because: expect.stringContaining('comes first') as unknown },
    { hosts: ['opencode'], because: expect.stringContaining('at random') as unknown },
  ]);
  rmSync(join(home, '.agents/skills/pdf'));
  expect(describeChanges(await run(options), home)).toEqual(['link pdf .agents/skills/pdf']);
  await undo(options);
  expect(readFileSync(join(path, 'SKILL.md'), 'utf8')).toBe(skill('pdf'));
  expect(existsSync(join(home, '.agents'))).toBe(false);
});

test('sync copies a changed skill again, and leaves a copy alone that someone changed', async () => {
  const { home, options } = makeHome({ '.agent/skills/pdf/SKILL.md': skill('pdf'), '.agent/skills/pdf/a/x.sh': '1' });
  chmodSync(join(home, '.agent/skills/pdf/a/x.sh'), 0o755);
  const copying = { ...options, copy: true, hosts: ['claude-code'] };
  expect(describeChanges(await run(copying), home)).toEqual(['copy pdf .claude/skills/pdf']);
  const copied = join(home, '.claude/skills/pdf/a/x.sh');
  expect([readFileSync(copied, 'utf8'), statSync(copied).mode & 0o777]).toEqual(['1', 0o755]);
  expect(await run(copying)).toMatchObject({ changes: [], problems: [] });
  writeTree(home, { '.agent/skills/pdf/a/x.sh': '2' });
  expect(describeChanges(await run(copying), home)).toEqual(['copy pdf .claude/skills/pdf']);
  expect(readFileSync(copied, 'utf8')).toBe('2');
  writeTree(home, { '.claude/skills/pdf/a/x.sh': 'mine' });
  expect((await run(copying)).problems).toMatchObject([{ kind: 'taken' }]);
  await undo(copying);
  expect(readFileSync(copied, 'utf8')).toBe('mine');
});

test('sync does not change which skills are in the catalog', async () => {
  const { home, options } = makeHome(
    {
      '.agent/skills/pdf/SKILL.md': skill('pdf'),
      '.claude/skills/mail/SKILL.md': skill('mail'),
      '.codex/skills/web/SKILL.md': skill('web'),
      'more/far/SKILL.md': skill('far'),
    },
    '  customDirectories: [~/more]\n',
  );
  const list = async (): Promise<readonly string[]> => {
    await using store = await openStore(options);
    return store.copies().map(({ name, source }) => `${name} ${source}`);
  };
  const before = await list();
  expect(before).toEqual(['far custom:0', 'mail claude-user', 'pdf user', 'web codex-user']);
  await run(options);
  expect(await list()).toEqual(before);
  expect(readdirSync(join(home, '.agents/skills'))).toEqual(['far', 'mail', 'pdf', 'web']);
});

test('sync for one host keeps the entries of others, and reports settings files that it cannot edit', async () => {
  const { home, options } = makeHome(
    {
      '.agent/skills/pdf/SKILL.md': skill('pdf'),
      '.gemini/settings.json': '{"skills": 1}',
      '.claude/settings.json': '{',
    },
    '  hosts:\n    gemini: ["!pdf"]\n    claude-code: ["!pdf"]\n',
  );
  writeTree(home, { '.claude/skills/pdf': link('../../.agent/skills/pdf') });
  const report = await run(options);
  expect(report.problems.map(({ kind, hosts }) => [kind, ...hosts])).toEqual([
    ['file', 'claude-code'],
    ['file', 'gemini'],
  ]);
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe('{');
  writeFileSync(
    join(home, '.agent/config.yaml'),
    'skills:\n  disabledSources: [bundled]\n  hosts:\n    codex: ["!pdf"]\n',
  );
  expect(describeChanges(await run({ ...options, hosts: ['gemini'] }), home)).toEqual([]);
  expect(readdirSync(join(home, '.agents/skills'))).toEqual(['pdf']);
});

test('sync never touches a folder that a host reserves for itself', async () => {
  const { home, options } = makeHome({ '.agent/skills/synced/SKILL.md': skill('synced') });
  const report = await run(options);
  expect(describeChanges(report, home)).toEqual(['link synced .agents/skills/synced']);
  expect(report.problems).toMatchObject([{ kind: 'taken', hosts: ['claude-code'] }]);
});

test('syncing a project links its own skills by relative paths and switches off the skills that it disables', async () => {
  const root = makeTree({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'home/.agent/skills/mail/SKILL.md': skill('mail'),
    'home/.claude/': '',
    'home/.codex/': '',
    'project/.git/': '',
    'project/.agent/skills/pdf/SKILL.md': skill('pdf'),
    'project/.agent/config.yaml': 'skills:\n  disabled: [mail]\n',
  });
  const home = join(root, 'home');
  const options = { cwd: join(root, 'project'), home, env: { HOME: home, PATH: '' } };
  const before = snapshot(join(root, 'project'));
  await run(options);
  expect(snapshot(join(root, 'project'))).toEqual(before);
  expect(readdirSync(join(home, '.claude/skills'))).toEqual(['mail']);
  const report = await run({ ...options, project: true });
  expect(describeChanges(report, root)).toEqual([
    'link pdf project/.agents/skills/pdf',
    'switch-off mail project/.claude/settings.json',
    'link pdf project/.claude/skills/pdf',
  ]);
  expect(report.problems).toMatchObject([{ kind: 'shown', skill: 'mail', hosts: ['codex'] }]);
  expect(readlinkSync(join(root, 'project/.claude/skills/pdf'))).toBe('../../.agent/skills/pdf');
  expect(await run({ ...options, project: true })).toMatchObject({ changes: [] });
  await undo({ ...options, project: true });
  expect(snapshot(join(root, 'project'))).toEqual(before);
});

test('a symbolic link in a cloned project does not lead sync out of the project', async () => {
  const root = makeTree({
    'home/.claude/': '',
    'outside/': '',
    'project/.git/': '',
    'project/.agent/skills/pdf/SKILL.md': skill('pdf'),
  });
  symlinkSync(join(root, 'outside'), join(root, 'project/.claude'));
  const home = join(root, 'home');
  const options = { cwd: join(root, 'project'), home, env: { HOME: home, PATH: '' }, project: true };
  expect(await sync(options)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  expect(readdirSync(join(root, 'outside'))).toEqual([]);
});

test('a sync plan lists every change with its reason, and changes nothing', async () => {
  const { home, options } = makeHome({ '.agent/skills/pdf/SKILL.md': skill('pdf') }, '  hosts: { codex: ["!pdf"] }\n');
  const before = snapshot(home);
  const planned = await planSync(options);
  expect(planned).toMatchObject({
    ok: true,
    plan: {
      isFirst: true,
      changes: [
        { kind: 'link', skill: 'pdf', path: join(home, '.agents/skills/pdf'), target: join(home, '.agent/skills/pdf') },
        { kind: 'link', skill: 'pdf', hosts: ['claude-code'], because: 'it is enabled' },
        { kind: 'switch-off', skill: 'pdf', hosts: ['codex'], because: 'the setting hosts leaves it out' },
      ],
      files: [
        { path: join(home, '.codex/config.toml'), diff: expect.stringContaining('+[[skills.config]]\n') as unknown },
      ],
    },
  });
  expect(snapshot(home)).toEqual(before);
});

test.each([
  ['  hosts: { claude: [] }\n', 'claude'],
  ['  hosts: [pdf]\n', 'lists of names'],
])('sync refuses to run while the setting hosts is invalid: %j', async (config, reason) => {
  const { options } = makeHome({ '.agent/skills/pdf/SKILL.md': skill('pdf') }, config);
  expect(await sync(options)).toMatchObject({
    ok: false,
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(reason),
  });
});

test('sync refuses an unknown host and suggests the nearest name', async () => {
  const { options } = makeHome();
  expect(await sync({ ...options, hosts: ['gemin'] })).toMatchObject({ ok: false, next: { choose: ['gemini'] } });
});

/** Open files of this process. */
const countHandles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

/** Locks and temporary files anywhere in a home. */
const leftovers = (home: string): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:tmp|lock|pending)\b|\.skillplane-/.test(path),
  );

test('twenty syncs leave as little as one: no open files, temporary files or further backups', async () => {
  const made = makeHome({
    '.agent/skills/pdf/SKILL.md': skill('pdf'),
    '.claude/skills/own/SKILL.md': skill('own'),
    '.claude/settings.json': '{ "a": 1 }\n',
  });
  const { home } = made;
  const options = { ...made.options, hosts: ['claude-code'] };
  const toggle = (isOff: boolean): void =>
    writeFileSync(
      join(home, '.agent/config.yaml'),
      `skills:\n  disabledSources: [bundled]\n  hosts:\n    claude-code: ["!own", ${isOff ? '"!pdf"' : '"pdf"'}]\n`,
    );
  toggle(true);
  await sync(options);
  const [handles, names] = [countHandles(), readdirSync(join(home, '.claude')).toSorted()];
  for (let at = 0; at < 20; at += 1) {
    toggle(at % 2 === 0);
    expect(await sync(options)).toMatchObject({ ok: true });
  }
  expect(countHandles()).toBeLessThanOrEqual(handles);
  expect(readdirSync(join(home, '.claude')).toSorted()).toEqual(names);
  expect(leftovers(home)).toEqual([]);
});

test('a host that counts links gets one, if another host gets one in a folder that it reads', async () => {
  const { home, options } = makeHome({ '.agent/skills/pdf/SKILL.md': skill('pdf') });
  const report = await run({ ...options, hosts: ['claude-code', 'opencode'] });
  expect(describeChanges(report, home)).toEqual(['link pdf .claude/skills/pdf']);
  expect(report.problems).toEqual([]);
});

test('sync of named skills leaves the entries and switches of all others alone', async () => {
  const { home, options } = makeHome(
    { '.agent/skills/pdf/SKILL.md': skill('pdf'), '.agent/skills/mail/SKILL.md': skill('mail') },
    '  hosts: { codex: ["!pdf"] }\n',
  );
  const hosts = ['claude-code', 'codex'];
  expect(describeChanges(await run({ ...options, hosts, skills: ['mail'] }), home)).toEqual([
    'link mail .agents/skills/mail',
    'link mail .claude/skills/mail',
  ]);
  await run({ ...options, hosts });
  const before = snapshot(home);
  writeFileSync(join(home, '.agent/config.yaml'), 'skills:\n  disabledSources: [bundled]\n  disabled: [pdf, mail]\n');
  expect(describeChanges(await run({ ...options, hosts, skills: ['mail'] }), home)).toEqual([
    'remove mail .agents/skills/mail',
    'remove mail .claude/skills/mail',
  ]);
  writeFileSync(join(home, '.agent/config.yaml'), 'skills:\n  disabledSources: [bundled]\n');
  await run({ ...options, hosts, skills: ['mail'] });
  expect(snapshot(home)).toEqual(before);
});

test('a sync opens the catalog once', async () => {
  const { home, options } = makeHome({ '.agent/skills/pdf/SKILL.md': skill('pdf') });
  const admitted: string[] = [];
  const report = await run({
    ...options,
    admit: async ({ name }) => {
      admitted.push(name);
      return { ok: true };
    },
  });
  expect(describeChanges(report, home)).toHaveLength(2);
  expect(admitted).toEqual(['pdf']);
});

test('a manifest of an earlier version is read, and its switches are taken out', async () => {
  const { home, options } = makeHome(
    { '.agent/skills/pdf/SKILL.md': skill('pdf'), '.gemini/settings.json': '{\n  "a": 1\n}\n' },
    '  hosts: { gemini: ["!pdf"] }\n',
  );
  const before = snapshot(home);
  await run({ ...options, hosts: ['codex', 'gemini'] });
  const file = join(home, '.agent/sync/user.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { files: { changes?: unknown }[] };
  for (const edited of manifest.files) delete edited.changes;
  writeFileSync(file, JSON.stringify({ ...manifest, given: [] }));
  await undo(options);
  expect(JSON.parse(readFileSync(join(home, '.gemini/settings.json'), 'utf8'))).toMatchObject({ a: 1 });
  expect({ ...snapshot(home), '.gemini/settings.json': '' }).toEqual({ ...before, '.gemini/settings.json': '' });
});
