import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { generateSkills } from './generate.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 15;
const SKILLS = 1_000;
const REQUESTS = 2_000;
const MANY = 10_000;
const IN_FLIGHT = 8;
const BIN = resolve('bin/skillplane.mjs');
const BARE = resolve('bench/mcp-bare.mjs');

/** From the start of the process to the first answer to `tools/list`, against a server of the SDK with one tool. */
export async function measureMcpStart(): Promise<Section> {
  const rows = [];
  for (const count of [100, 1_000]) rows.push(await withScratch((home) => measureStart(home, count)));
  return {
    title: 'MCP: start to the first answered `tools/list`',
    note: `Median of ${ROUNDS} interleaved rounds over stdio: spawning, handshake and list in one. The other server is the SDK's, with one tool and no skills.`,
    columns: ['skills', 'skillplane mcp', 'bare server', 'ratio'],
    rows,
  };
}

async function measureStart(home: string, count: number): Promise<readonly string[]> {
  generateSkills(join(home, '.agents', 'skills'), count);
  const ours: number[] = [];
  const bare: number[] = [];
  await timeStart([BIN, 'mcp'], home);
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await timeStart([BARE], home));
    ours.push(await timeStart([BIN, 'mcp'], home));
  }
  return [String(count), ms(median(ours)), ms(median(bare)), ratio(median(ours), median(bare))];
}

async function timeStart(args: readonly string[], home: string): Promise<number> {
  const start = performance.now();
  const connection = openStdio(args, home);
  await connection.ask('initialize', INITIALIZE);
  await connection.ask('tools/list', {});
  const time = performance.now() - start;
  await connection.close();
  return time;
}

/** How many questions a second are answered, and how long one takes, with many skills. */
export async function measureMcpRequests(): Promise<Section> {
  const rows = await overBoth(async (transport, connection) => {
    const table: string[][] = [];
    for (const [name, makeArguments] of Object.entries(QUESTIONS)) {
      await ask(connection, { name, makeArguments, count: 200 });
      const { perSecond, p50, p95 } = await ask(connection, { name, makeArguments, count: REQUESTS });
      table.push([transport, name, perSecond.toFixed(0), ms(p50), ms(p95)]);
    }
    return table;
  });
  return {
    title: `MCP: requests with ${SKILLS} skills`,
    note: `${REQUESTS} requests, ${IN_FLIGHT} at a time, from one client that only parses the answers. HTTP is the 2026-07-28 protocol, which makes a server for each request.`,
    columns: ['transport', 'tool', 'requests a second', 'p50', 'p95'],
    rows,
  };
}

/** Memory that a server keeps after requests are done. */
export async function measureMcpMemory(): Promise<Section> {
  const { load_skill: load, search_skills: search } = QUESTIONS;
  const rows = await overBoth(async (transport, connection) => {
    await ask(connection, { name: 'load_skill', makeArguments: load, count: 100 });
    const before = connection.memory();
    await ask(connection, { name: 'load_skill', makeArguments: load, count: MANY / 2 });
    await ask(connection, { name: 'search_skills', makeArguments: search, count: MANY / 2 - 100 });
    const after = connection.memory();
    await ask(connection, { name: 'load_skill', makeArguments: load, count: MANY });
    const later = connection.memory();
    const figures = [before, after, later].map((memory) => `${memory.toFixed(0)} MiB`);
    return [[transport, ...figures, ratio(after, before), ratio(later, after)]];
  });
  return {
    title: 'MCP: memory of a server that runs on',
    note: `Resident memory with ${SKILLS} skills. The growth is the room that V8 takes before it collects: with --max-old-space-size=80 a server stays at 141 MiB for 48,000 requests.`,
    columns: [
      'transport',
      'after 100 requests',
      `after ${MANY}`,
      `after ${2 * MANY}`,
      'ratio',
      'ratio of the last two',
    ],
    rows,
  };
}

/** The rows that a measurement gives over each transport, with many skills. */
function overBoth(
  measure: (transport: string, connection: Connection) => Promise<readonly (readonly string[])[]>,
): Promise<readonly (readonly string[])[]> {
  return withScratch(async (home) => {
    generateSkills(join(home, '.agents', 'skills'), SKILLS);
    const rows: (readonly string[])[] = [];
    for (const [transport, open] of Object.entries({ stdio: openStdioServer, HTTP: openHttpServer })) {
      const connection = await open(home);
      rows.push(...(await measure(transport, connection)));
      await connection.close();
    }
    return rows;
  });
}

interface Connection {
  ask(method: string, params: object): Promise<unknown>;
  /** Resident, in MiB. */
  memory(): number;
  close(): Promise<void>;
}

type MakeArguments = (at: number) => object;

const WORDS = ['invoices', 'deployments', 'databases', 'charts', 'translations', 'tests', 'reviews', 'releases'];
const QUESTIONS: Readonly<Record<'search_skills' | 'load_skill', MakeArguments>> = {
  search_skills: (at) => ({ query: `please prepare the ${WORDS[at % WORDS.length]} of kind ${at % SKILLS}` }),
  load_skill: (at) => ({ name: `skill-${at % SKILLS}` }),
};

interface Load {
  readonly name: string;
  readonly makeArguments: MakeArguments;
  readonly count: number;
}

async function ask(connection: Connection, { name, makeArguments, count }: Load): Promise<Figures> {
  const times: number[] = [];
  let next = 0;
  const start = performance.now();
  const work = async (): Promise<void> => {
    while (next < count) {
      const at = next;
      next += 1;
      const begun = performance.now();
      await connection.ask('tools/call', { name, arguments: makeArguments(at) });
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const seconds = (performance.now() - start) / 1_000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { perSecond: count / seconds, p50: at(0.5), p95: at(0.95) };
}

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
}

const CLIENT = { name: 'bench', version: '1' };
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };

async function openStdioServer(home: string): Promise<Connection> {
  const connection = openStdio([BIN, 'mcp'], home);
  await connection.ask('initialize', INITIALIZE);
  return connection;
}

function openStdio(args: readonly string[], home: string): Connection {
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: environmentOf(home),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (answer: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as { readonly id?: number };
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let id = 0;
  return {
    ask(method, params) {
      id += 1;
      const { promise, resolve: settle } = Promise.withResolvers<unknown>();
      waiting.set(id, settle);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return promise;
    },
    memory: () => memoryOf(child),
    async close() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}

async function openHttpServer(home: string): Promise<Connection> {
  const child = spawn(process.execPath, [BIN, 'mcp', '--http', '--port', '0'], {
    cwd: home,
    env: environmentOf(home),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  let id = 0;
  return {
    async ask(method, params) {
      id += 1;
      const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...name,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } }),
      });
      const answer = (await response.json()) as { readonly error?: unknown };
      if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
      return answer;
    },
    memory: () => memoryOf(child),
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function environmentOf(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env['PATH'] ?? '' };
}

function memoryOf({ pid }: Pick<ChildProcessWithoutNullStreams, 'pid'>): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_024;
}
