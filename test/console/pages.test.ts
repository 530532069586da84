import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CHROMIUM, launchBrowser, openConsolePage, type WatchedPage } from '../support/browser.ts';
import { makeConsoleHome, type ConsoleHome } from '../support/console-home.ts';
import { startConsole, type ConsoleProcess } from '../support/console-process.ts';

describe.skipIf(CHROMIUM === undefined)('the other pages, in a browser', () => {
  let home: ConsoleHome;
  let server: ConsoleProcess;
  let browser: Browser;
  let watched: WatchedPage;
  beforeAll(async () => {
    home = await makeConsoleHome();
    [server, browser] = await Promise.all([startConsole(home), launchBrowser()]);
    watched = await openConsolePage(browser, server.url);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    home?.[Symbol.dispose]();
  });

  test('Model view: a budget decides what is described, named and left out; a host has rules of its own', async () => {
    const { page } = watched;
    await watched.visit('/model');
    await page.locator('.segment').first().waitFor();
    const said = () => page.locator('.page > p').first().innerText();
    expect(await said()).toMatch(/described, \d+ shortened, \d+ by name only, 0 left out; 3,\d+ tokens of 4,000/);
    await watched.visit('/model?budget=300');
    await expect.poll(said).toMatch(/[1-9]\d* left out; [12]?\d\d tokens of 300/);
    await page.locator('.strip').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.chosen-segment').innerText()).toMatch(/token/);
    expect(await page.locator('.catalog-text mark').count()).toBe(1);
    await page.getByLabel('Whose catalog').selectOption('claude-code');
    await expect
      .poll(() => page.locator('.catalog-text').innerText())
      .toContain('- deploy-staging: Roll a release out');
    expect(page.url()).toContain('as=claude-code');
    expect(await watched.violations()).toEqual([]);
  });

  test('Search lab: ranking with scores, triggers, what the model gets, and the evals', async () => {
    const { page } = watched;
    await watched.visit('/lab');
    await page.getByLabel('A request, as a user would write it').fill('roll the release out to staging');
    await expect.poll(() => page.locator('.ranking li').first().innerText()).toMatch(/^deploy-staging/);
    expect(await page.locator('.columns').first().innerText()).toMatch(
      /keyword: staging[\s\S]*The model gets: instructions/,
    );
    await page.getByRole('button', { name: /Run the evals/ }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Evals' }).innerText())
      .toMatch(/deploy-staging\s+2\s+50 %/);
    expect(await page.getByRole('region', { name: 'Evals' }).innerText()).toContain('archive the server logs');
    expect(await watched.violations()).toEqual([]);
  });

  test('Usage: by day and agent, by skill, and advice that leads on', async () => {
    const { page } = watched;
    await watched.visit('/usage');
    await page.locator('.chart').waitFor();
    expect(await page.locator('.legend').innerText()).toMatch(/claude-code[\s\S]*codex/);
    expect(await page.getByRole('group', { name: 'Skills by use' }).innerText()).toMatch(/pdf\s+\d+/);
    expect(await page.getByRole('region', { name: 'Advice' }).innerText()).toMatch(
      /convert-slides: models were told of it 120 times/,
    );
    expect(await watched.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Review its description' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'compare-papers' }).waitFor();
  });

  test('Health: everything that doctor finds, the worst first, with a button where one action helps', async () => {
    const { page } = watched;
    await watched.visit('/health');
    await page.locator('.checks li').first().waitFor();
    expect(await page.locator('.checks li').first().innerText()).toContain('broken-one');
    expect(await watched.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Fix it' }).first().click();
    await expect.poll(() => page.locator('.notice').innerText()).toMatch(/fixed|Left to you|set /i);
  });

  test('Installed: an update shows its changes beside its new findings, is taken as seen, and rolled back', async () => {
    const { page } = watched;
    await watched.visit('/installed');
    await expect
      .poll(() => page.getByRole('group', { name: 'Installed skills' }).innerText())
      .toMatch(/pdf[\s\S]*as installed/);
    await page.getByRole('button', { name: 'Look for updates' }).click();
    const card = page.locator('article', { hasText: 'pdf' });
    await card.waitFor();
    expect(await card.innerText()).toMatch(/added scripts\/fetch\.sh[\s\S]*\+version: "1\.5\.0"[\s\S]*critical/);
    expect(await watched.violations()).toEqual([]);
    await card.getByRole('button', { name: 'Accept the findings and update' }).click();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Updated pdf');
    expect(existsSync(join(home.home, '.agent/plugins/pdf/scripts/fetch.sh'))).toBe(true);
    await page.locator('tr', { hasText: 'pdf' }).getByRole('button', { name: 'Roll back' }).click();
    await expect.poll(() => existsSync(join(home.home, '.agent/plugins/pdf/scripts/fetch.sh'))).toBe(false);
  });

  test('Installed: an address is looked at, picked from, and installed as it was seen', async () => {
    const { page } = watched;
    await watched.visit('/installed');
    await page.getByLabel('Address').fill(home.repository.url);
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByRole('checkbox', { name: /meeting-notes/ }).check();
    await page.getByRole('button', { name: 'Look at 1 skill' }).click();
    await page.getByRole('button', { name: 'Install 1 skill' }).click();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Installed meeting-notes');
    expect(existsSync(join(home.home, '.agent/plugins/meeting-notes/SKILL.md'))).toBe(true);
  });

  test('Hosts: what each sees, and a sync that is planned, applied and taken back', async () => {
    const { page } = watched;
    const link = join(home.home, '.claude/skills/archive-apis');
    await watched.visit('/hosts');
    await page.locator('.matrix .row').first().waitFor();
    expect(await page.locator('.matrix .row').first().innerText()).toMatch(/Claude Code\s+–?\s*not there/);
    const panel = page.getByRole('region', { name: 'Sync' });
    await expect.poll(() => panel.innerText()).toMatch(/\d+ links/);
    expect(await watched.violations()).toEqual([]);
    await panel.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => page.locator('.notice').innerText()).toMatch(/Synced: \d+ links/);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    await expect.poll(() => page.locator('.matrix .row').first().innerText()).toMatch(/sees it/);
    await panel.getByRole('button', { name: 'Undo sync' }).click();
    await expect.poll(() => existsSync(link)).toBe(false);
  });

  test('a console that is gone greys the page and says so', async () => {
    await using other = await startConsole(home, ['--read-only']);
    const lost = await openConsolePage(browser, other.url);
    await lost.page.locator('.row').first().waitFor();
    expect(await lost.page.locator('.menu').innerText()).toContain('read-only');
    await other.stop();
    await lost.page.locator('.frame.lost').waitFor();
    expect(await lost.page.getByRole('alert').innerText()).toMatch(/Not connected/);
    await lost.page.context().close();
  });

  test.each([360, 720, 2000])('every page fits into %i pixels', async (width) => {
    const { page } = watched;
    await page.setViewportSize({ width, height: 700 });
    for (const path of ['/lab', '/model', '/usage', '/health', '/installed', '/hosts', '/skill?name=pdf']) {
      await watched.visit(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, wide]).toEqual([path, Math.min(wide, width)]);
    }
  });

  test('logs no error and asks nobody else for anything', () => {
    expect(watched.troubles).toEqual([]);
  });
});
