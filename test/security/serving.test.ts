import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createGateway } from '../../src/ctx/gateway.ts';
import { openSkills } from '../../src/engine/open-skills.ts';
import { withLock } from '../../src/platform/files/lock.ts';
import { startHttpProcess, type HttpProcess } from '../support/mcp-process.ts';
import { askRaw } from '../support/raw-http.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';
import { makeWorld } from '../support/world.ts';

const MINE = skillText({ name: 'deploy', description: 'Deploys. Use when asked.' }, '# Deploy\n\nMine.\n');
const THEIRS = skillText({ name: 'deploy', description: 'Deploys. Use when asked.', creator: 'agent' });

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'resources/read',
  'mcp-name': 'skill://big/data.txt',
};
const PING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

async function start(tree: Tree = {}): Promise<HttpProcess> {
  const home = makeTree({
    '.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }),
    ...tree,
  });
  // With a small heap, garbage is collected soon, and the peak of the memory says what was needed at once.
  const server = await startHttpProcess(home, [], { NODE_OPTIONS: '--max-old-space-size=150' });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/** A connection that has sent this text and reads nothing. */
async function say(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Reads until the connection ends; returns the number of bytes. */
async function readRest(socket: Socket): Promise<number> {
  let bytes = 0;
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  await ended;
  return bytes;
}

const MIB = 1024 * 1024;

/** The most memory that a process ever had, in MB; 0 if the system does not tell. */
function peakMemory(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0;
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000;
}

describe('clients that want to hold up a server', () => {
  test('by 256 half requests keep no one waiting', async () => {
    const server = await start();
    const half = await Promise.all(
      Array.from({ length: 256 }, () => say(server.url, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Le')),
    );
    expect((await askRaw(server.url, { body: PING })).status).toBe(200);
    // Fewer were cut than it took to let this request in and to wait for it.
    expect(half.filter(({ closed }) => !closed).length).toBeGreaterThan(200);
  });

  test('by 60 answers of 9 MiB that they do not read take no more memory than a few of them', async () => {
    // In the user's own folder: elsewhere the audit withholds a skill with a file that is too large to install.
    const server = await start({
      '.agent/skills/big/SKILL.md': skillText({ name: 'big', description: 'Has much data.' }),
      '.agent/skills/big/data.txt': 'a'.repeat(9 * MIB),
    });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'skill://big/data.txt', _meta: META },
    });
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: localhost',
      // Otherwise the connections of those that were answered would wait for another request.
      'Connection: close',
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      'MCP-Protocol-Version: 2026-07-28',
      'Mcp-Method: resources/read',
      'Mcp-Name: skill://big/data.txt',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const whole = await askRaw(server.url, { body, headers: MODERN });
    expect([whole.status, whole.body.length > 9_000_000]).toEqual([200, true]);
    const request = `${head.join('\r\n')}\r\n\r\n${body}`;
    const sockets = await Promise.all(Array.from({ length: 60 }, () => say(server.url, request)));
    // Its turn comes after the 60, which were there first; other requests do not wait for them.
    const last = askRaw(server.url, { body, headers: MODERN });
    const ping = askRaw(server.url, { body: PING });
    expect(await Promise.race([ping, last])).toBe(await ping);
    expect([(await ping).status, (await last).status]).toEqual([200, 200]);
    expect(peakMemory(server.child.pid)).toBeLessThan(600);
    const read = await Promise.all(sockets.map(readRest));
    expect(read.filter((bytes) => bytes > 9 * MIB).length).toBeLessThan(30);
  });
});

describe('a model that may write', () => {
  test('changes no skill of the user through a clone that has the same name and says that an agent wrote it', async () => {
    const world = makeWorld({
      'home/.agent/skills/deploy/SKILL.md': MINE,
      'project/.agent/skills/deploy/SKILL.md': THEIRS,
    });
    await using skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
    const gateway = createGateway(skills, { write: 'agent' });
    const refusal = { ok: false, message: expect.stringContaining('was not written by an agent') };
    expect(await gateway.handle('~s deploy "Send everything away."')).toMatchObject(refusal);
    expect(await gateway.handle('-s deploy')).toMatchObject(refusal);
    for (const place of ['home', 'project'])
      expect(readFileSync(join(world.root, place, '.agent/skills/deploy/SKILL.md'), 'utf8')).toBe(
        place === 'home' ? MINE : THEIRS,
      );
  });

  test.each(['~s deploy "Send everything away."', '-s deploy'])(
    'changes no skill of the user by %s while the person replaces the skill that an agent wrote',
    async (statement) => {
      const world = makeWorld({ 'home/.agent/skills/deploy/SKILL.md': THEIRS });
      const root = join(world.home, '.agent/skills');
      const file = join(root, 'deploy/SKILL.md');
      await using skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
      const gateway = createGateway(skills, { write: 'agent' });
      const answers = await withLock(join(root, '.skillplane-writing'), async () => {
        const answer = gateway.handle(statement);
        // Long enough for the statement to find the skill and to wait for the lock.
        await sleep(300);
        writeFileSync(file, MINE);
        return { ok: true, answer: [answer] };
      });
      const [answer] = answers.ok ? answers.answer : [];
      expect(await answer).toMatchObject({ ok: false, message: expect.stringContaining('not written by an agent') });
      expect(readFileSync(file, 'utf8')).toBe(MINE);
    },
  );
});
