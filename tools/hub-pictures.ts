/** Takes pictures of pages of the hub into docs/images/, over a hub made for it. */
import { join } from 'node:path';

import { openPglite } from '../hub/src/database/pglite.ts';
import { openPagesWorld } from '../hub/test/support/pages-world.ts';
import { launchBrowser } from '../test/support/browser.ts';

/** An admin sees the skills of all teams; a version is reviewed by someone who did not publish it. */
const PAGES = [
  ['skills', '/skills', '.row .sparkline', 'admin'],
  ['review', '/reviews', '.review .diff', 'bob'],
] as const;
const SIZE = { width: 1120, height: 640 };

const world = await openPagesWorld(await openPglite());
const browser = await launchBrowser();
for (const [name, path, ready, person] of PAGES) {
  const page = await (await browser.newContext({ viewport: SIZE })).newPage();
  await page.goto(world.origin);
  await page.getByLabel('Token').fill(world.tokens[person]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.menu').waitFor();
  await page.goto(`${world.origin}${path}`);
  await page.locator(ready).first().waitFor();
  await page.screenshot({ path: join('docs/images', `hub-${name}.jpg`), type: 'jpeg', quality: 62 });
}
await browser.close();
await world[Symbol.asyncDispose]();
