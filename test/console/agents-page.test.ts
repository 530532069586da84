import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeInBrowser } from '../support/console-world.ts';

describeInBrowser('the page of agents in a browser:', (world) => {
  test('it shows what each agent sees, and plans, applies and undoes a sync', async () => {
    const { watched } = world;
    const { page } = watched;
    const link = join(world.home.home, '.claude/skills/archive-apis');
    await watched.visit('/agents');
    await page.locator('.matrix .row').first().waitFor();
    await expect.poll(() => page.locator('.matrix .row').first().innerText()).toMatch(/Claude Code\s+–?\s*not there/);
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

  test('switching one cell plans a line of the configuration and a link, which Apply makes and Undo takes back', async () => {
    const { watched } = world;
    const { page } = watched;
    const link = (name: string) => join(world.home.home, '.claude/skills', name);
    const config = () => readFileSync(join(world.home.home, '.agent/config.yaml'), 'utf8');
    const before = config();
    await watched.visit('/agents');
    const row = page.locator('.matrix .row', { has: page.getByRole('link', { name: 'archive-apis', exact: true }) });
    await row.getByRole('button', { name: /^Claude Code/ }).click();
    const panel = page.getByRole('region', { name: 'Sync' });
    await expect.poll(() => panel.innerText()).toMatch(/1 cell switched: hosts in ~\/\.agent\/config\.yaml/);
    await expect.poll(() => panel.innerText()).toMatch(/\+\s+claude-code:[\s\S]*"?!archive-apis"?/);
    await expect.poll(() => page.url()).toContain('cells=claude-code');
    await page.reload();
    await expect.poll(() => row.innerText()).toContain('→ keep it away');
    expect(await watched.violations()).toEqual([]);
    expect(config()).toBe(before);
    await panel.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => page.locator('.notice').innerText()).toMatch(/1 cell switched/);
    expect(config()).toContain('!archive-apis');
    expect(existsSync(link('archive-apis'))).toBe(false);
    expect(existsSync(link('archive-changelogs'))).toBe(true);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => existsSync(link('archive-changelogs'))).toBe(false);
    expect(config()).not.toContain('!archive-apis');
  });

  test('an agent is connected after a look at its files, and disconnected to the byte', async () => {
    const { watched } = world;
    const { page } = watched;
    const [settings, server] = ['.claude/settings.json', '.claude.json'].map((file) => join(world.home.home, file));
    const read = () => readFileSync(settings ?? '', 'utf8');
    const before = read();
    await watched.visit('/health');
    await page.locator('li', { hasText: 'Claude Code: not connected' }).getByRole('link', { name: 'Connect…' }).click();
    const host = page.getByRole('region', { name: 'Claude Code' });
    await expect
      .poll(() => host.innerText())
      .toMatch(/Changes 2 files: ~\/\.claude\.json, ~\/\.claude\/settings\.json/);
    await expect.poll(() => host.innerText()).toMatch(/\+.*"mcpServers"[\s\S]*UserPromptSubmit/);
    expect(await watched.violations()).toEqual([]);
    await host.getByLabel('MCP server').uncheck();
    await expect.poll(() => host.innerText()).toMatch(/Changes 1 file: ~\/\.claude\/settings\.json/);
    await host.getByRole('button', { name: 'Apply' }).click();
    await expect
      .poll(() => page.locator('.notice').innerText())
      .toMatch(/Claude Code has the hook[\s\S]*Changed ~\/\.claude\/settings\.json/);
    expect(read()).toContain('UserPromptSubmit');
    expect(existsSync(server ?? '')).toBe(false);
    await expect.poll(() => host.innerText()).toContain('starts a process for each message');
    expect(read()).not.toContain('PostToolUse');
    await host.getByLabel('uses recorded at once').check();
    await expect.poll(() => host.innerText()).toMatch(/Changes 1 file[\s\S]*PostToolUse/);
    await host.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(read).toContain('PostToolUse');
    await expect.poll(() => host.getByLabel('uses recorded at once').isChecked()).toBe(true);
    await host.getByLabel('hook').uncheck();
    await expect.poll(() => host.innerText()).toMatch(/Changes 1 file/);
    await host.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('is disconnected');
    expect(read()).toBe(before);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(read).toContain('UserPromptSubmit');
  });
});
