import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeInBrowser } from '../support/console-world.ts';
import { makeFreshHome } from '../support/fresh-home.ts';

describeInBrowser(
  'the console in a home that it never saw:',
  (world) => {
    test('opens with what was found, and its three steps choose agents, connect one and lead to the problems', async () => {
      const { page } = world.watched;
      const own = join(world.home.home, '.agent');
      const steps = page.locator('.steps > li');
      await page.getByRole('heading', { level: 1, name: /^2 agents and \d+ skills on this machine$/ }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/start');
      await expect
        .poll(() => page.locator('.half').innerText())
        .toMatch(/Claude Code[\s\S]*Codex[\s\S]*~\/\.agents\/skills\s+2\s+Codex/);
      expect(existsSync(join(own, 'config.yaml'))).toBe(false);
      expect(await world.watched.violations()).toEqual([]);

      await steps.nth(0).getByRole('checkbox', { name: 'Codex' }).uncheck();
      await steps.nth(0).getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => page.locator('.notice').innerText()).toContain('Saved.');
      expect(readFileSync(join(own, 'config.yaml'), 'utf8')).toMatch(/agents:[\s\S]*claude-code/);

      await expect.poll(() => steps.nth(1).innerText()).toContain('Connect Claude Code and Codex');
      await steps.nth(1).getByRole('link', { name: 'Review changes…' }).click();
      const agent = page.getByRole('region', { name: 'Claude Code' });
      await agent.getByRole('button', { name: 'Apply' }).click();
      await expect.poll(() => page.locator('.notice').innerText()).toContain('Claude Code has the MCP server');
      expect(readFileSync(join(world.home.home, '.claude/settings.json'), 'utf8')).toContain('UserPromptSubmit');
      await page.locator('.menu').getByRole('link', { name: 'First steps' }).first().click();
      await expect.poll(() => steps.nth(1).innerText()).toMatch(/Connect Codex\n/);

      await expect.poll(() => steps.nth(2).innerText()).toMatch(/Fix 1 problem\s+gh needs a command/);
      await steps.nth(2).getByRole('link', { name: 'Show problems' }).click();
      await page.getByRole('link', { name: 'Install gh… gh' }).click();
      await page.getByRole('button', { name: 'Disable', exact: true }).click();
      await expect.poll(() => page.locator('main').innerText()).toContain('Disabled');
      await page
        .locator('.menu')
        .getByRole('link', { name: /^Health/ })
        .click();
      await expect.poll(() => page.locator('.head').innerText()).toContain('no problems');
      await expect.poll(() => page.locator('.menu').innerText()).not.toContain('problems');
      await page.locator('.menu').getByRole('link', { name: 'First steps' }).first().click();
      await expect.poll(() => steps.nth(2).innerText()).toContain('No problems found');
      await page.getByRole('link', { name: 'Skip, and show the skills' }).click();
      await page.locator('.skill-row', { hasText: 'mail' }).waitFor();
      // The next time, the address opens the skills.
      await world.watched.visit('/');
      await page.getByRole('heading', { level: 1, name: 'Skills' }).waitFor();
    });

    test('imports from the empty page of installed skills what another tool installed, after a look at it', async () => {
      const { page } = world.watched;
      const plugins = join(world.home.home, '.agent/plugins');
      const before = readFileSync(join(world.home.home, '.agents/.skill-lock.json'), 'utf8');
      await world.watched.visit('/installed');
      await expect.poll(() => page.locator('main').innerText()).toContain('No installed skills yet');
      await page.getByRole('button', { name: 'Import 2 skills…' }).click();
      await expect.poll(() => page.getByRole('region', { name: 'Import' }).innerText()).toMatch(/mail[\s\S]*audit: /);
      expect(existsSync(plugins)).toBe(false);
      await page.getByRole('button', { name: 'Import 2 skills', exact: true }).click();
      await expect.poll(() => page.locator('.notice').innerText()).toMatch(/Installed (?:mail and pdf|pdf and mail)\./);
      await expect
        .poll(() => page.getByRole('table', { name: 'Installed skills' }).innerText())
        .toMatch(/mail[\s\S]*pdf/);
      await page.getByRole('region', { name: 'Import' }).waitFor({ state: 'detached' });
      expect(existsSync(join(plugins, 'pdf/SKILL.md'))).toBe(true);
      expect(readFileSync(join(world.home.home, '.agents/.skill-lock.json'), 'utf8')).toBe(before);
    });

    test('leads from the empty page of usage to the connection of an agent, and reads the history that is left', async () => {
      const { page } = world.watched;
      // A history takes seconds to read before some of it is left for later.
      let isLeft = true;
      await page.route('**/api/usage?*', async (route) => {
        if (!isLeft) return route.continue();
        const answer = await route.fetch();
        const said = (await answer.json()) as { report: object; sources: readonly { id: string }[] };
        const sources = said.sources.map((one) => ({ ...one, history: { sessions: 1, left: 1 } }));
        return route.fulfill({ response: answer, json: { ...said, report: { ...said.report, skills: [] }, sources } });
      });
      await world.watched.visit('/usage');
      const future = page.getByRole('region', { name: 'From now on' });
      await expect.poll(() => future.innerText()).toMatch(/Claude Code\s+Connected: [\s\S]*Codex\s+Not connected\./);
      await future.getByRole('link', { name: 'Connect… Codex' }).click();
      await page.getByRole('region', { name: 'Codex' }).getByRole('button', { name: 'Apply' }).waitFor();
      await Promise.all([page.waitForResponse('**/api/usage?*'), page.goBack()]);
      isLeft = false;
      await page.getByRole('button', { name: 'Read history of Claude Code' }).click();
      await page.locator('.chart').waitFor();
      await expect.poll(() => page.getByRole('group', { name: 'Skills by use' }).innerText()).toMatch(/pdf\s+1/);
    });
  },
  { makeHome: makeFreshHome },
);
