import { existsSync } from 'node:fs';

import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; undefined if there is none. */
export const CHROMIUM: string | undefined = PLACES.find((path) => existsSync(path));

if (CHROMIUM === undefined)
  process.stderr.write('No Chromium is installed, so the console is not tested in a browser.\n');

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? '', args: FLAGS });
}

/** A page of the console that remembers everything that must not happen. */
export interface WatchedPage {
  readonly page: Page;
  /** Opens a page of the console by its path. */
  visit(path: string): Promise<void>;
  /** Errors that were logged, and requests to other servers. */
  readonly troubles: readonly string[];
  /** Violations that axe finds on the page as it is now, of all rules or of these. */
  violations(rules?: readonly string[]): Promise<readonly string[]>;
}

/** Lines of long lists that are built like those before them: looking at hundreds of them takes minutes and tells nothing new. */
const ALIKE = ['li:nth-child(n+16)', 'tr:nth-child(n+16)', '.diff > :nth-child(n+40)', '.code-line:nth-child(n+40)'];

export async function openConsolePage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const { origin } = new URL(url);
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) troubles.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return {
    page,
    async visit(path) {
      await page.goto(new URL(path, origin).href);
    },
    troubles,
    async violations(rules) {
      // A colour on its way to another has the contrast of neither.
      await page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => true)');
      // There are no frames, for which it would open a page of its own each time.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      for (const alike of ALIKE) axe.exclude(alike);
      const { violations } = await (rules === undefined ? axe : axe.withRules([...rules])).analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
  };
}
