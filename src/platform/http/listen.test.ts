import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { listenHttp, type HttpListener, type ListenOptions } from './listen.ts';

const KIB = 1024;
const LARGE = new Uint8Array(8 * 1024 * KIB);

interface Asked {
  answered: number;
}

/** Serves until the test ends. */
async function listen(options: Partial<ListenOptions> = {}): Promise<{ port: number; asked: Asked }> {
  const { listener, asked } = await open(options);
  onTestFinished(() => listener.close(async () => undefined));
  return { port: listener.port, asked };
}

async function open(options: Partial<ListenOptions> = {}): Promise<{ listener: HttpListener; asked: Asked }> {
  const asked = { answered: 0 };
  const answer = async (request: Request): Promise<Response> => {
    if (request.method === 'POST') await request.arrayBuffer();
    asked.answered += 1;
    const { pathname } = new URL(request.url);
    if (pathname === '/late') await sleep(600);
    return pathname === '/large' ? new Response(LARGE) : new Response('small');
  };
  const started = await listenHttp(answer, {
    port: 0,
    host: '127.0.0.1',
    refuse: (status, message) => new Response(message, { status }),
    onError: () => undefined,
    ...options,
  });
  if (!started.ok) throw new Error(started.message);
  return { listener: started.listener, asked };
}

/** A connection that has sent this text and reads nothing. */
async function say(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Reads to the end; false if the server cut the connection. */
async function isWhole(socket: Socket, expected: number): Promise<boolean> {
  let bytes = 0;
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  socket.resume();
  await ended;
  return bytes >= expected;
}

const ask = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/`)).text();
const HALF = 'GET / HTTP/1.1\r\nHost: localhost\r\n';
const GET_LARGE = 'GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

test('the HTTP listener sends a complete answer unchanged, also without a body and to a HEAD request', async () => {
  const answer = async (request: Request): Promise<Response> => {
    const headers = { 'content-type': 'text/plain', etag: '"1"' };
    const isKnown = request.headers.get('if-none-match') === '"1"';
    return isKnown ? new Response(null, { status: 304, headers }) : new Response('grüße', { headers });
  };
  const started = await listenHttp(answer, {
    port: 0,
    host: '127.0.0.1',
    refuse: (status, message) => new Response(message, { status }),
    onError: () => undefined,
  });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.listener.close(async () => undefined));
  const url = `http://127.0.0.1:${started.listener.port}/`;
  const first = await fetch(url);
  expect([first.status, first.headers.get('content-length'), await first.text()]).toEqual([200, '7', 'grüße']);
  const again = await fetch(url, { headers: { 'if-none-match': '"1"' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '7', '']);
});

test('a listener that closes waits for answers that are still being made, and for nothing else', async () => {
  const longMs = 600_000;
  const patience = { headersTimeoutMs: longMs, requestTimeoutMs: longMs, stallMs: longMs };
  const { listener, asked } = await open({ flushMs: longMs, ...patience });
  const half = await say(listener.port, HALF);
  const late = await say(listener.port, 'GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => asked.answered).toBe(1);
  const closed = listener.close(async () => undefined);
  expect(await isWhole(late, 'HTTP/1.1 200 OK'.length)).toBe(true);
  expect(await isWhole(half, 1)).toBe(false);
  await closed;
});

describe('HTTP clients that send slowly', () => {
  test('do not lock others out', async () => {
    const { port } = await listen({ maxConnections: 8 });
    const half = [];
    for (let count = 0; count < 8; count += 1) half.push(await say(port, HALF));
    expect(await ask(port)).toBe('small');
    expect(half.filter(({ closed }) => closed).length).toBeLessThan(8);
  });

  test('keep their connection while they are being answered', async () => {
    const { port, asked } = await listen({ maxConnections: 2, stallMs: 60_000 });
    const reading = [await say(port, GET_LARGE), await say(port, GET_LARGE)];
    await expect.poll(() => asked.answered).toBe(2);
    await expect(ask(port)).rejects.toThrow('fetch failed');
    for (const socket of reading) expect(await isWhole(socket, LARGE.length)).toBe(true);
  });

  test.each([
    ['a head', HALF],
    ['a body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'],
    ['the first byte', ''],
  ])('are disconnected if %s takes too long', async (_what, text) => {
    const { port } = await listen({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const socket = await say(port, text);
    socket.resume();
    await once(socket, 'close');
    expect(await ask(port)).toBe('small');
  });

  test('are disconnected, the largest first, if unfinished requests are too large together', async () => {
    const { port } = await listen({ maxReceivingBytes: 512 * KIB });
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n';
    const small = await say(port, `${head}abc`);
    const large = await say(port, `${head}${'a'.repeat(1024 * KIB)}`);
    large.resume();
    await once(large, 'close');
    expect(small.closed).toBe(false);
  });
});

describe('HTTP clients that read slowly', () => {
  test('are disconnected if they read nothing for a while', async () => {
    const { port } = await listen({ stallMs: 100 });
    const stalled = await say(port, GET_LARGE);
    // Without reading, only writing notices that a connection was cut.
    await expect.poll(() => (stalled.closed ? 'cut' : stalled.write(' '))).toBe('cut');
  });

  test('stay connected while they wait for an answer that takes longer', async () => {
    const { port } = await listen({ stallMs: 100 });
    expect(await (await fetch(`http://127.0.0.1:${port}/late`)).text()).toBe('small');
  });

  test('stay connected while they read', async () => {
    const { port } = await listen({ stallMs: 1_000 });
    const socket = await say(port, GET_LARGE);
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    socket.resume();
    await once(socket, 'close');
    expect(bytes).toBeGreaterThan(LARGE.length);
  });

  test('are disconnected, the slowest first, if unread answers are too large together', async () => {
    const { port, asked } = await listen({ maxUnsentBytes: 2.5 * LARGE.length });
    const sockets = [];
    for (let count = 0; count < 6; count += 1) {
      sockets.push(await say(port, GET_LARGE));
      await expect.poll(() => asked.answered).toBe(count + 1);
    }
    const whole = await Promise.all(sockets.map((socket) => isWhole(socket, LARGE.length)));
    expect(whole.slice(0, 3)).toEqual([false, false, false]);
    expect(whole.at(-1)).toBe(true);
  });

  test('are disconnected if they send request after request without reading', async () => {
    const { port } = await listen({ maxUnsentBytes: 2.5 * LARGE.length });
    const socket = await say(port, 'GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(10));
    expect(await isWhole(socket, 10 * LARGE.length)).toBe(false);
  });
});
