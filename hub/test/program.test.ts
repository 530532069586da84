import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { skillText } from 'skillplane/testing';
import { expect, onTestFinished, test } from 'vitest';

import { readBackupFile, writeBackupFile } from '../src/operate/backup-file.ts';
import { archiveOf } from './support/hubs.ts';
import { PROGRAM, startHub, type HubProcess } from './support/processes.ts';

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-hub-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const start = (dir: string): Promise<HubProcess> => startHub(['--data', dir]);

test('a hub in a folder prints its first token once, survives a kill, and is backed up and restored', async () => {
  const dir = makeFolder();
  const first = await start(dir);
  const headers = { authorization: `Bearer ${first.token}` };
  const ask = async (url: string, path: string, init: RequestInit = {}): Promise<unknown> =>
    (await fetch(`${url}${path}`, { ...init, headers })).json();
  await ask(first.url, '/api/v1/scopes/team', { method: 'PUT', body: '{"policy":"open"}' });
  const body = new Uint8Array(archiveOf('pdf'));
  const path = '/api/v1/skills/team/pdf/versions?version=1.0.0';
  expect(await ask(first.url, path, { method: 'POST', body })).toMatchObject({ ok: true, state: 'published' });
  const busy = spawnSync(process.execPath, [PROGRAM, 'backup', join(dir, 'backup.gz'), '--data', dir], {
    encoding: 'utf8',
  });
  expect(busy).toMatchObject({ status: 1, stderr: expect.stringContaining('another hub') });
  mkdirSync(join(dir, 'skills/mail'), { recursive: true });
  writeFileSync(join(dir, 'skills/mail/SKILL.md'), skillText({ name: 'mail', description: 'Write mail.' }));
  const imported = spawnSync(process.execPath, [PROGRAM, 'import', './skills', '--scope', 'team', '--url', first.url], {
    encoding: 'utf8',
    cwd: dir,
    env: { PATH: process.env['PATH'], HUB_TOKEN: first.token },
  });
  expect(imported).toMatchObject({ status: 0, stdout: '✓ mail 1.0.0\n', stderr: '' });
  const live = spawnSync(process.execPath, [PROGRAM, 'backup', join(dir, 'live.gz'), '--url', first.url], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HUB_TOKEN: first.token },
  });
  expect(live).toMatchObject({ status: 0, stderr: '' });
  await first.kill();
  const second = await start(dir);
  expect(second.token).toBe('');
  expect(await ask(second.url, '/api/v1/search?q=pdf')).toMatchObject({ results: [{ scope: 'team', name: 'pdf' }] });
  expect(await second.stop()).toBe(0);

  const restored = makeFolder();
  const run = spawnSync(process.execPath, [PROGRAM, 'restore', join(dir, 'live.gz'), '--data', restored], {
    encoding: 'utf8',
  });
  expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Restored \d+ rows/) });
  const third = await start(restored);
  expect(await ask(third.url, '/api/v1/skills/team/pdf')).toMatchObject({ version: '1.0.0' });
  expect(await third.stop()).toBe(0);
});

test('a backup file is written whole or not at all and replaces none; a truncated one is refused', async () => {
  const dir = makeFolder();
  const file = join(dir, 'hub.gz');
  const readAll = async (path: string): Promise<readonly string[]> => {
    const lines: string[] = [];
    for await (const line of readBackupFile(path)) lines.push(line);
    return lines;
  };
  await writeBackupFile(file, async (write) => {
    await write('one\n');
    await write('two\n');
  });
  expect(await readAll(file)).toEqual(['one', 'two']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(writeBackupFile(file, async () => undefined)).rejects.toThrow('is there already');
  const failing = writeBackupFile(join(dir, 'other.gz'), async (write) => {
    await write('one\n');
    throw new Error('the hub went away');
  });
  await expect(failing).rejects.toThrow('the hub went away');
  await expect(writeBackupFile(join(dir, 'none/hub.gz'), async () => undefined)).rejects.toThrow('ENOENT');
  expect(readdirSync(dir)).toEqual(['hub.gz']);
  writeFileSync(join(dir, 'cut.gz'), readFileSync(file).subarray(0, 12));
  await expect(readAll(join(dir, 'cut.gz'))).rejects.toThrow('its end is missing');
  writeFileSync(join(dir, 'text.gz'), 'hello');
  await expect(readAll(join(dir, 'text.gz'))).rejects.toThrow('is not a backup of a hub');
});

test('a command of skillplane-hub that cannot reach its hub, file or database says so', () => {
  const dir = makeFolder();
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8', cwd: dir, env: { HOME: dir, ...env } });
  const file = join(dir, 'hub.gz');
  expect(run(['backup', file, '--url', 'http://127.0.0.1:1'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('cannot reach a hub at http://127.0.0.1:1'),
  });
  expect(run(['restore', file])).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no file') });
  expect(run([], { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' })).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^skillplane-hub: cannot reach the database: (?!.*secret)/),
  });
  expect(run([], { DATABASE_URL: 'nonsense' })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('DATABASE_URL is an address'),
  });
  expect(readdirSync(dir)).toEqual([]);
});

test('skillplane-hub explains wrong usage with exit code 2, and prints help and version', () => {
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  expect(run('fly')).toMatchObject({ status: 2, stderr: expect.stringContaining('there is no command fly') });
  expect(run('backup')).toMatchObject({ status: 2, stderr: expect.stringContaining('needs a file') });
  expect(run('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const help = run('--help').stdout;
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});
