import { CHROMIUM, launchBrowserServer } from './support/browser.ts';

/** Starts one browser for all tests of pages, if it is installed. `TEST_BROWSER` is its address. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_BROWSER'] !== undefined) return undefined;
  if (CHROMIUM === undefined) {
    console.warn('Chromium is not installed on this machine: the pages of the console and the hub are not tested.');
    return undefined;
  }
  const server = await launchBrowserServer();
  process.env['TEST_BROWSER'] = server.wsEndpoint();
  return () => server.close();
}
