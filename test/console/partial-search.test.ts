import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSkills } from '../../src/index.ts';
import { withLock } from '../../src/platform/files/lock.ts';
import { makeTemporaryTree } from '../../src/platform/files/temporary-tree.ts';
import { CHROMIUM, connectBrowser, NO_CHROMIUM, openConsolePage } from '../support/browser.ts';
import { startConsole } from '../support/console-process.ts';
import { skillText } from '../support/tree.ts';

/** One more than are indexed at once. */
const SKILLS = 1_001;

test('the list and the lab say that new skills are still being read, and show the whole ranking once they are', async ({
  skip,
}) => {
  skip(CHROMIUM === undefined, NO_CHROMIUM);
  const skills = Array.from({ length: SKILLS }, (_, at): [string, string] => [
    `home/.agent/skills/s${at}/SKILL.md`,
    skillText({ name: `s${at}`, description: `Handles matter${at}x.` }, `Call tool${at}y.`),
  ]);
  using files = makeTemporaryTree({ ...Object.fromEntries(skills), 'project/.git/': '' });
  const place = {
    home: join(files.root, 'home'),
    project: join(files.root, 'project'),
    env: { PATH: '/usr/bin:/bin' },
  };
  const index = await makeIndex(place);
  const read = Promise.withResolvers<void>();
  const otherProcess = withLock(index.file, async () => {
    await read.promise;
    writeFileSync(index.file, index.bytes);
    return { ok: true };
  });
  await using server = await startConsole(place);
  const browser = await connectBrowser();
  try {
    const watched = await openConsolePage(browser, server.url);
    const { page } = watched;
    const line = page.locator('.not-complete');
    await watched.visit('/lab?request=matter700x');
    await line.waitFor();
    await watched.visit('/skills?q=tool700y+matter700x');
    await expect
      .poll(() => line.innerText())
      .toMatch(/^Not complete: the instructions of 100\d new skills are .*being read/);
    await page.getByRole('link', { name: 's700' }).waitFor();
    expect(await page.locator('.found .why').first().innerText()).not.toContain('tool700y');
    expect(await watched.violations()).toEqual([]);
    read.resolve();
    await otherProcess;
    await line.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.found').first().getAttribute('title')).toContain('tool700y');
  } finally {
    read.resolve();
    await browser.close();
  }
}, 60_000);

interface Place {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The index as another process would write it; it is not there yet. */
async function makeIndex({ home, project, env }: Place): Promise<{ readonly file: string; readonly bytes: Buffer }> {
  {
    await using skills = await openSkills({ cwd: project, home, env });
    await skills.search({ query: 'anything', wait: true, isTrial: true });
  }
  const cache = join(home, '.agent/cache');
  const name = readdirSync(cache).find((one) => one.startsWith('search'));
  if (name === undefined) throw new Error(`no index in ${readdirSync(cache).join(', ')}`);
  const file = join(cache, name);
  const bytes = readFileSync(file);
  rmSync(file);
  return { file, bytes };
}
