import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { skillText } from 'skillplane/testing';
import { expect, onTestFinished, test } from 'vitest';

import { archiveOf } from './support/hubs.ts';
import { PROGRAM, startHub, type HubProcess } from './support/processes.ts';

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-hub-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const start = (dir: string): Promise<HubProcess> => startHub(['--data', dir]);

test('serves at once, prints the first token once, and keeps everything when it is killed', async () => {
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

test('wrong usage ends with 2 and says what is wrong; help and version answer', () => {
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  expect(run('fly')).toMatchObject({ status: 2, stderr: expect.stringContaining('there is no command fly') });
  expect(run('backup')).toMatchObject({ status: 2, stderr: expect.stringContaining('needs a file') });
  expect(run('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const help = run('--help').stdout;
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});
