import { existsSync } from 'node:fs';

import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContextOptions, type BrowserServer, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; undefined if there is none. */
export const CHROMIUM: string | undefined = PLACES.find((path) => existsSync(path));

/** Why tests of pages are skipped. */
export const NO_CHROMIUM = 'Chromium is not installed on this machine.';

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

/** Starts a browser that several processes can use. */
export function launchBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: CHROMIUM ?? '', args: FLAGS });
}

/** The browser that all tests share (`test/share-browser.ts`). Closing it closes only the pages that were opened through it. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(process.env['TEST_BROWSER'] ?? '');
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
      // Telling of everything that is right takes as long as looking at it.
      axe.options({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: [...rules] }) });
      const { violations } = await axe.analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
  };
}
