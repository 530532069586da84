import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { skillText } from 'skillplane/testing';
import { expect, onTestFinished, test } from 'vitest';

import { openPglite } from '../src/database/pglite.ts';
import { main } from '../src/main.ts';
import { readBackupFile, writeBackupFile } from '../src/operate/backup-file.ts';
import { archiveOf, openTestHub } from './support/hubs.ts';
import { PROGRAM, startHub, type HubProcess } from './support/processes.ts';

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-hub-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the program inside the test. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const status = await main(args, {
    env,
    stdout: (text) => void stdout.push(text),
    stderr: (text) => void stderr.push(text),
  });
  return { status, stdout: stdout.join(''), stderr: stderr.join('') };
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
  const env = { HUB_TOKEN: first.token };
  const busy = await run(['backup', join(dir, 'backup.gz'), '--data', dir]);
  expect(busy).toMatchObject({ status: 1, stderr: expect.stringContaining('another hub') });
  mkdirSync(join(dir, 'skills/mail'), { recursive: true });
  writeFileSync(join(dir, 'skills/mail/SKILL.md'), skillText({ name: 'mail', description: 'Write mail.' }));
  const imported = await run(['import', join(dir, 'skills'), '--scope', 'team', '--url', first.url], env);
  expect(imported).toMatchObject({ status: 0, stdout: '✓ mail 1.0.0\n', stderr: '' });
  expect(await run(['backup', join(dir, 'live.gz'), '--url', first.url], env)).toMatchObject({ status: 0, stderr: '' });
  await first.kill();
  const second = await start(dir);
  expect(second.token).toBe('');
  expect(await ask(second.url, '/api/v1/search?q=pdf')).toMatchObject({ results: [{ scope: 'team', name: 'pdf' }] });
  expect(await second.stop()).toBe(0);

  const restored = makeFolder();
  const program = [PROGRAM, 'restore', join(dir, 'live.gz'), '--data', restored];
  const restoring = spawnSync(process.execPath, program, { encoding: 'utf8' });
  expect(restoring).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Restored \d+ rows/) });
  const database = await openPglite(join(restored, 'database'));
  onTestFinished(() => database[Symbol.asyncDispose]());
  const answer = await (await openTestHub(database)).ask('GET', '/api/v1/skills/team/pdf', { token: first.token });
  expect(answer.json).toMatchObject({ version: '1.0.0' });
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

test('a command of skillplane-hub that cannot reach its hub, file or database says so', async () => {
  const dir = makeFolder();
  const file = join(dir, 'hub.gz');
  expect(await run(['backup', file, '--url', 'http://127.0.0.1:1'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('cannot reach a hub at http://127.0.0.1:1'),
  });
  expect(await run(['restore', file])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no file'),
  });
  expect(await run([], { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' })).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^skillplane-hub: cannot reach the database: (?!.*secret)/),
  });
  expect(await run([], { DATABASE_URL: 'nonsense' })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('DATABASE_URL is an address'),
  });
  expect(readdirSync(dir)).toEqual([]);
});

test('skillplane-hub explains wrong usage with exit code 2, and prints help and version', async () => {
  expect(await run(['fly'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('there is no command fly'),
  });
  expect(await run(['backup'])).toMatchObject({ status: 2, stderr: expect.stringContaining('needs a file') });
  const version = spawnSync(process.execPath, [PROGRAM, '--version'], { encoding: 'utf8' });
  expect(version).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const { stdout } = await run(['--help']);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});
