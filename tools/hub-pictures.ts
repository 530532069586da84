/** Takes pictures of pages of the hub into docs/images/, over a hub made for it. */
import { join } from 'node:path';

import { openPagesWorld } from '../hub/test/support/pages-world.ts';
import { launchBrowser } from '../test/support/browser.ts';

const PAGES: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['skills', '/skills', '.row .sparkline'],
  ['review', '/reviews', '.review .diff'],
];
const SIZE = { width: 1120, height: 640 };

const world = await openPagesWorld();
const browser = await launchBrowser();
const page = await (await browser.newContext({ viewport: SIZE })).newPage();
await page.goto(world.origin);
await page.getByLabel('Token').fill(world.tokens.bob);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.locator('.menu').waitFor();
for (const [name, path, ready] of PAGES) {
  await page.goto(`${world.origin}${path}`);
  await page.locator(ready).first().waitFor();
  await page.screenshot({ path: join('docs/images', `hub-${name}.jpg`), type: 'jpeg', quality: 62 });
}
await browser.close();
await world[Symbol.asyncDispose]();
