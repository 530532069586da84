import { request } from 'node:http';

import { describe, expect, onTestFinished, test } from 'vitest';

import { readAddresses } from '../src/access/identify.ts';
import { serveHub } from '../src/serve.ts';
import { openDatabase, openTestHub, type AskOptions, type TestHub } from './support/hubs.ts';

const CROSS_SITE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
/** Everything that another page can make a browser send. */
const FOREIGN: readonly (readonly [title: string, headers: Readonly<Record<string, string>>])[] = [
  ['a page elsewhere', { origin: 'https://evil.example' }],
  ['a page at another port of this host', { origin: 'http://hub.test:1' }],
  ['the origin null', { origin: 'null' }],
  ['a page of another site, as the browser says', CROSS_SITE],
  ['a page of the same site, as the browser says', { ...CROSS_SITE, 'sec-fetch-site': 'same-site' }],
];

interface Browser {
  readonly cookie: string;
  readonly token: string;
  /** Asks as our page does, without a token in a header of its own. */
  readonly ask: (method: string, path: string, options?: AskOptions) => ReturnType<TestHub['ask']>;
}

/** Signs a browser in with a token. */
async function signIn({ ask }: TestHub, secret: string): Promise<Browser> {
  const signed = await ask('POST', '/api/v1/session', { token: null, json: { token: secret } });
  const cookie = (signed.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const token = signed.json['changeToken'] as string;
  return {
    cookie,
    token,
    ask: (method, path, { headers = {}, ...options } = {}) =>
      ask(method, path, {
        token: null,
        ...options,
        headers: { cookie, 'x-skillplane-token': token, origin: 'http://hub.test', ...headers },
      }),
  };
}

describe('a browser at a hub', () => {
  test('signs in with a token, which becomes a cookie that scripts and other sites never get', async () => {
    const hub = await openTestHub(await openDatabase());
    const secret = await hub.token('publisher', { person: 'ann' });
    const signed = await hub.ask('POST', '/api/v1/session', { token: null, json: { token: ` ${secret}\n` } });
    expect(signed.json).toMatchObject({ ok: true, person: 'ann', grants: [{ scope: '*', role: 'publisher' }] });
    expect(signed.text).not.toContain(secret);
    expect(signed.headers.get('set-cookie')).toBe(
      `skillplane-hub=${secret}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict`,
    );
    const browser = await signIn(hub, secret);
    expect((await browser.ask('GET', '/api/v1/session')).json).toMatchObject({ person: 'ann', isAnonymous: false });
    expect(await browser.ask('GET', '/api/v1/skills')).toMatchObject({ status: 200 });
    const out = await browser.ask('DELETE', '/api/v1/session');
    expect(out.headers.get('set-cookie')).toMatch(/^skillplane-hub=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('gets a cookie that is bound to the host and to HTTPS where the hub has that', async () => {
    const hub = await openTestHub(await openDatabase(), { publicUrl: 'https://skills.example' });
    const secret = await hub.token('reader', { person: 'ann' });
    const signed = await hub.ask('POST', '/api/v1/session', { token: null, json: { token: secret } });
    expect(signed.headers.get('set-cookie')).toMatch(
      /^__Host-skillplane-hub=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const { ask } = await signIn(hub, secret);
    expect(await ask('GET', '/api/v1/skills', { headers: { origin: 'https://skills.example' } })).toMatchObject({
      status: 200,
    });
  });

  test('cannot sign in with a wrong or revoked token, and is told why', async () => {
    const hub = await openTestHub(await openDatabase());
    const wrong = await hub.ask('POST', '/api/v1/session', { token: null, json: { token: `sphub_${'a'.repeat(43)}` } });
    expect(wrong).toMatchObject({ status: 401, json: { message: expect.stringContaining('unknown, expired') } });
    expect(wrong.headers.get('set-cookie')).toBeNull();
    const browser = await signIn(hub, await hub.token('reader', { person: 'ann' }));
    const [{ id }] = (await browser.ask('GET', '/api/v1/tokens')).json['tokens'] as [{ id: number }];
    await hub.ask('DELETE', `/api/v1/tokens/${id}`);
    expect(await browser.ask('GET', '/api/v1/session')).toMatchObject({
      status: 401,
      json: { code: 'UNAUTHENTICATED' },
    });
  });

  test('without a token is nobody, or a reader where everyone may read', async () => {
    const closed = await openTestHub(await openDatabase());
    expect((await closed.ask('GET', '/api/v1/session', { token: null })).json).toMatchObject({ person: null });
    const open = await openTestHub(await openDatabase(), { anonymousRead: true });
    expect((await open.ask('GET', '/api/v1/session', { token: null })).json).toMatchObject({
      person: 'anonymous',
      isAnonymous: true,
    });
  });

  test('lets pages of other sites neither read nor change anything', async () => {
    const hub = await openTestHub(await openDatabase());
    const { ask } = await signIn(hub, hub.hub.firstToken ?? '');
    for (const [title, headers] of FOREIGN) {
      expect([title, (await ask('GET', '/api/v1/skills', { headers })).status]).toEqual([title, 403]);
      const change = await ask('PUT', '/api/v1/scopes/stolen', { headers, json: {} });
      expect([title, change.status]).toEqual([title, 403]);
      const login = await ask('POST', '/api/v1/session', { headers, json: { token: hub.hub.firstToken } });
      expect([title, login.status]).toEqual([title, 403]);
    }
    expect((await ask('GET', '/api/v1/scopes')).json).toMatchObject({ scopes: [] });
    // Following a link is no request of a page.
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await ask('GET', '/api/v1/skills', { headers: { ...visit, origin: 'http://hub.test' } })).toMatchObject({
      status: 200,
    });
  });

  test('changes something only with the token of the page, which programs do not need', async () => {
    const hub = await openTestHub(await openDatabase());
    const { ask } = await signIn(hub, hub.hub.firstToken ?? '');
    const create = (headers: Readonly<Record<string, string>>) =>
      ask('PUT', '/api/v1/scopes/team', { headers, json: {} });
    expect(await create({ 'x-skillplane-token': '' })).toMatchObject({ status: 403 });
    expect(await create({ 'x-skillplane-token': 'wrong' })).toMatchObject({ status: 403 });
    expect(await create({})).toMatchObject({ status: 200 });
    const other = { 'sec-fetch-site': 'cross-site', origin: 'https://tools.example' };
    expect(await hub.ask('PUT', '/api/v1/scopes/other', { headers: other, json: {} })).toMatchObject({ status: 200 });
  });

  test('is guarded against other sites where a proxy signs people in, too', async () => {
    const proxy = { header: 'x-person', addresses: readAddresses('10.1.0.0/16') ?? fail() };
    const { ask } = await openTestHub(await openDatabase(), { proxy });
    await ask('PUT', '/api/v1/scopes/team', { json: {} });
    await ask('PUT', '/api/v1/scopes/team/members/ann', { json: { role: 'owner' } });
    const change = (headers: Readonly<Record<string, string>>) =>
      ask('PUT', '/api/v1/scopes/team', {
        token: null,
        headers: { 'x-person': 'ann', ...headers },
        from: '10.1.2.3',
        json: {},
      });
    for (const [title, headers] of FOREIGN) expect([title, (await change(headers)).status]).toEqual([title, 403]);
    expect(await change({ origin: 'https://hub.test', 'sec-fetch-site': 'same-origin' })).toMatchObject({
      status: 200,
    });
    expect(await change({})).toMatchObject({ status: 200 });
  });
});

describe('the hub', () => {
  test('shows a version with the one before it and the verdicts that this person may give', async () => {
    const hub = await openTestHub(await openDatabase());
    const { ask, publish } = hub;
    await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    const [ann, bob, eve] = [
      await hub.token('publisher', { person: 'ann' }),
      await hub.token('reviewer', { person: 'bob' }),
      await hub.token('reader', { person: 'eve' }),
    ];
    await publish('team', 'pdf', { token: ann });
    await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'reviewed' } });
    await publish('team', 'pdf', { version: '1.1.0', body: 'More.', token: ann });
    const see = async (version: string, token: string) =>
      (await ask('GET', `/api/v1/skills/team/pdf/versions/${version}`, { token })).json['version'];
    expect(await see('1.1.0', ann)).toMatchObject({ before: '1.0.0', verdicts: ['reject'] });
    expect(await see('1.1.0', bob)).toMatchObject({ before: '1.0.0', verdicts: ['approve', 'reject'] });
    expect(await see('1.1.0', eve)).toBeUndefined();
    expect(await see('1.0.0', ann)).toMatchObject({ before: null, verdicts: ['yank'] });
    expect(await see('1.0.0', bob)).toMatchObject({ verdicts: [] });
    expect(await see('1.0.0', eve)).toMatchObject({ verdicts: [] });
    const { json } = await ask('GET', '/api/v1/reviews', { token: bob });
    expect(json['reviews']).toMatchObject([{ version: '1.1.0', before: '1.0.0', verdicts: ['approve', 'reject'] }]);
  });

  test('narrows its log to a scope', async () => {
    const { ask } = await openTestHub(await openDatabase());
    for (const scope of ['team', 'other']) await ask('PUT', `/api/v1/scopes/${scope}`, { json: {} });
    const { json } = await ask('GET', '/api/v1/log?scope=other');
    expect(json['log']).toMatchObject([{ action: 'create-scope', scope: 'other' }]);
  });
});

function fail(): never {
  throw new Error('no addresses');
}

test.each([
  { host: '127.0.0.1', ownAddresses: [], others: ['10.0.0.1'] },
  // No page can give itself an address as its name.
  { host: '0.0.0.0', ownAddresses: ['10.0.0.1', '[fd00::1]:8470'], others: ['hub.internal'] },
])('a hub that listens on $host answers only to its own host names', async ({ host, ownAddresses, others }) => {
  const publicUrl = 'https://skills.example.com/hub';
  const { hub } = await openTestHub(await openDatabase(), { anonymousRead: true, publicUrl });
  const listener = await serveHub(hub, { port: 0, host, allowedHosts: ['Metrics.example'] });
  onTestFinished(() => listener.close(async () => undefined));
  const askAs = (name: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { host: name };
      request({ port: listener.port, host: '127.0.0.1', path: '/api/v1/skills', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  const addresses = [`127.0.0.1:${listener.port}`, 'localhost', '[::1]:1', ...ownAddresses];
  const own = [...addresses, 'skills.example.com', 'SKILLS.example.com:443', 'metrics.example:8470'];
  const foreign = ['evil.example', `evil.example:${listener.port}`, 'skills.example.com.evil.example', ...others];
  expect(await Promise.all(own.map(askAs))).toEqual(own.map(() => 200));
  expect(await Promise.all(foreign.map(askAs))).toEqual(foreign.map(() => 403));
});
