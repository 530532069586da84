import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import {
  CHROMIUM,
  connectBrowser,
  NO_CHROMIUM,
  openConsolePage,
  type WatchedPage,
} from '../../test/support/browser.ts';
import { openHub } from '../src/hub.ts';
import { serveHub } from '../src/serve.ts';
import { openOwnDatabase } from './support/hubs.ts';
import { openPagesWorld, type PagesWorld } from './support/pages-world.ts';

/** By how much the page or its main part is wider than the window. */
const OVERFLOW = `[document.documentElement, document.querySelector('main')]
  .reduce((most, { scrollWidth, clientWidth }) => Math.max(most, scrollWidth - clientWidth), 0)`;

/** The rules of axe that depend on colours or on the width. */
const LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

const ROOT = join(import.meta.dirname, '..');

test('the hub’s package includes its pages, which are under 120 kB compressed', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toContain('dist/pages/index.html');
  expect(paths.some((path) => /^dist\/pages\/assets\/.+\.js$/.test(path))).toBe(true);
  const files = readdirSync(join(ROOT, 'dist/pages'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => gzipSync(readFileSync(join(entry.parentPath, entry.name))).length);
  expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000);
});

describe('the hub’s pages in a browser:', () => {
  let world: PagesWorld;
  let browser: Browser;
  let shared: WatchedPage;
  beforeEach(({ skip }) => skip(CHROMIUM === undefined, NO_CHROMIUM));
  beforeAll(async () => {
    if (CHROMIUM === undefined) return;
    [world, browser] = await Promise.all([openPagesWorld(await openOwnDatabase()), connectBrowser()]);
    shared = await openConsolePage(browser, world.origin);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  /** A page of the hub; the test closes it. */
  async function openPage(url: string): Promise<WatchedPage> {
    const watched = await openConsolePage(browser, url);
    onTestFinished(() => watched.page.context().close());
    return watched;
  }

  /** The page that the tests share, signed in as a person, and the troubles from here on. */
  async function signIn(person: keyof PagesWorld['tokens']): Promise<WatchedPage> {
    const { request } = shared.page.context();
    const signed = await request.post(`${world.origin}/api/v1/session`, { data: { token: world.tokens[person] } });
    expect(signed.status()).toBe(200);
    const before = shared.troubles.length;
    await shared.visit('/');
    await shared.page.locator('.menu').waitFor();
    return {
      ...shared,
      get troubles() {
        return shared.troubles.slice(before);
      },
    };
  }

  test('signing in: a wrong token is refused in the hub’s words, a right one is kept in a cookie and nowhere else', async () => {
    const watched = await openPage(world.origin);
    const { page } = watched;
    await page.getByLabel('Token').fill(`sphub_${'a'.repeat(43)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('the token is unknown, expired or revoked');
    expect(await watched.violations()).toEqual([]);
    await page.getByLabel('Token').fill(world.tokens.eve);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.locator('.person').innerText()).toMatch(/eve\s+reader of @platform/);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', value: world.tokens.eve });
    const kept = await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toContain('sphub_');
    await page.reload();
    await page.locator('.menu').waitFor();
    // A refusal is logged by the browser; everything else must be silent.
    expect(watched.troubles.filter((text) => !text.includes('401'))).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByLabel('Token').waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  test('a person sees the pages, skills and buttons of their role, and no others', async () => {
    const watched = await signIn('eve');
    const { page } = watched;
    const menu = () => page.locator('.menu li:visible a').allInnerTexts();
    await expect.poll(async () => (await menu()).join(' ').replaceAll(/\s+/g, ' ')).toBe('Skills 9 Usage Tokens');
    await watched.visit('/skill?of=@platform/deploy-staging&tab=versions');
    await page.getByRole('group', { name: 'Versions' }).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /Yank|Approve|Reject|Remove the tag|Move it/ }).count())
      .toBe(0);
    await watched.visit('/tokens');
    await page.getByRole('group', { name: 'Tokens' }).waitFor();
    await expect.poll(() => page.getByText('Make a token').count()).toBe(0);
    await watched.visit('/skill?of=@data/clean-csv');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('this needs the role reader');
  });

  test('Skills: browsed, searched with reasons, filtered, and walked through by keys, all in the address', async () => {
    const watched = await signIn('admin');
    const { page } = watched;
    await expect.poll(() => page.locator('.counts').innerText()).toContain('13 skills');
    expect(await watched.violations()).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type('roll out a release');
    await expect.poll(() => page.locator('.row').first().innerText()).toMatch(/deploy-staging[\s\S]*1\.2\.0/);
    await expect.poll(() => page.locator('.row .found').first().innerText()).toMatch(/description|name/);
    await expect.poll(() => page.url()).toContain('q=roll+out+a+release');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.locator('.row.current .name:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '@platform/deploy-staging' }).waitFor();
    await page.goBack();
    await watched.visit('/skills?scope=data');
    await expect.poll(() => page.locator('.counts').innerText()).toContain('4 shown');
    await page.locator('#search').fill('nothing like this exists at all');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect.poll(() => page.locator('.counts').innerText()).toContain('13 skills');
    expect(watched.troubles).toEqual([]);
  });

  test('one skill: instructions, files, versions with tags and reasons, differences, and who uses which version', async () => {
    const watched = await signIn('ann');
    const { page } = watched;
    await watched.visit('/skill?of=@platform/deploy-staging');
    await expect.poll(() => page.locator('.paper').innerText()).toContain('Watch the error rate');
    await expect
      .poll(() => page.locator('.why-here').innerText())
      .toContain('skillplane install @platform/deploy-staging@1.2.0');
    expect(await watched.violations()).toEqual([]);
    await page.getByRole('button', { name: 'the checks' }).click();
    await expect.poll(() => page.locator('.paper').innerText()).toContain('Look at the dashboards first');
    await page.getByRole('tab', { name: /Versions/ }).click();
    const versions = page.getByRole('group', { name: 'Versions' });
    await expect.poll(() => versions.innerText()).toMatch(/beta[\s\S]*latest[\s\S]*yanked: rolls out to production/);
    await expect.poll(() => versions.innerText()).toMatch(/\d+ by \d/);
    await page.getByRole('button', { name: 'Compare 1.2.0 with 1.1.0' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Differences' }).innerText())
      .toMatch(/scripts\/roll\.sh[\s\S]*-set -e[\s\S]*\+set -eu/);
    await expect.poll(() => page.url()).toContain('from=1.1.0');
    expect(await watched.violations()).toEqual([]);
    await page.getByLabel('Move a tag to 1.2.0').fill('stable');
    await page.getByRole('button', { name: 'Move it' }).click();
    await expect.poll(() => versions.innerText()).toContain('stable');
    await page.getByRole('button', { name: 'Remove the tag stable' }).click();
    await expect.poll(() => versions.innerText()).not.toContain('stable');
    await page.getByRole('tab', { name: 'Usage' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'People' }).innerText()).toMatch(/dana\s+1\.[12]\.0/);
    expect(await watched.violations()).toEqual([]);
    expect(watched.troubles).toEqual([]);
  });

  test('an owner yanks a version with a reason, and takes that back', async () => {
    const watched = await signIn('ann');
    const { page } = watched;
    await watched.visit('/skill?of=@platform/load-test');
    await page.getByRole('button', { name: 'Yank…' }).click();
    await page.getByLabel(/Why should nobody install it/).fill('it melts the servers');
    await page.getByRole('button', { name: 'Yank @platform/load-test@1.0.0' }).click();
    await expect.poll(() => page.locator('.head').innerText()).toContain('yanked: it melts the servers');
    await page.getByRole('button', { name: 'Take the yank back' }).click();
    await expect.poll(() => page.locator('.head').innerText()).toMatch(/published$/);
  });

  test('a long difference is shown in part, with the number of lines that are not', async () => {
    const rows = (word: string): string => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}\n`).join('');
    await world.publish('platform', 'load-test', { version: '1.1.0', files: { 'rows.txt': rows('old') } });
    await world.publish('platform', 'load-test', { version: '1.2.0', files: { 'rows.txt': rows('new') } });
    const watched = await signIn('ann');
    const { page } = watched;
    await watched.visit('/skill?of=@platform/load-test&v=1.2.0&tab=versions&from=1.1.0');
    const rowsShown = page.getByRole('group', { name: 'Changes of rows.txt' }).locator('span');
    await expect.poll(() => rowsShown.last().innerText()).toBe('38,003 more lines are not shown.');
    expect(await rowsShown.count()).toBe(2_001);
    expect(watched.troubles).toEqual([]);
  });

  test('Review: findings stand below their lines beside the differences; approved versions are seen, rejected ones are not', async () => {
    const watched = await signIn('bob');
    const { page } = watched;
    await expect.poll(() => page.locator('.menu').innerText()).toMatch(/Review\s+2/);
    await watched.visit('/reviews');
    const review = page.locator('.review');
    await expect.poll(() => review.innerText()).toMatch(/curl -s[\s\S]*critical: download-piped-into-shell/);
    await expect.poll(() => review.innerText()).toMatch(/Changes since 1\.0\.0[\s\S]*\+Run `scripts\/clean\.sh`/);
    expect(await watched.violations()).toEqual([]);
    await review.getByRole('button', { name: 'Reject…' }).click();
    const reject = review.getByRole('button', { name: 'Reject @data/clean-csv@1.1.0' });
    await expect.poll(() => reject.isDisabled()).toBe(true);
    await review.getByLabel(/Why is it rejected/).fill('pin the script');
    await reject.click();
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Rejected @data/clean-csv@1.1.0');
    await expect.poll(() => review.locator('h2').innerText()).toBe('@data/survey-summary@1.1.0');
    await review.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => page.locator('.page').innerText()).toContain('Nothing waits');
    await watched.visit('/skill?of=@data/survey-summary');
    await expect.poll(() => page.getByLabel('Version').inputValue()).toBe('1.1.0');
    await watched.visit('/log');
    const acts = page.getByRole('group', { name: 'Acts' });
    await expect.poll(() => acts.innerText()).toMatch(/bob\s+approve\s+@data\/survey-summary@1\.1\.0/);
    await expect.poll(() => acts.innerText()).toMatch(/reject\s+@data\/clean-csv@1\.1\.0\s+reason: pin the script/);
    expect(await watched.violations()).toEqual([]);
    expect(watched.troubles).toEqual([]);
  });

  test('a version of one’s own cannot be approved, and the page says so', async () => {
    await world.publish('data', 'query-costs', { version: '1.1.0', body: '# Costs\n' });
    const watched = await signIn('admin');
    const { page } = watched;
    await watched.visit('/reviews');
    const review = page.locator('.review');
    await expect.poll(() => review.innerText()).toContain('someone else must approve it');
    await expect.poll(() => review.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });

  test('Tokens: made with role, scope and end, shown once, used, and revoked', async () => {
    const watched = await signIn('ann');
    const { page } = watched;
    await watched.visit('/tokens');
    await page.getByText('Make a token').click();
    await page.getByLabel('For whom').fill('ci\u202Exe');
    await page.getByLabel('Name', { exact: true }).fill('<b>build</b>');
    await page.getByLabel('Role').selectOption('publisher');
    await page.getByLabel('Valid for').selectOption('7');
    await expect.poll(() => page.getByRole('button', { name: 'Make the token' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(1);
    await page.getByRole('checkbox', { name: '@platform' }).check();
    expect(await watched.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Make the token' }).click();
    const secret = (await page.locator('.secret').innerText()).trim();
    expect(secret).toMatch(/^sphub_[\w-]{43}$/);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await fetch(`${world.origin}/api/v1/skills`, { headers })).status).toBe(200);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.content()).not.toContain(secret);
    const row = page.locator('tr', { hasText: '<b>build</b>' });
    await expect.poll(() => row.innerText()).toMatch(/ci\\u\{202e\}xe\s+publisher of @platform[\s\S]*until/);
    await row.getByRole('button', { name: /^Revoke/ }).click();
    await row.getByRole('button', { name: 'Revoke it' }).click();
    await expect.poll(() => row.innerText()).toContain('revoked on');
    expect((await fetch(`${world.origin}/api/v1/skills`, { headers })).status).toBe(401);
    expect(await watched.violations()).toEqual([]);
    expect(watched.troubles).toEqual([]);
  });

  test('Scopes: an admin creates one, its policy is changed and taken back, and an unfit name is refused before it is sent', async () => {
    const watched = await signIn('admin');
    const { page } = watched;
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    const scopes = page.getByRole('group', { name: 'Scopes' });
    await expect.poll(() => scopes.innerText()).toMatch(/@data\s+reviewed\s+when a reviewer who did not publish it/);
    await page.getByText('Create a scope').click();
    const create = page.getByRole('button', { name: 'Create the scope' });
    for (const name of ['Design Team', '../data', '<b>x</b>', 'data', '-x']) {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await expect.poll(() => create.isDisabled()).toBe(true);
    }
    await expect.poll(() => page.locator('.new-token').innerText()).toContain('lower-case letters');
    await page.getByLabel('Name', { exact: true }).fill('design');
    await page.getByLabel('Readers see a new version').selectOption('reviewed');
    expect(await watched.violations()).toEqual([]);
    await create.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.notice').innerText()).toContain('Created the scope @design');
    await expect.poll(() => scopes.innerText()).toMatch(/@design\s+reviewed/);
    await expect.poll(() => page.url()).toContain('of=design');
    const policy = page.getByRole('region', { name: 'Policy of @design' });
    await policy.getByLabel('Readers see a new version').selectOption('audited');
    await policy.getByLabel('It waits if a finding is').selectOption('high');
    await expect.poll(() => policy.innerText()).toContain('From now on, readers see a new version at once, unless');
    await policy.getByRole('button', { name: 'Change the policy' }).click();
    await expect.poll(() => scopes.innerText()).toMatch(/@design\s+audited\s+at once, unless .* high or worse/);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => scopes.innerText()).toMatch(/@design\s+reviewed/);
    await page.getByRole('link', { name: 'every scope' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'People of every scope' }).innerText())
      .toContain('admin:');
    const log = (await (await world.ask('GET', '/api/v1/log?scope=design')).json()) as { log: { action: string }[] };
    expect(log.log.map(({ action }) => action)).toEqual(['change-scope', 'change-scope', 'create-scope']);
    expect(watched.troubles).toEqual([]);
  });

  test('Scopes: an owner gives roles and takes them away, in the own scope alone, to people of any name', async () => {
    const watched = await signIn('ann');
    const { page } = watched;
    await watched.visit('/scopes?of=platform');
    const people = page.getByRole('region', { name: 'People of @platform' });
    await expect.poll(() => people.innerText()).toMatch(/ann\s+owner: also policy, roles, tokens\s+the token laptop/);
    await expect.poll(() => page.getByText('Create a scope').count()).toBe(0);
    await page.getByText('Give a person a role').click();
    const give = page.getByRole('button', { name: 'Give the role' });
    for (const name of ['..', '.', '  ']) {
      await page.getByLabel('Person').fill(name);
      await expect.poll(() => give.isDisabled()).toBe(true);
    }
    const hostile = '<img src=x>/../\u202Eeve 名前?#%';
    await page.getByLabel('Person').fill(hostile);
    await page.getByRole('combobox', { name: 'Role' }).selectOption('reviewer');
    await give.click();
    const row = people.locator('tr', { hasText: '名前' });
    await expect.poll(() => row.innerText()).toMatch(/^<img src=x>\/\.\.\/\\u\{202e\}eve 名前\?#%\s+reviewer/);
    expect(await world.hub.database.query('SELECT person, scope, role FROM members')).toEqual([
      { person: hostile, scope: 'platform', role: 'reviewer' },
    ]);
    expect(await watched.violations()).toEqual([]);
    await page.getByLabel('Person').fill(hostile);
    await page.getByRole('combobox', { name: 'Role' }).selectOption('publisher');
    await expect.poll(() => page.locator('.new-token').innerText()).toContain('is reviewer here, which this replaces');
    await give.click();
    await expect.poll(() => row.innerText()).toContain('publisher');
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => row.innerText()).toContain('reviewer');
    await row.getByRole('button', { name: /^Take the role reviewer from/ }).click();
    await expect.poll(() => row.count()).toBe(0);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => row.innerText()).toContain('reviewer');
    await watched.visit('/scopes?of=data');
    await expect.poll(() => page.locator('.page').innerText()).toContain('There is no scope @data that you may see');
    expect(watched.troubles).toEqual([]);
  });

  test('Usage: by week and team, old versions that are still about, and skills that nobody uses', async () => {
    const watched = await signIn('admin');
    const { page } = watched;
    await watched.visit('/usage');
    await expect.poll(() => page.locator('.legend').first().innerText()).toMatch(/@platform[\s\S]*@data/);
    await expect
      .poll(() => page.getByRole('group', { name: 'Older versions' }).innerText())
      .toMatch(/deploy-staging@1\.1\.0\s+yanked/);
    await expect.poll(() => page.getByRole('region', { name: 'Nobody uses' }).innerText()).toContain('@platform/forms');
    expect(await watched.violations()).toEqual([]);
    await page.getByLabel('Scope').selectOption('data');
    await expect.poll(() => page.getByRole('group', { name: 'Skills by use' }).innerText()).not.toContain('@platform');
    await expect.poll(() => page.url()).toContain('scope=data');
    expect(watched.troubles).toEqual([]);
  });

  test('text of a skill is shown, and neither runs, nor loads, nor hides anything', async () => {
    const watched = await signIn('eve');
    const { page } = watched;
    await watched.visit('/skill?of=@platform/forms');
    const paper = page.locator('.paper');
    await expect.poll(() => paper.innerText()).toContain('<script>document.title = "owned"</script>');
    await expect.poll(() => paper.locator('img, script, a[href^="javascript"]').count()).toBe(0);
    await expect.poll(() => page.locator('.lead').innerText()).toContain('<img src=x onerror=');
    await page.getByRole('button', { name: 'reference' }).click();
    await expect.poll(() => page.locator('#panel').innerText()).toContain('Zero\\u{200b}width and \\u{202e}reversed');
    expect(await page.title()).toBe('Skillplane hub');
    expect(watched.troubles).toEqual([]);
  });

  test('every page fits and is accessible, dark and narrow, and fits a wide window', async () => {
    const watched = await signIn('admin');
    const { page } = watched;
    const usual = page.viewportSize();
    onTestFinished(async () => {
      if (usual !== null) await page.setViewportSize(usual);
      await page.emulateMedia({ colorScheme: null });
    });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const [path, ready] of [
      ['/skills?q=release', '.row .found'],
      ['/skill?of=@platform/deploy-staging&tab=versions', '.diff'],
      ['/skill?of=@platform/deploy-staging&tab=use', '.chart'],
      ['/reviews', '.review'],
      ['/usage', '.chart'],
      ['/scopes?of=platform', '.table'],
      ['/tokens', '.table'],
      ['/log', '.table'],
    ] as const) {
      await page.setViewportSize({ width: 2000, height: 1000 });
      await watched.visit(path);
      await page.locator(ready).first().waitFor();
      for (const summary of await page.locator('.new-token summary').all()) await summary.click();
      await expect.poll(async () => [path, await page.evaluate(OVERFLOW)]).toEqual([path, 0]);
      await page.setViewportSize({ width: 360, height: 720 });
      await expect.poll(async () => [path, await page.evaluate(OVERFLOW)]).toEqual([path, 0]);
      // The stories above look at the light pages, with all rules.
      expect([path, await watched.violations(LOOKS)]).toEqual([path, []]);
    }
    expect(watched.troubles).toEqual([]);
  });

  test('a token that was revoked meanwhile leads back to signing in', async () => {
    const { secret, token } = (await (
      await world.ask('POST', '/api/v1/tokens', { name: 'short', person: 'zoe', role: 'reader' })
    ).json()) as { secret: string; token: { id: number } };
    const { page } = await openPage(world.origin);
    await page.getByLabel('Token').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.row .sparkline').first().waitFor();
    await world.ask('DELETE', `/api/v1/tokens/${token.id}`);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('unknown, expired or revoked');
    await page.getByLabel('Token').waitFor();
  });

  test('the page may load and ask nothing elsewhere, and holds no code of its own', async () => {
    const response = await fetch(world.origin);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=| style=/i);
    for (const path of ['/assets/../../package.json', '/assets/%2e%2e/%2e%2e/package.json', '/assets/none.js'])
      expect((await fetch(`${world.origin}${path}`)).status).toBe(404);
  });

  test('where everyone may read, skills show without signing in, and one can sign in', async () => {
    const { database, settings } = world.hub;
    const shared = { ...database, [Symbol.asyncDispose]: async () => undefined };
    await using hub = await openHub(shared, {
      settings: { ...settings, anonymousRead: true },
      onError: () => undefined,
    });
    const listener = await serveHub(hub, { port: 0, host: '127.0.0.1' });
    const { page } = await openPage(`http://127.0.0.1:${listener.port}`);
    await expect.poll(() => page.locator('.counts').innerText()).toContain('13 skills');
    await expect.poll(() => page.locator('.person').innerText()).toContain('Not signed in');
    await expect.poll(() => page.getByRole('link', { name: 'Tokens' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.getByLabel('Token').fill(world.tokens.ann);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.locator('.person').innerText()).toContain('owner of @platform');
    await page.context().close();
    await listener.close(async () => undefined);
  });
});
