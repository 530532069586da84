import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTemporaryTree } from '../../src/platform/files/temporary-tree.ts';
import { openConsolePage } from '../support/browser.ts';
import { startConsole } from '../support/console-process.ts';
import { describeInBrowser } from '../support/console-world.ts';

/** A server that takes connections and never answers. */
async function openSilentServer(): Promise<{ readonly url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/team/skills.git`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Names of buttons that change something. */
const CHANGING =
  /^(disable|enable|fix|update|install|remove|hold|save|audit|apply|change|give|pin|edit|roll back|trust|accept|stop trusting|allow|use this)\b/i;

describeInBrowser('the console in a browser:', (world) => {
  test('an address that leads nowhere fails in the engine’s words, and one that does not answer can be cancelled', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/installed');
    const look = page.getByRole('button', { name: 'Find skills' });
    const address = page.getByLabel('Repository, URL or folder');
    await look.click();
    // The browser itself asks for what is missing.
    await page.locator(':invalid:focus').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await address.fill('./no such folder');
    await look.click();
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/no such folder/);
    await expect.poll(() => address.inputValue()).toBe('./no such folder');
    await using silent = await openSilentServer();
    await address.fill(silent.url);
    await look.click();
    await page.locator('.progress').waitFor();
    await expect.poll(() => look.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('Cancelled. Nothing was changed.');
    await page.locator('.progress').waitFor({ state: 'detached' });
    await expect.poll(() => look.isEnabled()).toBe(true);
  });

  test('a skill is removed only after a second click', async () => {
    const { watched } = world;
    const { page } = watched;
    const folder = join(world.home.home, '.agent/plugins/release-notes');
    await watched.visit('/installed');
    const row = page.locator('tr', { hasText: 'release-notes' });
    await row.locator('summary').click();
    await row.getByRole('button', { name: 'Remove…' }).click();
    await row.getByRole('button', { name: 'Keep it' }).click();
    await row.getByRole('button', { name: 'Remove…' }).click();
    expect(existsSync(folder)).toBe(true);
    await row.getByRole('button', { name: 'Remove its folder for good' }).click();
    await expect.poll(() => row.count()).toBe(0);
    await expect.poll(() => existsSync(folder)).toBe(false);
  });

  test('nonsense in the address of a page does no harm', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/model?budget=a-lot');
    await expect.poll(() => page.locator('.slider').innerText()).toContain('4,000 tokens');
    await watched.visit('/usage?days=-1');
    await page.locator('.chart').waitFor();
    await watched.visit('/skills?state=nonsense&source=none');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.locator('.row').first().waitFor();
    await watched.visit('/skill?name=no-such-skill');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('"no-such-skill"');
    await page.getByRole('link', { name: 'Search for it' }).click();
    await expect.poll(() => page.url()).toContain('q=no-such-skill');
  });

  test('a read-only console offers no change on any page', async () => {
    const config = join(world.home.home, '.agent/config.yaml');
    const before = readFileSync(config, 'utf8');
    await using reader = await startConsole(world.home, ['--read-only']);
    const watched = await openConsolePage(world.browser, reader.url);
    const { page } = watched;
    for (const [path, ready] of [
      ['/skills', '.skill-row.problem'],
      ['/health', '.facts-list li'],
      ['/start', '.steps li'],
      ['/agents', '.matrix .row'],
      ['/skill?name=pdf', '.skill-agents tbody tr'],
      ['/skill?name=pdf&tab=files', '.code'],
      ['/skill?name=setup-machine&tab=trust', '.findings'],
      ['/skill?name=pdf&tab=versions', '#panel h2'],
      ['/installed', '.rows-table'],
      ['/usage', '.chart'],
    ] as const) {
      await watched.visit(path);
      await page.locator(ready).first().waitFor();
      await expect.poll(() => page.locator('main').getByRole('button', { name: CHANGING }).count()).toBe(0);
      await expect.poll(() => page.locator('main input[type=checkbox]:visible').count()).toBe(0);
    }
    await page.keyboard.press('e');
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect(watched.troubles).toEqual([]);
    await page.context().close();
  });

  test('on a new machine nothing is a problem', async () => {
    using files = makeTemporaryTree({ 'home/': '', 'project/.git/': '' });
    const [home, project] = [join(files.root, 'home'), join(files.root, 'project')];
    await using server = await startConsole({ home, project, env: { PATH: files.root } });
    const watched = await openConsolePage(world.browser, server.url);
    const { page } = watched;
    await watched.visit('/skills');
    await page.getByRole('link', { name: 'gh', exact: true }).waitFor();
    expect(await page.getByText('Problems').count()).toBe(0);
    await page.context().close();
  });

  test('without any skill, every page still works and says where to begin', async () => {
    using files = makeTemporaryTree({
      'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      'project/.git/': '',
    });
    const [home, project] = [join(files.root, 'home'), join(files.root, 'project')];
    await using server = await startConsole({ home, project, env: { PATH: '/usr/bin:/bin' } });
    const watched = await openConsolePage(world.browser, server.url);
    const { page } = watched;
    for (const [path, said] of [
      ['/skills', /There are no skills yet\.[\s\S]*Install skills/],
      ['/lab?request=fill+a+form', /Ranking/],
      ['/model', /0 described/],
      ['/usage', /No skill was used in this time/],
      ['/agents', /Agents/],
      ['/installed', /No installed skills yet[\s\S]*owner\/repo/],
      ['/health', /skills/],
    ] as const) {
      await watched.visit(path);
      await expect.poll(() => page.locator('main').innerText()).toMatch(said);
    }
    await watched.visit('/skills');
    await page.locator('.empty').getByRole('link', { name: 'Install skills' }).click();
    await page.getByLabel('Repository, URL or folder').waitFor();
    expect(watched.troubles).toEqual([]);
    await page.context().close();
  });
});
