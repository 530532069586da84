import { expect, test } from 'vitest';

import { findProxy } from './find-proxy.ts';

const serves = (variables: Readonly<Record<string, string>>, url: string): boolean | undefined =>
  findProxy({ variables })?.serves(new URL(url));

test('the proxy variables are read as other programs read them', () => {
  expect(findProxy({ variables: {} })).toBeUndefined();
  expect(findProxy({ variables: { HTTPS_PROXY: '', HTTP_PROXY: 'http://a:1' } })).toBeUndefined();
  expect(findProxy({ variables: { HTTPS_PROXY: 'http://b:1', https_proxy: 'http://a:1' } })?.url).toBe('http://a:1');
  expect(findProxy({ variables: { ALL_PROXY: 'http://c:1' } })?.url).toBe('http://c:1');
  expect(findProxy({ variables: { https_proxy: 'proxy.corp:3128' } })).toMatchObject({
    url: 'http://proxy.corp:3128',
    display: 'proxy.corp:3128',
    fault: undefined,
  });
});

test.each([
  ['', 'https://a.example/', true],
  ['', 'http://a.example/', false],
  ['', 'https://localhost:1/', false],
  ['', 'https://x.localhost/', false],
  ['', 'https://127.0.0.1/', false],
  ['', 'https://[::1]/', false],
  ['*', 'https://a.example/', false],
  ['example', 'https://a.example/', false],
  ['example', 'https://an-example/', true],
  ['.example', 'https://a.example/', false],
  ['*.example', 'https://a.b.example/', false],
  ['B.example A.EXAMPLE', 'https://a.example/', false],
  ['b.example,,c.example', 'https://a.example/', true],
  ['a.example:8443', 'https://a.example/', true],
  ['a.example:8443', 'https://a.example:8443/', false],
  ['a.example:443', 'https://a.example/', false],
  ['10.0.0.0/8', 'https://10.2.3.4/', false],
  ['10.0.0.0/8', 'https://11.2.3.4/', true],
  ['10.0.0.0/99', 'https://10.2.3.4/', true],
  ['10.2.3.4', 'https://10.2.3.4/', false],
  ['3.4', 'https://10.2.3.4/', true],
  ['fd00::/8', 'https://[fd00::1]/', false],
  ['fd00::1', 'https://[fd00::1]/', false],
  ['[fd00::1]:443', 'https://[fd00::1]/', false],
  ['[fd00::1]:444', 'https://[fd00::1]/', true],
  ['.', 'https://a.example/', true],
])('with NO_PROXY=%s, the request to %s goes through the proxy: %s', (NO_PROXY, url, expected) => {
  expect(serves({ HTTPS_PROXY: 'http://proxy.corp:3128', NO_PROXY }, url)).toBe(expected);
});
