import { expect, test } from 'vitest';

import { isLoopback, LOOPBACK_HOSTS, openGuard, type Guard, type GuardOptions } from './guard.ts';

const OPEN = { hosts: LOOPBACK_HOSTS, origins: [], token: undefined };

function open(options: GuardOptions = OPEN): Guard {
  return openGuard(options, (status, message) => new Response(message, { status }));
}

function ask(headers: Readonly<Record<string, string>>, method = 'POST'): Request {
  return new Request('http://localhost/mcp', { method, headers: { host: 'localhost', ...headers } });
}

test.each(['localhost', 'localhost:7411', '127.0.0.1:1', '[::1]:7411'])(
  'a local server accepts the Host header %s',
  (host) => {
    expect(open()(ask({ host }))).toBeUndefined();
  },
);

test.each(['example.com', '127.0.0.1.example.com', 'localhost@evil.example', '0.0.0.0', '127.0.0.2', '', ' ', 'a b'])(
  'a local server refuses the Host header "%s"',
  (host) => {
    expect(open()(ask({ host }))?.status).toBe(403);
  },
);

test.each([
  'null',
  'https://example.com',
  'http://localhost.example.com',
  'file:///etc/passwd',
  'chrome-extension://localhost',
  'http://localhost:6274',
  'http://127.0.0.1',
  'http://',
])('a local server refuses the Origin header %s', (origin) => {
  expect(open()(ask({ origin }))?.status).toBe(403);
});

test('a local server accepts its own origin, and an allowed host with any port', () => {
  expect(open()(ask({ host: 'localhost:1', origin: 'http://localhost:1' }))).toBeUndefined();
  const guard = open({ ...OPEN, origins: ['app.example'] });
  expect(guard(ask({ origin: 'https://app.example:8443' }))).toBeUndefined();
  expect(guard(ask({ origin: 'ftp://app.example' }))?.status).toBe(403);
});

test('an allowed origin is compared with its scheme and port', () => {
  const guard = open({ ...OPEN, origins: ['https://app.example:8443'] });
  expect(guard(ask({ origin: 'https://app.example:8443' }))).toBeUndefined();
  expect(guard(ask({ origin: 'https://app.example' }))?.status).toBe(403);
  expect(guard(ask({ origin: 'http://app.example:8443' }))?.status).toBe(403);
});

test('a server with a token requires it for every request except a CORS preflight', () => {
  const guard = open({ ...OPEN, token: 'secret-secret-secret' });
  expect(guard(ask({}))?.status).toBe(401);
  expect(guard(ask({ authorization: 'Bearer secret-secret-secreT' }))?.status).toBe(401);
  expect(guard(ask({ authorization: 'Bearer secret-secret-secret-and-more' }))?.status).toBe(401);
  expect(guard(ask({ authorization: 'bearer  secret-secret-secret' }))).toBeUndefined();
  const preflight = { 'access-control-request-method': 'POST', origin: 'http://localhost' };
  expect(guard(ask(preflight, 'OPTIONS'))).toBeUndefined();
  expect(guard(ask({}, 'OPTIONS'))?.status).toBe(401);
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.0.1', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
  ['', false],
])('the host "%s" is recognized as loopback or not: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
