import { gzipSync } from 'node:zlib';

import { describe, expect, onTestFinished, test } from 'vitest';

import { startConnectProxy } from '../../../test/support/connect-proxy.ts';
import { serve, type Answer, type TestServer } from '../../../test/support/https-server.ts';
import { makeWorld } from '../../../test/support/world.ts';
import { openWebReader, type WebReader, type WebReaderOptions } from './web-reader.ts';

type Options = Partial<WebReaderOptions> & { readonly env?: Readonly<Record<string, string>> };

function readerOf(typed: string, { env = {}, ...options }: Options = {}): WebReader {
  const reader = openWebReader({ ...options, typed, environment: makeWorld({}, env).environment });
  onTestFinished(() => reader.close());
  return reader;
}

type Got = Awaited<ReturnType<WebReader['get']>>;

/** Asks a server that answers so for `/`. */
async function ask(answer: Answer, options: Options & { readonly maxBytes?: number } = {}): Promise<Got> {
  const { url, env } = await serve(() => answer);
  const { maxBytes = 1_000, ...rest } = options;
  return readerOf(url, { env, ...rest }).get({ url, maxBytes });
}

const to = (location: string): Answer => ({ status: 302, headers: { location } });
const found = (text: string): object => ({ ok: true, answer: { state: 'found', bytes: Buffer.from(text) } });
const failed = (message: RegExp): object => ({ ok: false, message: expect.stringMatching(message) as string });

describe('a redirect from a website', () => {
  test('is followed up to five times', async () => {
    const { url, env, seen } = await serve((path) => {
      const left = Number(path.slice(1));
      return left === 0 ? { body: 'here' } : to(`/${left - 1}`);
    });
    const reader = readerOf(url, { env });
    expect(await reader.get({ url: `${url}/5`, maxBytes: 10 })).toMatchObject(found('here'));
    seen.length = 0;
    expect(await reader.get({ url: `${url}/6`, maxBytes: 10 })).toMatchObject(
      failed(/\/6 redirects more than 5 times$/),
    );
    expect(seen).toHaveLength(6);
  });

  test('never leads to another protocol', async () => {
    const plain = await serve(() => ({ body: 'anyone could have changed this' }), { isPlain: true });
    expect(await ask(to(`${plain.url}/x`))).toMatchObject(failed(/leads to http:\/\/.*which has another protocol/));
    for (const other of ['file:///etc/passwd', 'data:text/plain,x', 'ftp://localhost/x'])
      expect(await ask(to(other))).toMatchObject(failed(/which has another protocol/));
    const secure = await serve(() => ({ body: 'x' }));
    const { url } = await serve(() => to(secure.url), { isPlain: true });
    expect(await readerOf(url).get({ url, maxBytes: 10 })).toMatchObject(failed(/which has another protocol/));
    expect([...plain.seen, ...secure.seen]).toEqual([]);
  });

  test.each([
    '10.0.0.1',
    '192.168.1.1',
    '172.31.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '[::]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a00:1]',
    '2852039166',
    '0xa9.0xfe.0xa9.0xfe',
  ])('never leads to the private address %s', async (host) => {
    expect(await ask(to(`https://${host}/latest/meta-data`))).toMatchObject({
      ...failed(/it leads to .*, which is inside your network/),
      code: 'PATH_REFUSED',
      next: { ask: 'user', to: 'Use that address itself if you trust it.' },
    });
  });

  test('never leads to a host name whose address is private, which is decided by the lookup that connects', async () => {
    const server = await serve(() => ({ body: 'secret' }));
    const reader = readerOf('https://203.0.113.1/', { env: server.env });
    expect(await reader.get({ url: server.url, maxBytes: 10 })).toMatchObject({
      ...failed(/it leads to localhost, which is inside your network \((?:127\.0\.0\.1|::1)\)/),
      code: 'PATH_REFUSED',
    });
    expect(server.seen).toEqual([]);
  });

  test('may lead to this machine if the user typed an address of this machine', async () => {
    const other = await serve(() => ({ body: 'other' }));
    expect(await ask(to(`https://127.0.0.1:${other.port}/`))).toMatchObject(found('other'));
  });

  test('with a name or password in it is not followed', async () => {
    const other = await serve(() => ({ body: 'other' }));
    expect(await ask(to(`https://me:secret@localhost:${other.port}/`))).toMatchObject(
      failed(/leads to an address with a name or password$/),
    );
    expect(other.seen).toEqual([]);
  });

  test('without a valid target is a failure', async () => {
    expect(await ask({ status: 302 })).toMatchObject(failed(/answered with status 302/));
    expect(await ask(to('https://['))).toMatchObject(failed(/answered with status 302/));
  });
});

describe('credentials for a website', () => {
  const authorization = { reveal: () => 'Basic c2VjcmV0' };
  const sentTo = ({ seen }: TestServer): readonly unknown[] => seen.map(({ headers }) => headers.authorization);

  test('are sent only to the origin that was typed, not even to another port of the same host', async () => {
    const other = await serve(() => ({ body: 'other' }));
    const server = await serve((path) => (path === '/away' ? to(`${other.url}/x`) : { body: 'own' }));
    const { url, env } = server;
    const reader = readerOf(`${url}/start`, { env, authorization });
    expect(await reader.get({ url: `${url}/a`, maxBytes: 10 })).toMatchObject(found('own'));
    expect(await reader.get({ url: `${url}/away`, maxBytes: 10 })).toMatchObject(found('other'));
    expect(await reader.get({ url: `${other.url}/direct`, maxBytes: 10 })).toMatchObject(found('other'));
    expect(sentTo(server)).toEqual(['Basic c2VjcmV0', 'Basic c2VjcmV0']);
    expect(sentTo(other)).toEqual([undefined, undefined]);
  });

  test('appear in no message', async () => {
    const got = await ask({ status: 403 }, { authorization });
    expect(got).toMatchObject(failed(/the server refuses access \(403\)/));
    expect(JSON.stringify(got)).not.toMatch(/c2VjcmV0|secret/);
  });
});

describe('the answer of a website', () => {
  test('is limited in size, whether or not the server states it', async () => {
    const large = 'x'.repeat(1_001);
    expect(await ask({ body: large })).toMatchObject(failed(/it is larger than 1000 bytes/));
    const inParts = { body: large, headers: { 'transfer-encoding': 'chunked' } };
    expect(await ask(inParts)).toMatchObject(failed(/it is larger than 1000 bytes/));
    const endless = { body: large, ending: 'silence', headers: { 'transfer-encoding': 'chunked' } } as const;
    expect(await ask(endless)).toMatchObject(failed(/it is larger than 1000 bytes/));
    const page = { body: 'x'.repeat(1_000_000), ending: 'silence' } as const;
    expect(await ask({ ...page, status: 404 })).toMatchObject({ ok: true, answer: { state: 'missing' } });
    expect(await ask({ ...page, status: 500 })).toMatchObject(failed(/status 500/));
    expect(await ask({ body: 'x'.repeat(1_000) })).toMatchObject({ ok: true });
  });

  test('must arrive completely within the time limit', async () => {
    const timeoutMs = 50;
    expect(await ask({ ending: 'silence' }, { timeoutMs })).toMatchObject(failed(/it took longer than 1 s/));
    const half = { body: 'half', headers: { 'content-length': '8' } };
    expect(await ask({ ...half, ending: 'silence' }, { timeoutMs })).toMatchObject(failed(/it took longer than 1 s/));
    expect(await ask({ ...half, ending: 'cut' })).toMatchObject(failed(/the host ended the connection/));
  });

  test('is abandoned when the caller cancels', async () => {
    const caller = new AbortController();
    const { url, env, seen } = await serve(() => ({ ending: 'silence' }));
    const getting = readerOf(url, { env, signal: caller.signal }).get({ url, maxBytes: 10 });
    await expect.poll(() => seen).toHaveLength(1);
    caller.abort();
    expect(await getting).toMatchObject(failed(/it was cancelled/));
  });

  test('is taken as sent, without decompression', async () => {
    const bytes = gzipSync('packed');
    const { url, env, seen } = await serve(() => ({ body: bytes, headers: { 'content-encoding': 'gzip' } }));
    expect(await readerOf(url, { env }).get({ url, maxBytes: 100 })).toMatchObject({ answer: { bytes } });
    expect(seen).toMatchObject([{ headers: { 'accept-encoding': 'identity' } }]);
  });

  test.each([
    [404, { ok: true, answer: { state: 'missing' } }],
    [410, { ok: true, answer: { state: 'missing' } }],
    [401, failed(/the server refuses access \(401\)/)],
    [429, { ...failed(/too many requests/), next: { retry: 'later' } }],
    [206, failed(/answered with status 206/)],
    [503, failed(/answered with status 503/)],
  ])('says what its status %i means', async (status, expected) => {
    expect(await ask({ status })).toMatchObject(expected);
  });

  test('is downloaded again only if it has changed', async () => {
    let etag = '"1"';
    const { url, env, seen } = await serve(() => ({ body: etag, headers: { etag } }));
    const reader = readerOf(url, { env });
    expect(await reader.get({ url, maxBytes: 10 })).toMatchObject({ answer: { state: 'found', etag: '"1"' } });
    expect(await reader.get({ url, maxBytes: 10, etag: '"1"' })).toMatchObject({ answer: { state: 'unchanged' } });
    etag = '"2"';
    expect(await reader.get({ url, maxBytes: 10, etag: '"1"' })).toMatchObject(found('"2"'));
    expect(seen.map(({ status }) => status)).toEqual([200, 304, 200]);
    expect(await ask({ status: 304 })).toMatchObject(failed(/answered with status 304/));
  });
});

describe('a web server', () => {
  test("must have a certificate that this machine or the user's settings trust", async () => {
    const { url, env, seen } = await serve(() => ({ body: 'x' }));
    expect(await readerOf(url).get({ url, maxBytes: 10 })).toMatchObject({
      ...failed(/its certificate is not valid for this machine/),
      next: { ask: 'user', to: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string },
    });
    expect(seen).toEqual([]);
    const other = { SSL_CERT_FILE: env['NODE_EXTRA_CA_CERTS'] ?? '' };
    expect(await readerOf(url, { env: other }).get({ url, maxBytes: 10 })).toMatchObject(found('x'));
  });

  test('that cannot be reached is named with the reason', async () => {
    const url = 'https://127.0.0.1:9';
    expect(await readerOf(url).get({ url, maxBytes: 1 })).toMatchObject(
      failed(/:9 could not be fetched: the host does/),
    );
    const unknown = 'https://no-such-host.invalid/';
    expect(await readerOf(unknown).get({ url: unknown, maxBytes: 1 })).toMatchObject(failed(/host not found/));
  });
});

describe('a web proxy', () => {
  const SKILLS = 'https://skills.test';

  async function setScene(respond: Parameters<typeof serve>[0]): Promise<{
    readonly server: TestServer;
    readonly proxy: Awaited<ReturnType<typeof startConnectProxy>>;
    readonly env: Readonly<Record<string, string>>;
  }> {
    const server = await serve(respond);
    const proxy = await startConnectProxy(server.port);
    return { server, proxy, env: { ...server.env, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } };
  }

  test("is used for hosts that only it can resolve, and gets its own password but not the server's", async () => {
    const { server, proxy, env } = await setScene((path) => ({ body: path }));
    const HTTPS_PROXY = `http://me:pass%20word@127.0.0.1:${proxy.port}`;
    const authorization = { reveal: () => 'Basic c2VjcmV0' };
    const reader = readerOf(SKILLS, { env: { ...env, HTTPS_PROXY }, authorization });
    expect(await reader.get({ url: `${SKILLS}/a`, maxBytes: 10 })).toMatchObject(found('/a'));
    expect(await reader.get({ url: `${SKILLS}/b`, maxBytes: 10 })).toMatchObject(found('/b'));
    expect(proxy.asked).toEqual(['skills.test:443']);
    expect(proxy.authorizations).toEqual([`Basic ${Buffer.from('me:pass word').toString('base64')}`]);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Basic c2VjcmV0', 'Basic c2VjcmV0']);
    expect(JSON.stringify(server.seen)).not.toContain('proxy-authorization');
  });

  test('may have a password that is not encoded', async () => {
    const { proxy, env } = await setScene(() => ({ body: 'x' }));
    const HTTPS_PROXY = `http://me:50%@127.0.0.1:${proxy.port}`;
    const reader = readerOf(SKILLS, { env: { ...env, HTTPS_PROXY } });
    expect(await reader.get({ url: SKILLS, maxBytes: 10 })).toMatchObject(found('x'));
    expect(proxy.authorizations).toEqual([`Basic ${btoa('me:50%')}`]);
  });

  test('gives redirects no access to the private network', async () => {
    const { env, proxy } = await setScene((path) => {
      const [, host = ''] = /^\/to\/(.*)/.exec(path) ?? [];
      return host === '' ? { body: 'x' } : to(`https://${host}/secret`);
    });
    const reader = readerOf(SKILLS, { env });
    for (const host of ['169.254.169.254', '10.0.0.1', `127.0.0.1:${proxy.port}`, `localhost:${proxy.port}`])
      expect(await reader.get({ url: `${SKILLS}/to/${host}`, maxBytes: 10 })).toMatchObject({ code: 'PATH_REFUSED' });
    expect(await reader.get({ url: `${SKILLS}/to/files.skills.test`, maxBytes: 10 })).toMatchObject(found('x'));
    expect(new Set(proxy.asked)).toEqual(new Set(['skills.test:443', 'files.skills.test:443']));
  });

  test('is not used for this machine or for hosts that NO_PROXY lists', async () => {
    const { server, env, proxy } = await setScene(() => ({ body: 'x' }));
    expect(await readerOf(server.url, { env }).get({ url: server.url, maxBytes: 10 })).toMatchObject(found('x'));
    const excepted = readerOf(SKILLS, { env: { ...env, NO_PROXY: 'a.example, skills.test' } });
    expect(await excepted.get({ url: SKILLS, maxBytes: 10 })).toMatchObject(failed(/host not found/));
    expect(proxy.asked).toEqual([]);
  });

  test('that never answers is abandoned after the time limit', async () => {
    const silent = await startConnectProxy(9, { status: 0 });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${silent.port}` };
    const got = await readerOf(SKILLS, { env, timeoutMs: 50 }).get({ url: SKILLS, maxBytes: 10 });
    expect(got).toMatchObject(failed(/through the proxy 127\.0\.0\.1:\d+: it took longer than 1 s/));
  });

  test('that refuses, is unreachable or of an unsupported kind is named without its password', async () => {
    const strict = await startConnectProxy(9, { status: 407 });
    const closed = await startConnectProxy(9, { status: 403 });
    const cases = [
      [`http://me:secret@127.0.0.1:${strict.port}`, /the proxy requires a user name and password \(407\)/],
      [`http://me:secret@127.0.0.1:${closed.port}`, /the proxy answered with status 403/],
      ['http://me:secret@127.0.0.1:9', /through the proxy 127\.0\.0\.1:9: the host does not answer/],
      ['socks5://me:secret@127.0.0.1:9', /unsupported proxy type socks5:; use http or https/],
      ['http://', /the address of the proxy is not valid/],
    ] as const;
    for (const [url, message] of cases) {
      const got = await readerOf(SKILLS, { env: { https_proxy: url } }).get({ url: SKILLS, maxBytes: 10 });
      expect(got).toMatchObject({
        ...failed(message),
        next: { ask: 'user', to: expect.stringContaining('HTTPS_PROXY') as string },
      });
      expect(JSON.stringify(got)).not.toContain('secret');
    }
  });
});
