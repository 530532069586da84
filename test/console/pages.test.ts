import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openConsolePage } from '../support/browser.ts';
import { startConsole } from '../support/console-process.ts';
import { describeInBrowser } from '../support/console-world.ts';

describeInBrowser('the console in a browser:', (world) => {
  test('the model view shows what a budget describes, names and leaves out, and the rules of an agent', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/model');
    await page.locator('.segment').first().waitFor();
    const said = () => page.locator('.page > p').first().innerText();
    await expect.poll(said).toMatch(/described, \d+ shortened, \d+ by name only, 0 left out; [34],\d+ tokens of 4,000/);
    await watched.visit('/model?budget=300');
    await expect.poll(said).toMatch(/[1-9]\d* left out; [123]?\d\d tokens of 300/);
    await page.locator('.strip').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('.chosen-segment').innerText()).toMatch(/token/);
    await expect.poll(() => page.locator('.catalog-text mark').count()).toBe(1);
    await page.getByLabel('In which client').selectOption('mcp-claude-code');
    await expect
      .poll(() => page.locator('main').innerText())
      .toMatch(/call load_skill[\s\S]*list_skills[\s\S]*search_skills[\s\S]*suggest/);
    await page.getByText('Its answer').click();
    await page.getByLabel('query The task in your own words').fill('fill a pdf form');
    await page.getByLabel('Skill to load').selectOption('pdf');
    await expect.poll(() => page.getByLabel('Answer of list_skills').innerText()).toContain('with load_skill');
    await expect.poll(() => page.getByLabel('Answer of search_skills').innerText()).toContain('- pdf: Fill, split');
    await expect.poll(() => page.getByLabel('Answer of load_skill').innerText()).toContain('Follow these instructions');
    await page.getByLabel('In which client').selectOption('claude-code');
    await expect
      .poll(() => page.locator('.catalog-text').innerText())
      .toContain('- deploy-staging: Roll a release out');
    await expect.poll(() => page.url()).toContain('as=claude-code');
    expect(await watched.violations()).toEqual([]);
  });

  test('the page of usage shows uses by day, agent and skill, and advice with links', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/usage');
    await page.locator('.chart').waitFor();
    await expect.poll(() => page.locator('.legend').innerText()).toMatch(/Claude Code[\s\S]*Codex/);
    await expect.poll(() => page.getByRole('group', { name: 'Skills by use' }).innerText()).toMatch(/pdf\s+\d+/);
    await expect
      .poll(() => page.getByRole('region', { name: 'Advice' }).innerText())
      .toMatch(/convert-slides: models were told of it 120 times/);
    expect(await watched.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Review its description' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'compare-papers' }).waitFor();
  });

  test('the page of health shows what is wrong, the worst first, and the menu, the first steps and Skills count the same', async () => {
    const { watched } = world;
    const { page } = watched;
    const settings = join(world.home.home, '.codex/config.toml');
    writeFileSync(settings, '[skills]\nmax_context_tokens = 800\n');
    onTestFinished(() => writeFileSync(settings, ''));
    await watched.visit('/start');
    const step = page.getByRole('heading', { level: 3, name: /^Fix \d+ problems$/ });
    await step.waitFor();
    const count = Number(/\d+/.exec(await step.innerText())?.[0]);
    expect(count).toBeGreaterThan(2);
    const menu = () =>
      page
        .locator('.menu')
        .getByRole('link', { name: /^Health/ })
        .innerText();
    await expect.poll(menu).toMatch(new RegExp(`^Health\\s+${count}\\s+problems$`));
    await page.getByRole('link', { name: 'Show problems' }).click();
    const problems = page.getByRole('region', { name: 'Problems' });
    await expect.poll(() => page.locator('.head').innerText()).toContain(`${count} problems`);
    await expect
      .poll(() => problems.getByRole('listitem').first().innerText())
      .toMatch(/The skill list of Codex is too long: [\d,]+ of 800 tokens[\s\S]*\d+ skills are listed by name only/);
    await expect.poll(() => problems.getByRole('listitem').nth(1).innerText()).toContain('broken-one is broken');
    await expect
      .poll(() => page.locator('main').innerText())
      .toMatch(/\d+ checks passed: [\s\S]*\d+ optional folders do not exist/);
    await expect.poll(() => page.locator('.facts-list').allInnerTexts()).not.toContain('skillplane ');
    expect(await watched.violations()).toEqual([]);
    await page
      .locator('.menu')
      .getByRole('link', { name: /^Skills/ })
      .click();
    await page.getByRole('button', { name: `Problems ${count - 1}` }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Fix it' }).first().click();
    await expect.poll(() => page.locator('.notice').innerText()).toMatch(/fixed|Left to you|set /i);
  });

  test('an update is shown with its changes and new findings, installed as seen, and rolled back', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/installed');
    await expect
      .poll(() => page.getByRole('table', { name: 'Installed skills' }).innerText())
      .toMatch(/pdf[\s\S]*as installed/);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await expect.poll(() => page.locator('.menu').innerText()).toMatch(/Installed\s*1\s+updates/);
    await page.getByRole('button', { name: 'Review update… pdf' }).click();
    const card = page.locator('article', { hasText: 'pdf' });
    await card.waitFor();
    await expect
      .poll(() => card.innerText())
      .toMatch(/added scripts\/fetch\.sh[\s\S]*\+version: "1\.5\.0"[\s\S]*critical/);
    expect(await watched.violations()).toEqual([]);
    expect(await page.locator('button.main').allInnerTexts()).toEqual(['Accept the findings and update']);
    await card.getByRole('button', { name: 'Accept the findings and update' }).click();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Updated pdf');
    expect(existsSync(join(world.home.home, '.agent/plugins/pdf/scripts/fetch.sh'))).toBe(true);
    const row = page.locator('tr', { hasText: 'pdf' });
    await row.locator('summary').click();
    await row.getByRole('link', { name: 'Roll back…' }).click();
    await page.getByRole('button', { name: 'Roll back to it' }).click();
    await expect.poll(() => existsSync(join(world.home.home, '.agent/plugins/pdf/scripts/fetch.sh'))).toBe(false);
  });

  test('skills at an address are listed, chosen, installed as seen, and given to the chosen agents', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/installed');
    await page.getByLabel('Repository, URL or folder').fill(world.home.repository.url);
    const agents = page.getByRole('group', { name: 'Give to' });
    await expect.poll(() => agents.getByRole('checkbox', { name: 'Codex' }).isChecked()).toBe(true);
    for (const name of ['Codex', 'Cursor']) await agents.getByRole('checkbox', { name }).uncheck();
    await page.getByRole('button', { name: 'Find skills' }).click();
    await page.getByRole('checkbox', { name: /meeting-notes/ }).check();
    const mainButtons = page.locator('button.main');
    await expect.poll(() => mainButtons.allInnerTexts()).toEqual(['Review 1 skill']);
    await mainButtons.click();
    await expect.poll(() => mainButtons.allInnerTexts()).toEqual(['Install 1 skill']);
    await mainButtons.click();
    await expect
      .poll(() => page.locator('.notice').innerText())
      .toMatch(/Installed meeting-notes[\s\S]*Claude Code( and Cursor)? can use it now/);
    expect(existsSync(join(world.home.home, '.claude/skills/meeting-notes'))).toBe(true);
    expect(existsSync(join(world.home.home, '.agents/skills/meeting-notes'))).toBe(false);
    expect(existsSync(join(world.home.home, '.agent/plugins/meeting-notes/SKILL.md'))).toBe(true);
  });

  test('a page whose console has ended says so in place, keeps what was typed, and comes back with the console', async () => {
    const first = await startConsole(world.home);
    const lost = await openConsolePage(world.browser, first.url);
    const { page, troubles } = lost;
    const alert = page.getByRole('alert');
    const address = page.getByLabel('Repository, URL or folder');
    await page.goto(`${first.origin}/installed`);
    await address.fill('./no such folder');
    await page.getByRole('table', { name: 'Installed skills' }).waitFor();
    await first.stop();
    await expect.poll(() => alert.innerText()).toMatch(/Not connected.*What you typed or marked stays here/);
    expect(await lost.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Find skills' }).click();
    await expect.poll(() => alert.allInnerTexts()).toContainEqual(expect.stringContaining('cannot be reached'));
    await page.locator('.menu').getByRole('link', { name: 'Usage' }).click();
    await expect.poll(() => alert.allInnerTexts()).toContainEqual(expect.stringContaining('cannot be reached'));
    await page.goBack();
    await address.fill('./no such folder');
    await using again = await startConsole(world.home, ['--port', new URL(first.origin).port]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => alert.innerText()).toContain('Open the link');
    const other = await page.context().newPage();
    await other.goto(again.url);
    await page.locator('.frame.lost').waitFor({ state: 'detached' });
    expect(await address.inputValue()).toBe('./no such folder');
    await page.getByRole('button', { name: 'Find skills' }).click();
    // A change needs the token of the new console.
    await expect.poll(() => alert.innerText()).toContain('no such folder');
    // The browser itself tells of every answer that it did not get, and of refusals.
    expect(troubles.filter((text) => !/ERR_|401/.test(text))).toEqual([]);
    await page.context().close();
  });
});
