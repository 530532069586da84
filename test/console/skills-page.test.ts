import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { ConsoleHome } from '../support/console-home.ts';
import { describeInBrowser } from '../support/console-world.ts';
import { skillText, writeTree } from '../support/tree.ts';

/** A model that is asked about every search, and does not answer. */
const prepare = ({ home }: ConsoleHome): void =>
  appendFileSync(
    join(home, '.agent/config.yaml'),
    '  ranking:\n    embeddings: { url: "http://127.0.0.1:1/v1", model: m, key: k }\n',
  );

describeInBrowser(
  'the list of skills in a browser',
  (world) => {
    const rowOf = (name: string) =>
      world.watched.page.locator('.row', { has: world.watched.page.getByRole('link', { name, exact: true }) });

    test('shows skills with problems first, each with its reason and one button, and draws only what is in sight', async () => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit('/skills');
      await expect
        .poll(() => rowOf('gh').innerText())
        .toMatch(/unavailable · needs gh, but gh is not installed[\s\S]*Install gh…/);
      await expect.poll(() => rowOf('broken-one').innerText()).toMatch(/broken · [\s\S]*Details/);
      await expect.poll(() => rowOf('review-react').innerText()).toMatch(/2 copies · in use: [\s\S]*Keep one…/);
      await page.getByRole('link', { name: 'archive-apis' }).waitFor();
      await expect.poll(() => page.getByRole('button', { name: /^All/ }).innerText()).toMatch(/^All 29\d$/);
      await expect.poll(() => page.locator('.row').count()).toBeLessThan(60);
      await expect.poll(() => page.url()).not.toContain('token');
      await page.evaluate('document.querySelector(".scroller").scrollTop = 1e6');
      await expect.poll(() => rowOf('team-rules').count()).toBe(1);
      await page.getByRole('button', { name: /^Problems/ }).click();
      await expect.poll(() => page.url()).toContain('show=problems');
      await page.reload();
      await rowOf('gh').waitFor();
      await expect
        .poll(() => page.getByRole('heading', { level: 2 }).allInnerTexts())
        .toEqual([expect.stringMatching(/^Problems/)]);
      // The button of a problem leads to where its skill says in place what to do.
      await page.getByRole('link', { name: 'Install gh… gh' }).click();
      await page.getByText('Skillplane installs no programs: install gh yourself').waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Keep one… review-react' }).click();
      const summary = page.getByRole('complementary', { name: 'Summary' });
      await summary.getByRole('button', { name: 'Use this copy instead' }).waitFor();
      expect(await summary.innerText()).toMatch(/^Copies\s+In use: ~\/\.agent\/skills\s+Also in ~\/\.codex\/skills/);
    });

    test('marks the agents that have a skill, with words for those who cannot see the marks', async () => {
      const { watched } = world;
      await watched.visit('/skills?q=convert-invoices');
      const row = rowOf('convert-invoices');
      await row.locator('.agent-mark').first().waitFor();
      await expect
        .poll(() => row.locator('.marks').innerText())
        .toMatch(/Claude Code: listed\.[\s\S]*Codex: not given\./);
      await expect.poll(() => row.locator('.agent-mark.listed').first().innerText()).toMatch(/^Cl/);
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

    test('a ranking for which a model did not answer is marked as not complete, here and in the search lab', async () => {
      const { watched } = world;
      for (const path of ['/skills?q=archive+and+label+slides', '/lab?request=archive+and+label+slides']) {
        await watched.visit(path);
        await expect
          .poll(() => watched.page.locator('.not-complete').innerText())
          .toMatch(/^Not complete: no embeddings: http:\/\/127\.0\.0\.1:1 cannot be asked/);
      }
      expect(await watched.violations()).toEqual([]);
    });

    test('filters from one menu; what is chosen shows beside it, stays in the address, and goes away by a click', async () => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit('/skills');
      await page.getByText('Filter', { exact: false }).first().click();
      const menu = page.locator('.panel');
      for (const [label, key] of [
        [/legal/, 'tag=legal'],
        [/in Codex/, 'agent=codex'],
        [/not trusted/, 'trust=untrusted'],
        [/not audited/, 'audit=unknown'],
        [/~\/\.agent\/skills/, 'source=user'],
      ] as const) {
        await menu.getByRole('checkbox', { name: label }).check();
        await expect.poll(() => page.url()).toContain(key);
      }
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await watched.visit('/skills?tag=legal,infra&state=enabled');
      await expect.poll(() => page.getByRole('status').first().innerText()).toBe('43 skills shown');
      await page.getByRole('button', { name: 'Remove filter: infra' }).click();
      await expect.poll(() => page.getByRole('status').first().innerText()).toBe('14 skills shown');
      await expect.poll(() => page.url()).toContain('tag=legal&');
    });

    test('switches many skills off at once, says what it changed, and takes it back', async () => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit('/skills?q=review+payroll');
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
      await expect.poll(() => page.getByRole('button', { name: /^Disabled/ }).innerText()).toBe('Disabled 4');
      // It is in the folder of Claude Code, which Cursor reads, too.
      await expect
        .poll(() => rowOf('review-payroll').innerText())
        .toMatch(/Cursor: still listed[\s\S]*! still listed · Cursor: Skillplane cannot[\s\S]*Move…/);
      expect(await rowOf('review-payroll').locator('.agent-mark.listed').count()).toBe(0);
      await notice.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => page.getByRole('button', { name: /^Disabled/ }).innerText()).toBe('Disabled 2');
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
      await page.locator('.agent-mark').first().waitFor();
      for (let step = 0; step < 30; step += 1) await page.keyboard.press('j');
      await page.keyboard.press('k');
      const focusedRow = () =>
        page.evaluate<string>('document.activeElement.closest(".row.current")?.ariaPosInSet ?? ""');
      await expect.poll(focusedRow).toMatch(/^[23]\d$/);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
  },
  { prepare },
);
