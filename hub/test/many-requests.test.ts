import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { archiveOf } from './support/hubs.ts';
import { createDatabase, NO_POSTGRES } from './support/postgres.ts';
import { startHub, type HubProcess } from './support/processes.ts';

const server = process.env['TEST_POSTGRES'];
/** `npm run test:faults` does more. */
const REQUESTS = Number(process.env['FAULT_REQUESTS'] ?? propertyRuns(3_000, 1_500));
/** A hub needs 35 MB. Five kilobytes that each request left behind would end the process. */
const MEMORY_MB = 35 + Math.ceil(REQUESTS / 200);
const CLIENTS = 64;
const SESSIONS = Math.ceil(REQUESTS / 250);
const PUBLISHES = Math.ceil(REQUESTS / 150);
const SIGN_INS = Math.ceil(REQUESTS / 100);

/** How many files and sockets a process has open. */
function countOpen({ child: { pid } }: HubProcess): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Asks over a connection of the agent; returns the status. */
function ask(agent: Agent, url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asking.on('error', reject);
    asking.end();
  });
}

async function askMany(hub: HubProcess, token: string): Promise<ReadonlySet<number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const paths = ['/api/v1/search?q=pdf', '/api/v1/skills/team/pdf', '/api/v1/skills/team/pdf/versions/1.0.0/archive'];
  const seen = new Set<number>();
  let next = 0;
  const askOn = async (): Promise<void> => {
    for (let at = next++; at < REQUESTS; at = next++)
      seen.add(await ask(agent, `${hub.url}${paths[at % paths.length]}`, token));
  };
  await Promise.all(Array.from({ length: CLIENTS }, askOn));
  agent.destroy();
  return seen;
}

/** Clients of MCP that come, load a skill and leave; some without saying so. */
async function loadMany(hub: HubProcess, token: string): Promise<void> {
  for (let at = 0; at < SESSIONS; at += 1) {
    const client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { requestInit: { headers } }));
    const { content } = await client.callTool({ name: 'load_skill', arguments: { name: '@team/pdf' } });
    expect(content).toHaveLength(1);
    if (at % 2 === 0) await client.close();
  }
}

/** New versions of one skill: the library follows each of them. */
async function publishMany({ url }: HubProcess, headers: Readonly<Record<string, string>>): Promise<void> {
  for (let at = 1; at <= PUBLISHES; at += 1) {
    const body = new Uint8Array(archiveOf('pdf', { body: `Version ${at}.` }));
    const path = `/api/v1/skills/team/pdf/versions?version=1.0.${at}`;
    const published = await fetch(`${url}${path}`, { method: 'POST', headers, body });
    expect([published.status, await published.json()]).toMatchObject([200, { state: 'published' }]);
  }
}

/** Browsers that sign in and look; half of them sign out. */
async function signInMany({ url }: HubProcess, token: string): Promise<void> {
  for (let at = 0; at < SIGN_INS; at += 1) {
    const signedIn = await fetch(`${url}/api/v1/session`, { method: 'POST', body: JSON.stringify({ token }) });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    await signedIn.arrayBuffer();
    const seen = await fetch(`${url}/api/v1/session`, { headers: { cookie } });
    expect(await seen.json()).toMatchObject({ person: 'admin' });
    if (at % 2 !== 0) continue;
    const signedOut = await fetch(`${url}/api/v1/session`, { method: 'DELETE' });
    await signedOut.arrayBuffer();
  }
}

test(`a hub answers ${REQUESTS} requests, follows ${PUBLISHES} publishes, and keeps no connection and no memory of them`, async ({
  skip,
}) => {
  skip(server === undefined, NO_POSTGRES);
  const hub = await startHub([], {
    DATABASE_URL: createDatabase(server ?? ''),
    NODE_OPTIONS: `--max-old-space-size=${MEMORY_MB}`,
  });
  const { url, token } = hub;
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${url}/api/v1/scopes/team`, { method: 'PUT', headers, body: '{"policy":"open"}' });
  const body = new Uint8Array(archiveOf('pdf'));
  await fetch(`${url}/api/v1/skills/team/pdf/versions?version=1.0.0`, { method: 'POST', headers, body });
  expect(await askMany(hub, token)).toEqual(new Set([200]));
  const open = countOpen(hub);
  await loadMany(hub, token);
  await publishMany(hub, headers);
  await signInMany(hub, token);
  // Connections of clients that left may take a moment to go; those of the database stay within the pool.
  await expect.poll(() => countOpen(hub), { timeout: 60_000 }).toBeLessThanOrEqual(open);
  expect(await hub.stop()).toBe(0);
});
