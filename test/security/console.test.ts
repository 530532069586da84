import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, onTestFinished, test } from 'vitest';

import { CHROMIUM, connectBrowser, NO_CHROMIUM } from '../support/browser.ts';
import { SKILLPLANE } from '../support/command-line.ts';
import { makeTree, skillText } from '../support/tree.ts';

/** A console that opens its browser: a program that notes what it is given, as every user of the machine can see it. */
async function openConsole(args: readonly string[] = []) {
  const home = makeTree({
    '.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }),
    'bin/xdg-open': '#!/bin/sh\nprintf "%s\\n" "$@" > "$HOME/given.part" && mv "$HOME/given.part" "$HOME/given"\n',
  });
  chmodSync(join(home, 'bin/xdg-open'), 0o755);
  const [node = '', ...words] = SKILLPLANE;
  const env = { HOME: home, DISPLAY: ':99', PATH: `${join(home, 'bin')}:${process.env['PATH']}` };
  const child = spawn(node, [...words, 'console', ...args], { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await closed;
  };
  onTestFinished(stop);
  const [printed]: unknown[] = await once(child.stdout, 'data');
  const given = join(home, 'given');
  return {
    printed: String(printed),
    /** The arguments of the program that opens the browser. */
    opened: async (): Promise<string> => {
      await expect.poll(() => existsSync(given), { timeout: 10_000 }).toBe(true);
      return readFileSync(given, 'utf8').trim();
    },
    stop,
  };
}

/** The address that a page leads to. */
function targetOf(page: string): string {
  return /url=(http:[^"]+)"/.exec(page)?.[1] ?? '';
}

const visit = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers });

describe('the secret that opens the console', () => {
  test('is in no argument of a process: the browser is given a file that only its user can read', async () => {
    const { opened, stop } = await openConsole();
    const given = await opened();
    expect(given).toMatch(/^file:\/\/\/\S+\.html$/);
    const file = fileURLToPath(given);
    const target = targetOf(readFileSync(file, 'utf8'));
    const secret = new URL(target).searchParams.get('token') ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(given).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect((await visit(target)).status).toBe(303);
    await stop();
    expect(existsSync(dirname(file))).toBe(false);
  });

  test('is kept from other users of the machine', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can become another user');
    const { opened } = await openConsole();
    const file = fileURLToPath(await opened());
    const read = spawnSync('cat', [file], { uid: 65_534, gid: 65_534, encoding: 'utf8' });
    expect(read.stdout).toBe('');
    expect(read.stderr).toContain('Permission denied');
  });

  test.each([
    [
      'in the file',
      async ({ opened }: Awaited<ReturnType<typeof openConsole>>) =>
        targetOf(readFileSync(fileURLToPath(await opened()), 'utf8')),
    ],
    ['in the printed address', async ({ printed }: Awaited<ReturnType<typeof openConsole>>) => printed.trim()],
  ])('%s works once: another browser is refused and told why', async (_, find) => {
    const url = await find(await openConsole());
    const first = await visit(url);
    expect(first.status).toBe(303);
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    const second = await visit(url);
    expect(second.status).toBe(401);
    expect(second.headers.get('set-cookie')).toBeNull();
    expect(await second.json()).toMatchObject({
      ok: false,
      message: 'This link was already used, and works only once',
    });
    // The browser that opened it may go back to it.
    const again = await visit(url, { cookie });
    expect([again.status, again.headers.get('set-cookie')]).toEqual([303, null]);
  });

  test('is not spent by a program that only looks at the address', async () => {
    const { printed } = await openConsole(['--no-open']);
    const looked = await fetch(printed.trim(), { method: 'HEAD', redirect: 'manual' });
    expect(looked.headers.get('set-cookie')).toBeNull();
    expect((await visit(printed.trim())).status).toBe(303);
  });

  test('leads a browser from the file to the console', async ({ skip }) => {
    skip(CHROMIUM === undefined, NO_CHROMIUM);
    const { opened } = await openConsole();
    const browser = await connectBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(await opened());
    await page.getByRole('heading', { name: /on this machine$/ }).waitFor();
    expect(page.url()).not.toContain('token');
  });
});
