import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
import { connectHttp } from '../support/mcp-client.ts';
import { startHttp, startHttpProcess, type HttpServer } from '../support/mcp-process.ts';
import { askRaw } from '../support/raw-http.ts';
import { makeTree, skillText, writeTree } from '../support/tree.ts';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const TOKEN = 'correct-horse-battery-staple';
const SKILL = { '.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }) };

let home: string;
let server: HttpServer;
beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'skillplane-http-')));
  writeTree(home, { ...SKILL, token: `${TOKEN}\n`, short: 'short\n' });
  server = await startHttp(home);
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

describe('a request to MCP over HTTP', () => {
  test.each([
    ['a name of a web page that leads here', { host: 'evil.example' }],
    ['the same with our port', { host: 'evil.example:7411' }],
    ['a name that begins like ours', { host: 'localhost.evil.example' }],
    ['a foreign page', { origin: 'https://evil.example' }],
    ['a page of another server on this machine', { origin: 'http://localhost:6274' }],
    ['a page of this machine at another port', { origin: 'http://127.0.0.1' }],
    ['a page that begins like ours', { origin: 'http://localhost.evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['an origin that is no URL', { origin: 'nonsense' }],
    ['a file', { origin: 'file://' }],
  ])('is answered with 403 for %s', async (_what, headers) => {
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const answer = await askRaw(server.url, { method, headers, ...(method === 'POST' ? { body: INITIALIZE } : {}) });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    }
  });

  test('is answered with 400 for an invalid Host header', async () => {
    const answer = await askRaw(server.url, { headers: { host: 'a:b:c' }, body: INITIALIZE });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
  });

  test.each([{}, { host: 'LOCALHOST:1' }, { host: 'localhost:1', origin: 'http://localhost:1' }])(
    'is answered for this machine, and no page of another server may read the answer: %j',
    async (headers: Record<string, string>) => {
      const answer = await askRaw(server.url, { headers, body: INITIALIZE });
      expect(answer.status).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  test('is answered for names and origins that the user allowed, also in a preflight', async () => {
    const open = await startHttp(home, ['--allow-host', 'Skills.Example', '--allow-origin', 'https://app.example']);
    onTestFinished(async () => void (await open.stop()));
    const headers = { host: 'skills.example:80', origin: 'https://app.example' };
    const allowed = { 'access-control-allow-origin': 'https://app.example' };
    expect(await askRaw(open.url, { headers, body: INITIALIZE })).toMatchObject({ status: 200, headers: allowed });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-session-id' };
    expect(await askRaw(open.url, { method: 'OPTIONS', headers: { ...headers, ...asked } })).toMatchObject({
      status: 204,
      headers: { ...allowed, 'access-control-allow-headers': 'mcp-session-id' },
    });
    for (const origin of ['http://app.example', 'http://localhost:6274'])
      expect((await askRaw(open.url, { headers: { ...headers, origin }, body: INITIALIZE })).status).toBe(403);
  });
});

describe('the token of MCP over HTTP', () => {
  test('is required of every request', async () => {
    const guarded = await startHttp(home, ['--token-file', 'token']);
    onTestFinished(async () => void (await guarded.stop()));
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN]) {
      const answer = await askRaw(guarded.url, { headers: { authorization }, body: INITIALIZE });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      expect(answer.body).not.toContain(TOKEN);
    }
    const client = await connectHttp(guarded.url, { era: 'modern', headers: { authorization: `Bearer ${TOKEN}` } });
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  test.each(['--allow-scripts', '--allow-write', '--allow-toolsets'])(
    'is made and printed if %s is given without one',
    async (option) => {
      const open = await startHttp(home, [option]);
      onTestFinished(async () => void (await open.stop()));
      expect((await askRaw(open.url, { body: INITIALIZE })).status).toBe(401);
      const { headers } = open;
      expect(headers['authorization']).toMatch(/^Bearer [\w-]{43}$/);
      expect((await askRaw(open.url, { headers, body: INITIALIZE })).status).toBe(200);
      await expect.poll(() => open.notes()).toContain('only those that send the token are answered');
    },
  );

  test('decides what the server prints about who can use it', async () => {
    expect(server.headers).toEqual({});
    await expect
      .poll(() => server.notes())
      .toContain(
        'Every program of every user on this machine can use it; other machines cannot. Clients can read skills.',
      );
    const open = await startHttp(home, ['--host', '0.0.0.0', '--token-file', 'token', '--allow-write']);
    onTestFinished(async () => void (await open.stop()));
    await expect
      .poll(() => open.notes())
      .toMatch(/Every machine that can connect to 0\.0\.0\.0 .* can read skills, write skills\./);
    expect(open.notes()).not.toContain(TOKEN);
  });

  test.each(['0.0.0.0', '::', externalAddress()])('is required for an address that others reach (%s)', async (host) => {
    const refused = await skillplane(['mcp', '--http', '--host', host, '--port', '0', '--json'], { home });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      message: expect.stringContaining('requires a token'),
      next: { either: [{ give: 'tokenFile' }, { give: 'host', as: '127.0.0.1' }] },
    });
  });

  test('opens such an address only under names that were allowed', async () => {
    const open = await startHttp(home, ['--host', '0.0.0.0', '--token-file', 'token', '--allow-host', 'box.example']);
    onTestFinished(async () => void (await open.stop()));
    const url = open.url.replace('0.0.0.0', '127.0.0.1');
    const authorization = `Bearer ${TOKEN}`;
    expect((await askRaw(url, { headers: { authorization, host: 'box.example' }, body: INITIALIZE })).status).toBe(200);
    expect((await askRaw(url, { headers: { authorization, host: 'other.example' }, body: INITIALIZE })).status).toBe(
      403,
    );
  });

  test.each(['short', 'missing'])('is refused from a file that is %s', async (file) => {
    const refused = await skillplane(['mcp', '--http', '--port', '0', '--token-file', file], { home });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(file);
  });
});

describe('MCP over HTTP', () => {
  test('answers 413 to a body over 1 MiB, announced or not', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { x: 'a'.repeat(5_000_000) } });
    // On connections of their own: one that the server closes after a refusal must not wait in a pool for another test.
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const status = await askRaw(server.url, { headers, body }).then(
        (answer) => answer.status,
        (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' || error.code === 'ECONNRESET' ? 413 : error.code),
      );
      expect(status).toBe(413);
    }
    expect((await askRaw(server.url, { body: INITIALIZE })).status).toBe(200);
  });

  test('reads a body just below 1 MiB', async () => {
    const padded = `${INITIALIZE.slice(0, -1)},"x":"${'a'.repeat(1024 * 1024 - INITIALIZE.length - 8)}"}`;
    expect(Buffer.byteLength(padded)).toBeLessThanOrEqual(1024 * 1024);
    expect((await askRaw(server.url, { body: padded })).status).not.toBe(413);
  });

  test.each([
    ['no JSON', '{"jsonrpc":'],
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '1'],
    ['an empty list', '[]'],
    ['no request', '{}'],
    ['bytes that are no text', Buffer.of(0xff, 0xfe, 0)],
    ['lists in lists', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
    ['objects in objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    [
      'arguments nested deeply',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"load_skill","arguments":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`,
    ],
  ])('answers %s with a JSON-RPC error, without stack or paths', async (_what, body) => {
    for (const version of ['2026-07-28', '2025-11-25']) {
      const answer = await askRaw(server.url, { headers: { 'mcp-protocol-version': version }, body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
      expect(answer.body).not.toMatch(/\bat .*:\d+|node_modules|\/tmp|\/home/);
    }
  });

  test('answers 404 outside /mcp, and 415 to a body that is not JSON', async () => {
    for (const path of ['/', '/mcp/', '/mcp/../etc/passwd', '/MCP', '/.well-known/oauth-protected-resource'])
      expect((await askRaw(new URL(path, server.url).href, { body: INITIALIZE })).status).toBe(404);
    const plain = await askRaw(server.url, { headers: { 'content-type': 'text/plain' }, body: INITIALIZE });
    expect(plain.status).toBe(415);
    expect((await askRaw(server.url, { method: 'PUT', body: INITIALIZE })).status).toBe(405);
  });

  test('keeps nothing of a client: no session begins, and one of an earlier server is served', async () => {
    const begun = await askRaw(server.url, { body: INITIALIZE });
    expect(begun.headers['mcp-session-id']).toBeUndefined();
    expect(begun.body).not.toContain('"listChanged":true');
    const headers = { 'mcp-session-id': '00000000-0000-0000-0000-000000000000' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const listed = await askRaw(server.url, { headers, body });
    expect([listed.status, listed.body.includes('load_skill')]).toEqual([200, true]);
    for (const method of ['GET', 'DELETE']) expect((await askRaw(server.url, { method, headers })).status).toBe(405);
  });

  test('lets at most 64 clients listen for changes', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectHttp(server.url, { era: 'modern' })));
    for (const client of clients) onTestFinished(() => client.close());
    const listen = (at: number): Promise<string> =>
      (clients[at % 8] as Client).listen({ toolsListChanged: true }).then(
        () => 'listening',
        (error: unknown) => String(error),
      );
    const heard = await Promise.all(Array.from({ length: 66 }, (_, at) => listen(at)));
    expect(heard.filter((answer) => answer === 'listening')).toHaveLength(64);
    expect(heard.filter((answer) => answer.includes('limit'))).toHaveLength(2);
  });
});

test('SIGTERM lets a script of MCP over HTTP finish and its answer go out, then the server ends', async () => {
  const slow = makeTree({
    '.agent/config.yaml': 'skills:\n  sandbox: off\n',
    '.agent/skills/slow/SKILL.md': skillText({ name: 'slow', description: 'Takes its time.' }),
    '.agent/skills/slow/scripts/wait.sh': '#!/bin/sh\ntouch "$1"\nsleep 1\necho finished\n',
  });
  const ending = await startHttpProcess(slow, ['--allow-scripts']);
  const { url, headers } = ending;
  const clients = [
    await connectHttp(url, { era: 'modern', headers }),
    await connectHttp(url, { era: 'legacy', headers }),
  ];
  for (const client of clients) onTestFinished(() => client.close());
  const calls = clients.map((client, at) =>
    client.callTool({
      name: 'run_skill_script',
      arguments: { name: 'slow', script: 'wait.sh', args: [join(slow, `mark-${at}`)] },
    }),
  );
  while (!(existsSync(join(slow, 'mark-0')) && existsSync(join(slow, 'mark-1')))) await sleep(10);
  const exited = once(ending.child, 'exit');
  ending.child.kill('SIGTERM');
  for (const call of calls) expect(JSON.stringify(await call)).toContain('finished');
  await exited;
  expect(ending.child.exitCode).toBe(0);
});

test('the HTTP server of MCP says so if its port is taken', async () => {
  const { port } = new URL(server.url);
  const second = await skillplane(['mcp', '--http', '--port', port, '--json'], { home });
  expect(second.code).toBe(1);
  expect(JSON.parse(second.stdout)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
});

test.each([
  ['--port', 'x'],
  ['--port', '70000'],
  ['--budget', '-1'],
])('mcp --http with %s %s is wrong usage', async (flag, value) => {
  expect((await skillplane(['mcp', '--http', `${flag}=${value}`], { home })).code).toBe(2);
});

test.each([['--port', '1'], ['--host', 'x'], ['--token-file', 'token'], ['--write']])(
  'mcp with %s and without the option that it belongs to is wrong usage',
  async (...args) => {
    expect((await skillplane(['mcp', ...args], { home })).code).toBe(2);
  },
);

/** An address of this machine that is not loopback, or any address if it has none. */
function externalAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '192.0.2.1';
}
