import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeInBrowser } from '../support/console-world.ts';
import { skillText, writeTree } from '../support/tree.ts';

describeInBrowser('the list of skills in a browser', (world) => {
  const rowOf = (name: string) =>
    world.watched.page.locator('.row', { has: world.watched.page.getByRole('link', { name, exact: true }) });

  test('shows every skill with its state and reason, and draws only what is in sight', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/skills');
    await page.getByRole('link', { name: 'archive-apis' }).waitFor();
    await expect.poll(() => page.locator('.counts').innerText()).toMatch(/^29\d skills/);
    await expect.poll(() => page.locator('.row').count()).toBeLessThan(60);
    await expect.poll(() => page.url()).not.toContain('token');
    await page.getByRole('button', { name: /unavailable/ }).click();
    await expect.poll(() => rowOf('gh').innerText()).toContain('missing commands: gh');
    await expect.poll(() => page.url()).toContain('state=unavailable');
    await page.reload();
    await rowOf('gh').waitFor();
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.getByRole('button', { name: /broken/ }).click();
    await rowOf('broken-one').waitFor();
  });

  test('can be scrolled to its last row', async () => {
    const { watched } = world;
    await watched.visit('/skills');
    await rowOf('archive-apis').waitFor();
    await watched.page.evaluate('document.querySelector(".scroller").scrollTop = 1e6');
    await expect.poll(() => rowOf('team-rules').count()).toBe(1);
  });

  test('finds skills as the engine ranks them, with its reasons, and records no search', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/skills');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('fill in a form');
    const first = page.locator('.row').first();
    await expect.poll(() => first.locator('.name').innerText()).toBe('pdf');
    await first.locator('.found').waitFor();
    await expect.poll(() => first.locator('.found').innerText()).toMatch(/description/);
    await expect.poll(() => first.locator('mark').first().innerText()).toMatch(/fill/i);
    await using skills = await world.home.open();
    const reported = await skills.usageReport();
    expect(reported.ok && reported.report?.skills.reduce((sum, { searched }) => sum + searched, 0)).toBe(0);
  });

  test('filters by source, host, trust, audit and tag', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/skills');
    const shown = () => page.locator('.counts').innerText();
    for (const [label, value, matches] of [
      ['all sources', 'project', /1 shown/],
      ['all hosts', 'codex', / shown/],
      ['any trust', 'untrusted', / shown/],
      ['all tags', 'legal', /14 shown/],
    ] as const) {
      await page.getByLabel(label).selectOption(value);
      await expect.poll(shown).toMatch(matches);
      await page.getByLabel(label).selectOption('');
    }
    await expect.poll(shown).not.toMatch(/ shown/);
  });

  test('switches many skills off at once, says what it changed, and takes it back', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/skills?q=payroll');
    await page.locator('.found').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const bar = page.getByRole('region', { name: 'Selected skills' });
    await expect.poll(() => bar.innerText()).toMatch(/2 skills selected[\s\S]*config\.yaml/);
    await bar.getByRole('button', { name: 'Disable' }).click();
    const notice = page.locator('.notice');
    await expect.poll(() => notice.innerText()).toMatch(/Disabled 2 skills[\s\S]*disabled[\s\S]*config\.yaml/);
    await expect.poll(() => page.getByRole('button', { name: /^\d+ disabled/ }).innerText()).toBe('4 disabled');
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^\d+ disabled/ }).innerText()).toBe('2 disabled');
  });

  test('shows changes on disk without a reload', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/skills?q=qxzzy');
    await page.getByText('No skill matches.').waitFor();
    const text = skillText({ name: 'qxzzy', description: 'Written just now.' });
    writeTree(world.home.home, { '.agent/skills/qxzzy/SKILL.md': text });
    await rowOf('qxzzy').waitFor();
    writeFileSync(join(world.home.home, '.agent/skills/qxzzy/SKILL.md'), text.replace('just now', 'again'));
    await expect.poll(() => rowOf('qxzzy').innerText()).toContain('Written again');
  });

  test('works by keyboard alone', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/skills');
    await page.getByRole('link', { name: 'archive-apis' }).waitFor();
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('j');
    await page.keyboard.press('k');
    const focusedRow = () =>
      page.evaluate<string>('document.activeElement.closest(".row.current")?.ariaPosInSet ?? ""');
    await expect.poll(focusedRow).toBe('39');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
