import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeInBrowser } from '../support/console-world.ts';

describeInBrowser('the search lab in a browser', (world) => {
  const ask = async (request: string) => {
    const { page } = world.watched;
    await world.watched.visit('/lab');
    await page.getByLabel('A request, as a user would write it').fill(request);
    await page.locator('.ranking li').first().waitFor();
  };

  test('shows the ranking with the pieces of each score, triggers, and what the model gets', async () => {
    const { watched } = world;
    const { page } = watched;
    await ask('roll the release out to staging');
    const first = page.locator('.ranking li').first();
    await expect.poll(() => first.innerText()).toMatch(/^deploy-staging[\s\S]*\d+ % sure/);
    await expect
      .poll(() => first.getByRole('img').getAttribute('aria-label'))
      .toMatch(/shared words \d+ %, .*neighbouring words \d+ %/);
    await expect.poll(() => page.locator('.legend').innerText()).toMatch(/shared words[\s\S]*said in its name/);
    await expect
      .poll(() => page.getByRole('region', { name: 'For models' }).innerText())
      .toMatch(
        /keyword: staging[\s\S]*The model gets: instructions[\s\S]*search_skills answers[\s\S]*- deploy-staging: /,
      );
    expect(await watched.violations()).toEqual([]);
  });

  test('shows what the hook of a host would say, or why it says nothing', async () => {
    const { page } = world.watched;
    await ask('roll the release out to staging');
    const hook = page.getByRole('group', { name: 'The hook' });
    await expect.poll(() => hook.innerText()).toMatch(/The skill `deploy-staging` covers this request/);
    await hook.getByLabel('To which host').selectOption('codex');
    await expect
      .poll(() => hook.innerText())
      .toMatch(/does not have deploy-staging, and is not connected to the MCP server/);
    await ask('archive something, somehow');
    await expect
      .poll(() => hook.innerText())
      .toMatch(/Nothing: the best skill, .* has a confidence of 0\.\d+; it takes 0\.\d+/);
  });

  test('keeps a request as an eval case where it belongs, says so before and after, and takes it back', async () => {
    const { page } = world.watched;
    await ask('archive and label the old slides');
    const row = page.locator('.ranking li', { hasText: 'archive-slides' });
    await row.getByRole('button', { name: 'Save as eval…' }).click();
    await expect
      .poll(() => row.innerText())
      .toMatch(/Makes\s+~\/\.agent\/skills\/archive-slides\/evals\/requests\.jsonl/);
    await row.getByRole('radio', { name: /should not be/ }).check();
    await expect.poll(() => row.innerText()).toContain('"should_trigger":false');
    await page.reload();
    await expect.poll(() => row.innerText()).toContain('"should_trigger":false');
    await row.getByRole('button', { name: 'Save', exact: true }).click();
    const saved = join(world.home.home, '.agent/skills/archive-slides/evals/requests.jsonl');
    await expect
      .poll(() => page.locator('.notice').innerText())
      .toMatch(/should not find archive-slides[\s\S]*requests\.jsonl/);
    expect(readFileSync(saved, 'utf8')).toContain('archive and label the old slides');
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => existsSync(saved)).toBe(false);
  });

  test('runs the evals, and shows as a matrix which skill takes the requests of which', async () => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit('/lab');
    await page.getByRole('button', { name: /Run the evals/ }).click();
    const evals = page.getByRole('region', { name: 'Evals' });
    await expect.poll(() => evals.innerText()).toMatch(/deploy-staging\s+2\s+50 %/);
    const matrix = evals.getByRole('table', { name: /should find, and the one that came first/ });
    await expect.poll(() => matrix.getByRole('row').nth(1).innerText()).toMatch(/deploy-staging\s+1/);
    expect(await watched.violations()).toEqual([]);
    await evals.getByRole('link', { name: 'archive the server logs' }).click();
    await expect.poll(() => page.locator('.ranking li').count()).toBeGreaterThan(1);
  });
});
