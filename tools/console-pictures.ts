/** Takes a picture of each page of the console, light and dark, into docs/images/, over a home made for it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { launchBrowser } from '../test/support/browser.ts';
import { makeConsoleHome } from '../test/support/console-home.ts';
import { startConsole } from '../test/support/console-process.ts';

const PAGES: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['skills', '/skills?q=review+logs', '.row .found'],
  ['skill', '/skill?name=invoice-fix', '.diff'],
  ['lab', '/lab?request=fill+in+the+PDF+form+for+the+tax+office', '.ranking li'],
  ['model', '/model?budget=6000', '.segment'],
  ['usage', '/usage', '.chart'],
  ['agents', '/agents?marks=codex%2Barchive-apis', '.pending .main:enabled'],
  ['installed', '/installed', '.table'],
  ['health', '/health', '.facts-list li'],
];
const DIR = 'docs/images';
const SIZE = { width: 1120, height: 700 };

mkdirSync(DIR, { recursive: true });
using home = await makeConsoleHome();
await using server = await startConsole(home);
const browser = await launchBrowser();
// The address opens one browser, and no other.
const page = await browser.newPage({ viewport: SIZE });
await page.goto(server.url);
for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme });
  for (const [name, path, ready] of PAGES) {
    await page.goto(`${server.origin}${path}`);
    await page.locator(ready).first().waitFor({ timeout: 60_000 });
    if (name === 'installed') {
      await page.getByRole('button', { name: 'Check for updates' }).click();
      await page.getByRole('button', { name: 'Review update… pdf' }).click();
      await page.locator('article').waitFor({ timeout: 60_000 });
    }
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(DIR, `console-${name}-${colorScheme}.jpg`), type: 'jpeg', quality: 62 });
  }
}
await browser.close();
