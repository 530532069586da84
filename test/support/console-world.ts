import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CHROMIUM, connectBrowser, NO_CHROMIUM, openConsolePage, type WatchedPage } from './browser.ts';
import { makeConsoleHome, type ConsoleHome } from './console-home.ts';
import { startConsole, type ConsoleProcess } from './console-process.ts';

/** A home, its console, and a page of it. All of it exists while tests run. */
export interface ConsoleWorld {
  readonly home: ConsoleHome;
  readonly server: ConsoleProcess;
  readonly browser: Browser;
  readonly watched: WatchedPage;
}

export interface WorldOptions {
  /** A home with 300 skills by default. */
  readonly makeHome?: () => Promise<ConsoleHome>;
  /** Changes the home before the console starts. */
  readonly prepare?: (home: ConsoleHome) => void;
}

/** Describes pages of the console in a browser, if there is one. Whatever the tests do, nothing may be logged as an error. */
export function describeInBrowser(
  title: string,
  tell: (world: ConsoleWorld) => void,
  { makeHome = makeConsoleHome, prepare }: WorldOptions = {},
): void {
  // oxlint-disable-next-line vitest/valid-title -- the caller gives it
  describe(title, () => {
    let opened: ConsoleWorld | undefined;
    const get = (): ConsoleWorld => {
      if (opened === undefined) throw new Error('the console is not open');
      return opened;
    };
    beforeEach(({ skip }) => skip(CHROMIUM === undefined, NO_CHROMIUM));
    beforeAll(async () => {
      if (CHROMIUM === undefined) return;
      const home = await makeHome();
      prepare?.(home);
      const [server, browser] = await Promise.all([startConsole(home), connectBrowser()]);
      opened = { home, server, browser, watched: await openConsolePage(browser, server.url) };
    }, 60_000);
    afterAll(async () => {
      await opened?.browser.close();
      await opened?.server.stop();
      opened?.home[Symbol.dispose]();
    });
    tell({
      get home() {
        return get().home;
      },
      get server() {
        return get().server;
      },
      get browser() {
        return get().browser;
      },
      get watched() {
        return get().watched;
      },
    });
    test('no error is logged and no other server is asked', () => {
      expect(get().watched.troubles).toEqual([]);
    });
  });
}
