import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { findObstacle, makeBench, ran, type Containment } from '../../../test/support/sandboxes.ts';

const node = { path: process.execPath, toolPaths: [dirname(dirname(process.execPath))] };

/** A server on this machine that answers every request; gives its port. */
async function serve(): Promise<number> {
  const server = createServer((request, response) => response.end(`${request.headers.host} ${request.url}\n`));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // It listens on a port, so that its address is no path.
  return (server.address() as AddressInfo).port;
}

/** Asks each address through the proxy of the environment: as a plain request, and by a tunnel. */
const ASK = `
import { request } from 'node:http';
const proxy = new URL(process.env.http_proxy);
const at = { host: proxy.hostname, port: proxy.port };
const ask = (options) => new Promise((resolve) => {
  const asked = request({ ...at, ...options }, async (answer) => {
    let text = '';
    for await (const piece of answer) text += piece;
    resolve(answer.statusCode + ' ' + text.trim());
  });
  asked.on('connect', (answer, socket) => {
    if (answer.statusCode !== 200) return resolve(answer.statusCode + ' tunnel');
    socket.write('GET /tunnel HTTP/1.0\\r\\nHost: x\\r\\n\\r\\n');
    let text = '';
    socket.on('data', (piece) => (text += piece)).on('end', () => resolve(text.split('\\n').at(-2)));
  });
  asked.on('error', (error) => resolve(error.code));
  asked.end();
});
for (const address of process.argv.slice(2)) {
  console.log(await ask({ path: 'http://' + address + '/plain' }));
  console.log(await ask({ method: 'CONNECT', path: address }));
}
process.exit();
`;

for (const containment of ['bwrap', 'namespaces'] as const) {
  const obstacle = await findObstacle(containment);
  const because = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

  describe.skipIf(obstacle !== undefined)(`a script with ${containment} that may reach some hosts${because}`, () => {
    test('reaches a server of this machine as programs do, if it is named, and else only its own', async () => {
      const port = await serve();
      const { run } = makeBench(containment);
      const code = `curl -sS "http://localhost:${port}/a" || exit 7`;
      const network = (host: string): object => ({ network: { hosts: [host], privateHosts: [], node } });
      expect(ran(await run('a.sh', code, network(`localhost:${port}`))).stdout).toBe(`localhost:${port} /a\n`);
      expect(ran(await run('b.sh', code, network('example.org')))).toMatchObject({ exitCode: 7, warnings: [] });
    });

    test('reaches the named hosts and no others, and the result names the others', async () => {
      const port = await serve();
      const { run } = makeBench(containment);
      const network = { hosts: [`localhost:${port}`], privateHosts: [], node };
      const args = [`localhost:${port}`, `127.0.0.1:${port}`, 'example.org:80'];
      const outcome = ran(await run('ask.mjs', ASK, { network, args }));
      expect(outcome.stdout.split('\n')).toEqual([
        `200 localhost:${port} /plain`,
        'x /tunnel',
        '403 The script may not use this host.',
        '403 tunnel',
        '403 The script may not use this host.',
        '403 tunnel',
        '',
      ]);
      expect(outcome.warnings).toEqual(
        ['127.0.0.1', 'example.org'].map((host) => `Connection to ${host} refused: the script may not use this host.`),
      );
      expect(outcome).toMatchObject({ ok: true, promises: { networkClosed: true } });
      expect(outcome.visible.filter((path) => path.includes('gate'))).toEqual([]);
    });

    test('has no other way out, and no host may lead into the network of the user', async () => {
      const port = await serve();
      const { run } = makeBench(containment);
      const network = { hosts: ['*.localhost'], privateHosts: [], node };
      const code = `exec 5<>/dev/tcp/127.0.0.1/${port} && echo reached; true`;
      expect(await run('direct.sh', code, { network })).toMatchObject({ ok: true, stdout: '' });
      const named = ran(await run('ask.mjs', ASK, { network, args: [`inner.localhost:${port}`] }));
      expect(named.stdout).toBe('502 \n502 tunnel\n');
    });

    test('ends as its command ends', async () => {
      const { run } = makeBench(containment);
      const network = { hosts: ['example.org'], privateHosts: [], node };
      expect(await run('exit.sh', 'echo out; exit 7', { network })).toMatchObject({ exitCode: 7, stdout: 'out\n' });
      expect(await run('kill.sh', 'kill -SEGV $$', { network })).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
      expect(await run('cat.sh', 'cat', { network, input: 'in' })).toMatchObject({ ok: true, stdout: 'in' });
    });
  });
}

test.each(['limits', 'none'] satisfies Containment[])(
  'a script that may reach some hosts is not started with the isolation %s, which could not enforce it',
  async (containment) => {
    const { run } = makeBench(containment);
    const network = { hosts: ['example.org'], privateHosts: [], node };
    const outcome = await run('a.sh', 'echo ran', { network });
    expect(outcome).toMatchObject({ ok: false, code: 'SANDBOX_UNAVAILABLE' });
    expect(outcome).not.toHaveProperty('stdout');
  },
);

test.each(['', 'http://example.org', 'a b', '*', '-x', 'example.org:'])(
  'a host is refused if it is no host: %j',
  async (host) => {
    const { run } = makeBench('bwrap');
    const outcome = await run('a.sh', 'echo ran', { network: { hosts: [host], privateHosts: [], node } });
    expect(outcome).toMatchObject({ ok: false, code: expect.stringMatching(/^SCRIPT_FAILED$|^SANDBOX_UNAVAILABLE$/) });
  },
);
