import { expect, test } from 'vitest';

import { startConnectProxy } from '../../../test/support/connect-proxy.ts';
import { serve } from '../../../test/support/https-server.ts';
import { requestJson } from './request-json.ts';

/** A host that only the proxy finds. */
const HUB = 'https://skills.test/api/v1/whoami';

test('a request to a hub goes through the configured proxy with its body and token', async () => {
  const bodies: string[] = [];
  const server = await serve(async (_path, request) => {
    const parts: Uint8Array[] = [];
    for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
    bodies.push(Buffer.concat(parts).toString());
    return { status: 201, body: '{"ok":true}' };
  });
  const proxy = await startConnectProxy(server.port);
  const environment = { variables: { ...server.env, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } };
  const body = Buffer.from('packed');
  const asked = await requestJson({ url: HUB, environment, method: 'POST', token: 'secret', body });
  expect(asked).toEqual({ ok: true, status: 201, answer: { ok: true } });
  expect(proxy.asked).toEqual(['skills.test:443']);
  expect(bodies).toEqual(['packed']);
  expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-length': '6' });
});

test('a request to this machine bypasses the proxy and uses the configured certificates', async () => {
  const server = await serve(() => ({ body: '[1]' }));
  const proxy = await startConnectProxy(server.port);
  const variables = { ...server.env, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  expect(await requestJson({ url: server.url, environment: { variables }, method: 'GET' })).toEqual({
    ok: true,
    status: 200,
    answer: [1],
  });
  expect(proxy.asked).toEqual([]);
});

test('a request to a hub does not follow redirects, and names a proxy that cannot be used', async () => {
  const server = await serve(() => ({ status: 307, headers: { location: 'https://elsewhere.test/' } }));
  const ask = (url: string, variables: Readonly<Record<string, string>>): ReturnType<typeof requestJson> =>
    requestJson({ url, environment: { variables: { ...server.env, ...variables } }, method: 'GET', token: 'secret' });
  expect(await ask(server.url, {})).toMatchObject({
    ok: false,
    code: 'STORE_FAILED',
    message: `${server.url} cannot be asked: it redirects to another address`,
  });
  expect(await ask(HUB, { HTTPS_PROXY: 'http://me:word@127.0.0.1:9' })).toMatchObject({
    ok: false,
    message: 'https://skills.test cannot be asked through the proxy 127.0.0.1:9: the host does not answer',
    next: { ask: 'user', to: expect.stringContaining('HTTPS_PROXY') as string },
  });
  expect(await ask(HUB, { HTTPS_PROXY: 'socks5://a:1' })).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
});
