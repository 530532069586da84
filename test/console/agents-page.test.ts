import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeInBrowser } from '../support/console-world.ts';

describeInBrowser('the page of agents in a browser:', (world) => {
  const link = (folder: string, name: string): string => join(world.home.home, folder, name);
  const config = (): string => readFileSync(join(world.home.home, '.agent/config.yaml'), 'utf8');
  const cell = (skill: string, agent: string) =>
    world.watched.page.getByRole('button', { name: new RegExp(`^${skill}, ${agent}:`) });
  const pending = () => world.watched.page.getByRole('region', { name: 'Changes that are not applied yet' });
  const done = () => world.watched.page.getByRole('region', { name: 'What was changed' });

  test('opening it proposes nothing, and a skill is given and taken away after a look at what that changes', async () => {
    const { watched } = world;
    const { page } = watched;
    const before = config();
    await watched.visit('/agents?q=react');
    await cell('draft-react', 'Codex').waitFor();
    expect(await page.locator('.pending').count()).toBe(0);
    const copies = page.locator('.matrix .row', { hasText: 'review-react' });
    await expect
      .poll(() => copies.allInnerTexts())
      .toEqual([
        expect.stringMatching(/~\/\.agent\/skills[\s\S]*2 copies; this one is in use\.\s+Keep one…/),
        expect.stringMatching(/~\/\.codex\/skills[\s\S]*Only Codex and Cursor use this copy\.\s+Keep one…/),
      ]);
    expect(await page.getByRole('button', { name: 'publish-react, Cursor: listed. How to remove' }).count()).toBe(1);
    await page.locator('#search').fill('draft-rea');
    await expect.poll(() => page.locator('.matrix .row').count()).toBe(1);
    await cell('draft-react', 'Codex').click();
    await expect.poll(() => pending().innerText()).toMatch(/1 change: give draft-react to Codex/);
    await expect
      .poll(() => pending().innerText())
      .toMatch(/Cursor reads the same folder and will list draft-react, too\./);
    await pending().getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.locator('.pending').count()).toBe(0);
    await cell('draft-react', 'Codex').click();
    await page.reload();
    await expect.poll(() => cell('draft-react', 'Codex').getAttribute('aria-pressed')).toBe('true');
    expect(config()).toBe(before);
    expect(existsSync(link('.agents/skills', 'draft-react'))).toBe(false);
    await pending().getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => done().innerText()).toMatch(/Done\. Codex can use draft-react now\./);
    expect(lstatSync(link('.agents/skills', 'draft-react')).isSymbolicLink()).toBe(true);
    await expect.poll(() => cell('draft-react', 'Codex').innerText()).toContain('listed');

    await cell('draft-react', 'Codex').click();
    await pending().getByText('Show files').click();
    await expect.poll(() => pending().innerText()).toMatch(/\+\s+- "!draft-react"[\s\S]*remove ~\/\.agents/);
    expect(await watched.violations()).toEqual([]);
    await pending().getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => done().innerText()).toMatch(/Codex no longer has draft-react/);
    expect(existsSync(link('.agents/skills', 'draft-react'))).toBe(false);
    await done().getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => done().innerText()).toMatch(/Undone\. Codex can use draft-react now\./);
    expect(lstatSync(link('.agents/skills', 'draft-react')).isSymbolicLink()).toBe(true);
    expect(config()).toBe(before);
  });

  test('the grid is one stop of the Tab key; arrows move in it, and Enter marks, applies and undoes', async () => {
    const { watched } = world;
    const { page } = watched;
    const name = 'draft-images';
    await watched.visit('/agents?q=draft-i');
    await cell(name, 'Claude Code').waitFor();
    const focused = () =>
      page.evaluate<string | null>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    await page.locator('#search').focus();
    const press = async (key: string, wanted: string): Promise<void> => {
      for (let step = 0; step < 20 && (await focused())?.includes(wanted) !== true; step += 1)
        await page.keyboard.press(key);
    };
    await press('Tab', ', Claude Code:');
    await press('ArrowDown', `${name}, `);
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^draft-images, Codex: not given\. Give$/);
    const sign = 'getComputedStyle(document.activeElement.querySelector("i"), "::after").content';
    expect(await page.evaluate<string>(sign)).toBe('"+"');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toMatch(/Marked: Give/);
    await pending().getByText('Takes effect').waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Discard');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => done().innerText()).toMatch(/Codex can use draft-images now/);
    await done().getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => done().innerText()).toMatch(/Undone\./);
    expect(existsSync(link('.agents/skills', name))).toBe(false);
  });

  test('a lost server, a refusal and a change by another program are said in the bar, and no mark is lost', async () => {
    const page = await world.watched.page.context().newPage();
    const bar = page.getByRole('region', { name: 'Changes that are not applied yet' });
    await page.goto(`${world.server.origin}/agents?q=draft-t&marks=codex%2Bdraft-tests,codex%2Bdraft-terraform`);
    await bar.getByText('Takes effect').waitFor();
    const apply = bar.getByRole('button', { name: 'Apply' });
    await page.route('**/api/agents/give', (route) => route.abort());
    await apply.click();
    await expect.poll(() => bar.getByRole('alert').innerText()).toContain('The console cannot be reached.');
    await page.unroute('**/api/agents/give');
    await page.route('**/api/agents/give', (route) => {
      const asked = route.request().postDataJSON() as object;
      return route.continue({ postData: JSON.stringify({ ...asked, digest: 'of another plan' }) });
    });
    await apply.click();
    await expect.poll(() => bar.getByRole('alert').innerText()).toContain('Another program has changed something');
    await page.unroute('**/api/agents/give');
    expect(existsSync(link('.agents/skills', 'draft-tests'))).toBe(false);
    mkdirSync(join(world.home.home, '.agents/skills'), { recursive: true });
    symlinkSync(join(world.home.home, '.agent/skills/draft-terraform'), link('.agents/skills', 'draft-terraform'));
    await page.reload();
    await expect.poll(() => bar.innerText()).toMatch(/1 change: give draft-tests to Codex/);
    await expect.poll(() => bar.innerText()).toMatch(/changed meanwhile: give draft-terraform to Codex/);
    await bar.getByText('Takes effect').waitFor();
    await apply.click();
    await expect.poll(() => existsSync(link('.agents/skills', 'draft-tests'))).toBe(true);
    await page.close();
  });

  test('an agent is connected after a look at its files, and disconnected to the byte', async () => {
    const { watched } = world;
    const { page } = watched;
    const [settings, server] = ['.claude/settings.json', '.claude.json'].map((file) => join(world.home.home, file));
    const read = () => readFileSync(settings ?? '', 'utf8');
    const before = read();
    await watched.visit('/health');
    await page.locator('li', { hasText: 'Claude Code: not connected' }).getByRole('link', { name: 'Connect…' }).click();
    const agent = page.getByRole('region', { name: 'Claude Code' });
    await expect
      .poll(() => agent.innerText())
      .toMatch(/Changes 2 files: ~\/\.claude\.json, ~\/\.claude\/settings\.json/);
    await expect.poll(() => agent.innerText()).toMatch(/\+.*"mcpServers"[\s\S]*UserPromptSubmit/);
    await agent.getByLabel('MCP server').uncheck();
    await expect.poll(() => agent.innerText()).toMatch(/Changes 1 file: ~\/\.claude\/settings\.json/);
    await agent.getByRole('button', { name: 'Apply' }).click();
    await expect
      .poll(() => page.locator('.notice').innerText())
      .toMatch(/Claude Code has the hook[\s\S]*Changed ~\/\.claude\/settings\.json/);
    expect(read()).toContain('UserPromptSubmit');
    expect(existsSync(server ?? '')).toBe(false);
    await expect.poll(() => agent.innerText()).toContain('starts a process for each message');
    expect(read()).not.toContain('PostToolUse');
    await agent.getByLabel('uses recorded at once').check();
    await expect.poll(() => agent.innerText()).toMatch(/Changes 1 file[\s\S]*PostToolUse/);
    await agent.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(read).toContain('PostToolUse');
    await expect.poll(() => agent.getByLabel('uses recorded at once').isChecked()).toBe(true);
    await agent.getByLabel('hook').uncheck();
    await expect.poll(() => agent.innerText()).toMatch(/Changes 1 file/);
    await agent.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('is disconnected');
    expect(read()).toBe(before);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(read).toContain('UserPromptSubmit');
  });
});
