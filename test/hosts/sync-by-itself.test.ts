import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { sync, watchSync } from '../../src/hosts/sync/sync.ts';
import { answerOnTerminal, KEYS, skillplane, SKILLPLANE, type CommandResult } from '../support/command-line.ts';
import { isAlive } from '../support/processes.ts';
import { makeTree, skillText, writeTree, type Tree } from '../support/tree.ts';

const CONFIG = 'skills:\n  disabledSources: [bundled]\n';
const skill = (name: string): string => skillText({ name, description: `Does ${name}.` }, 'Text.\n');

function makeHome(tree: Tree = {}): string {
  return makeTree({
    '.agent/config.yaml': CONFIG,
    '.agent/skills/pdf/SKILL.md': skill('pdf'),
    '.claude/': '',
    ...tree,
  });
}

/** The skills that Claude Code is given. */
function entries(home: string): readonly string[] {
  const folder = join(home, '.claude/skills');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

/** Files that a sync leaves beside its manifest, and temporary files anywhere in the home. */
function leftovers(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:tmp|lock|pending)\b|\.skillplane-/.test(path) && !path.startsWith('.agent/skills'),
  );
}

function startWatching(home: string): ChildProcess {
  const child = spawn(SKILLPLANE[0] ?? '', [...SKILLPLANE.slice(1), 'sync', '--watch', 'claude-code'], {
    cwd: home,
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test.each(['SIGINT', 'SIGTERM'] as const)('sync --watch follows every change, and %s ends it', async (signal) => {
  const home = makeHome();
  const child = startWatching(home);
  await expect.poll(() => entries(home)).toEqual(['pdf']);
  writeTree(home, { '.agent/skills/mail/SKILL.md': skill('mail') });
  await expect.poll(() => entries(home)).toEqual(['mail', 'pdf']);
  writeFileSync(join(home, '.agent/config.yaml'), `${CONFIG}  hosts:\n    claude-code: ["!mail"]\n`);
  await expect.poll(() => entries(home)).toEqual(['pdf']);
  rmSync(join(home, '.claude/skills/pdf'));
  rmSync(join(home, '.agent/skills/pdf'), { recursive: true });
  await expect.poll(() => entries(home)).toEqual([]);
  child.kill(signal);
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(leftovers(home)).toEqual([]);
});

test('a watch that is killed leaves a state that the next sync goes on from', async () => {
  const home = makeHome();
  const child = startWatching(home);
  await expect.poll(() => entries(home)).toEqual(['pdf']);
  writeTree(home, { '.agent/skills/mail/SKILL.md': skill('mail') });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(child.pid ?? 0)).toBe(false);
  expect(await skillplane(['sync', 'claude-code'], { home })).toMatchObject({ code: 0 });
  expect(entries(home)).toEqual(['mail', 'pdf']);
  expect((await skillplane(['sync', '--check', 'claude-code'], { home })).code).toBe(0);
});

/** Open files of this process. */
const countHandles = (): number => readdirSync('/proc/self/fd').length;

test('a hundred changes are followed, a watch opens no more files with each, and closing gives them all back', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'this needs Linux');
  const home = makeHome();
  const options = { cwd: home, home, env: { HOME: home, PATH: '' }, hosts: ['claude-code'] };
  // The first watch of a process opens what all later ones share.
  const first = await watchSync(options, () => undefined);
  if (first.ok) await first.close();
  const before = countHandles();
  let syncs = 0;
  const watching = await watchSync(options, () => (syncs += 1));
  if (!watching.ok) throw new Error(watching.message);
  const during = countHandles();
  for (let at = 0; at < 100; at += 1) writeTree(home, { [`.agent/skills/skill-${at}/SKILL.md`]: skill(`skill-${at}`) });
  await expect.poll(() => entries(home).length).toBe(101);
  for (let at = 0; at < 100; at += 1) rmSync(join(home, `.agent/skills/skill-${at}`), { recursive: true });
  await expect.poll(() => entries(home)).toEqual(['pdf']);
  // Changes that come together are synced together.
  expect(syncs).toBeLessThan(100);
  await expect.poll(countHandles).toBeLessThanOrEqual(during + 2);
  await watching.close();
  await expect.poll(countHandles).toBeLessThanOrEqual(before);
  expect(leftovers(home)).toEqual([]);
});

test('twenty syncs leave as little as one: no open files, temporary files or further backups', async () => {
  const home = makeHome({ '.claude/skills/own/SKILL.md': skill('own'), '.claude/settings.json': '{ "a": 1 }\n' });
  const options = { cwd: home, home, env: { HOME: home, PATH: '' }, hosts: ['claude-code'] };
  const toggle = (isOff: boolean): void =>
    writeFileSync(
      join(home, '.agent/config.yaml'),
      `${CONFIG}  hosts:\n    claude-code: ["!own", ${isOff ? '"!pdf"' : '"pdf"'}]\n`,
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

test('the first sync asks whether to sync by itself, and keeps the answer', async () => {
  const home = makeHome();
  const { code } = await answerOnTerminal(['sync', 'claude-code'], {
    home,
    columns: 100,
    answers: [['Sync by itself', 'y']],
  });
  expect(code).toBe(0);
  expect((await skillplane(['config', 'get', 'autoSync'], { home })).stdout.trim()).toContain('true');
  const again = await skillplane(['sync', 'claude-code'], { home });
  expect(again.stdout + again.stderr).not.toContain('autoSync');
});

test('an answer of no is kept, too', async () => {
  const home = makeHome();
  await answerOnTerminal(['sync', 'claude-code'], {
    home,
    columns: 100,
    answers: [['Sync by itself', `n${KEYS.enter}`]],
  });
  expect((await skillplane(['config', 'get', 'autoSync'], { home })).stdout.trim()).toContain('false');
});

test('with autoSync, the hosts follow install, disable, enable, update and remove; others stay as they are', async () => {
  const origin = makeTree({ 'notes/SKILL.md': skill('notes'), 'notes/a.md': 'one\n' });
  const home = makeHome({ '.agent/config.yaml': `${CONFIG}  autoSync: true\n`, '.codex/': '' });
  const run = async (...words: readonly string[]): Promise<CommandResult> => {
    const done = await skillplane(words, { home });
    expect({ words, ...done }).toMatchObject({ code: 0 });
    return done;
  };
  await run('install', origin, '--yes');
  expect(entries(home)).toEqual([]);
  await run('sync', 'claude-code');
  expect(entries(home)).toEqual(['notes', 'pdf']);
  await run('disable', 'notes');
  expect(entries(home)).toEqual(['pdf']);
  await run('enable', 'notes');
  expect(entries(home)).toEqual(['notes', 'pdf']);
  writeFileSync(join(origin, 'notes/a.md'), 'two\n');
  rmSync(join(home, '.claude/skills/pdf'));
  await run('update', '--yes');
  expect(entries(home)).toEqual(['notes', 'pdf']);
  await run('remove', 'notes', '--yes');
  expect(entries(home)).toEqual(['pdf']);
  await run('install', origin, '--yes');
  expect(entries(home)).toEqual(['notes', 'pdf']);
  expect(existsSync(join(home, '.agents'))).toBe(false);
  expect(readdirSync(join(home, '.codex'))).toEqual([]);
});
