import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { archiveOf } from './support/hubs.ts';

const PROGRAM = join(import.meta.dirname, '../bin/skillplane-hub.mjs');

interface RunningHub {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
  stop(): Promise<number | null>;
}

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-hub-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function start(dir: string): Promise<RunningHub> {
  const child = spawn(process.execPath, [PROGRAM, '--port', '0', '--data', dir], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/"event":"listening"/);
  return {
    url: /http:\/\/[\d.:]+/.exec(output)?.[0] ?? '',
    token: /sphub_[\w-]+/.exec(output)?.[0] ?? '',
    child,
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

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
  const live = spawnSync(process.execPath, [PROGRAM, 'backup', join(dir, 'live.gz'), '--url', first.url], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HUB_TOKEN: first.token },
  });
  expect(live).toMatchObject({ status: 0, stderr: '' });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
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
