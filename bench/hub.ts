import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';

import { createDatabase, HAS_POSTGRES, startPostgres } from '../hub/test/support/postgres.ts';
import { packFiles } from '../src/publish.ts';
import { seedHub, VERSIONS } from './hub-seed.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, renderSection } from './table.ts';

const HUB = resolve('hub/bin/skillplane-hub.mjs');
const BARE = resolve('bench/hub-bare.mjs');
const SIZES = [2_500, 10_000];
const CLIENTS = [1, 8, 64];
const SECONDS = 4;
const PUBLISHES = 200;
const CHANGES = 40;
const QUERIES = [
  'fill a pdf form',
  'review a pull request',
  'draw a chart of sales',
  'translate a document',
  'write release notes',
  'database migration',
  'deploy to kubernetes',
  'summarise a meeting',
];

interface Started {
  readonly url: string;
  readonly token: string;
  readonly seconds: number;
  readonly child: ChildProcess;
}

async function start(args: readonly string[], env: Readonly<Record<string, string>>, ready: RegExp): Promise<Started> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...args], { env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' });
  let output = '';
  await new Promise<void>((settle, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (ready.test(output)) settle();
      });
    child.on('exit', () => fail(new Error(output)));
  });
  const seconds = (performance.now() - begun) / 1_000;
  return {
    url: /http:\/\/[\d.:]+/.exec(output)?.[0] ?? '',
    token: /sphub_[\w-]+/.exec(output)?.[0] ?? '',
    seconds,
    child,
  };
}

const startHub = (databaseUrl: string): Promise<Started> =>
  start([HUB, '--port', '0'], { DATABASE_URL: databaseUrl }, /"listening"/);

async function stop({ child }: Started): Promise<void> {
  child.removeAllListeners('exit');
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function residentMiB({ child: { pid } }: Started): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4_096) / 1_048_576;
}

interface Asking {
  readonly url: string;
  readonly token?: string;
  readonly method?: string;
  readonly body?: Uint8Array;
  readonly agent: Agent;
}

function ask({ url, token = '', method = 'GET', body, agent }: Asking): Promise<Buffer> {
  return new Promise((settle, fail) => {
    const asking = request(url, { agent, method, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        response.statusCode === 200 ? settle(Buffer.concat(parts)) : fail(new Error(Buffer.concat(parts).toString())),
      );
    });
    asking.on('error', fail);
    asking.end(body);
  });
}

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
}

/** Asks for some seconds with so many clients at once, each on a connection of its own. */
async function load(clients: number, urlOf: (at: number) => string, token = ''): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  let at = 0;
  const run = async (seconds: number): Promise<void> => {
    const end = performance.now() + seconds * 1_000;
    const one = async (): Promise<void> => {
      while (performance.now() < end) {
        const begun = performance.now();
        await ask({ url: urlOf(at++), token, agent });
        times.push(performance.now() - begun);
      }
    };
    await Promise.all(Array.from({ length: clients }, one));
  };
  await run(SECONDS / 4);
  times.length = 0;
  const begun = performance.now();
  await run(SECONDS);
  const seconds = (performance.now() - begun) / 1_000;
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  return { perSecond: times.length / seconds, p50: median(sorted), p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 };
}

/** A hub on PostgreSQL, one replica, against a bare Hono route and a static file server in the same run. */
export async function measureHub(): Promise<string> {
  if (!HAS_POSTGRES) return '## The hub\n\nNot measured: there is no PostgreSQL here.';
  using server = startPostgres({ isDurable: true });
  const starts: string[][] = [];
  let sections: readonly string[] = [];
  for (const size of SIZES)
    await withScratch(async (scratch) => {
      const databaseUrl = createDatabase(server.dir);
      const first = await startHub(databaseUrl);
      await stop(first);
      const names = await seedHub(databaseUrl, join(scratch, 'skills'), size);
      const indexing = await startHub(databaseUrl);
      await stop(indexing);
      const hub = { ...(await startHub(databaseUrl)), token: first.token };
      const idle = residentMiB(hub);
      const figures = { size: names.length, firstSeconds: indexing.seconds, seconds: hub.seconds, idle };
      starts.push(await describeStart(hub, figures));
      if (size === SIZES.at(-1)) sections = await measureRequests(hub, { names, scratch, databaseUrl });
      await stop(hub);
    });
  return [describeGrowth(starts), ...sections].join('\n').trimEnd();
}

interface StartFigures {
  readonly size: number;
  readonly firstSeconds: number;
  readonly seconds: number;
  readonly idle: number;
}

async function describeStart(hub: Started, { size, firstSeconds, seconds, idle }: StartFigures): Promise<string[]> {
  const { p50 } = await load(1, searchUrl(hub), hub.token);
  return [String(size), firstSeconds.toFixed(1), seconds.toFixed(1), idle.toFixed(0), p50.toFixed(1)];
}

/** The last two sizes give a straight line; what it says of 100,000 is computed, and says so. */
function describeGrowth(starts: readonly (readonly string[])[]): string {
  const [small = [], large = []] = starts.map((row) => row.map(Number));
  const at = (column: number): string => {
    const [x0 = 0, x1 = 1, y0 = 0, y1 = 0] = [small[0], large[0], small[column], large[column]];
    return (y0 + ((y1 - y0) * (100_000 - x0)) / (x1 - x0)).toFixed(1);
  };
  return renderSection({
    title: 'The hub: start, memory and growth',
    note: `Skills of ${VERSIONS.length} versions on PostgreSQL. The first start reads all texts and keeps the index in the database; the next begin from it. The row of 100,000 is computed from the two above it.`,
    columns: ['skills', 'first start', 'start from the kept index', 'resident memory', 'search, one client: p50'],
    rows: [...starts, ['100000 (computed)', at(1), at(2), at(3), at(4)]].map(
      ([count = '', first, next, memory, p50]) => [
        count,
        `${first} s`,
        `${next} s`,
        `${Number(memory).toFixed(0)} MiB`,
        `${p50} ms`,
      ],
    ),
  });
}

function searchUrl({ url }: Started): (at: number) => string {
  return (at) => `${url}/api/v1/search?q=${encodeURIComponent(QUERIES[at % QUERIES.length] ?? '')}`;
}

interface Seeded {
  readonly names: readonly string[];
  readonly scratch: string;
  readonly databaseUrl: string;
}

async function measureRequests(hub: Started, { names, scratch, databaseUrl }: Seeded): Promise<readonly string[]> {
  const agent = new Agent({ keepAlive: true });
  const answer = await ask({ url: searchUrl(hub)(0), token: hub.token, agent });
  const archiveUrl = (at: number): string =>
    `${hub.url}/api/v1/skills/team/${names[at % names.length]}/versions/1.2.0/archive`;
  const files = join(scratch, 'files');
  mkdirSync(files);
  for (const at of names.slice(0, 200).keys())
    writeFileSync(join(files, `${at}.tar.gz`), await ask({ url: archiveUrl(at), token: hub.token, agent }));
  const bare = await start([BARE, answer.toString(), files], {}, /http/);
  const rows: string[][] = [];
  for (const clients of CLIENTS) {
    const pairs = [
      ['search', await load(clients, searchUrl(hub), hub.token), await load(clients, searchUrl(bare))],
      [
        'archive',
        await load(clients, archiveUrl, hub.token),
        await load(clients, (at) => `${bare.url}/files/${at % 200}.tar.gz`),
      ],
    ] as const;
    for (const [what, ours, theirs] of pairs)
      rows.push([
        what,
        String(clients),
        ours.perSecond.toFixed(0),
        ms(ours.p50),
        ms(ours.p95),
        theirs.perSecond.toFixed(0),
        ratio(ours.perSecond, theirs.perSecond),
      ]);
  }
  await stop(bare);
  const memory = residentMiB(hub);
  const requests = renderSection({
    title: `The hub: requests with ${names.length} skills of ${VERSIONS.length} versions`,
    note: `One replica on PostgreSQL, over HTTP with a token, ${SECONDS} s each. Searches against a bare Hono route that answers with the same JSON, archives against Hono's static files of the same bytes; archives are asked over all skills, files over 200. Resident memory afterwards: ${memory.toFixed(0)} MiB.`,
    columns: ['request', 'clients', 'a second', 'p50', 'p95', 'bare, a second', 'ratio'],
    rows: rows.toSorted((a, b) => (b[0] ?? '').localeCompare(a[0] ?? '')),
  });
  return [requests, await measureChanges(hub, databaseUrl)];
}

/** Publishing, and how long it takes until another replica finds the change. */
async function measureChanges(hub: Started, databaseUrl: string): Promise<string> {
  const other = await startHub(databaseUrl);
  const agent = new Agent({ keepAlive: true });
  const { token } = hub;
  const publish = (name: string): Promise<Buffer> => {
    const text = `---\nname: ${name}\ndescription: Handle ${name}. Use for ${name}.\n---\nDo ${name}.\n`;
    const body = packFiles([{ path: 'SKILL.md', executable: false, bytes: Buffer.from(text) }], 'tar.gz').bytes;
    return ask({
      url: `${hub.url}/api/v1/skills/team/${name}/versions?version=1.0.0`,
      token,
      method: 'POST',
      body,
      agent,
    });
  };
  const rows: string[][] = [];
  for (const clients of [1, 8]) {
    let at = 0;
    const begun = performance.now();
    const one = async (): Promise<void> => {
      while (at < PUBLISHES) await publish(`zebra-${clients}-${at++}`);
    };
    await Promise.all(Array.from({ length: clients }, one));
    rows.push([
      `publishes a second, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
      ((PUBLISHES * 1_000) / (performance.now() - begun)).toFixed(0),
    ]);
  }
  const delays: number[] = [];
  for (let at = 0; at < CHANGES; at += 1) {
    const name = `giraffe-${at}`;
    await publish(name);
    const begun = performance.now();
    const isFound = async (): Promise<boolean> =>
      (await ask({ url: `${other.url}/api/v1/search?q=${name}&limit=1`, token, agent })).includes(`"name":"${name}"`);
    while (!(await isFound()));
    delays.push(performance.now() - begun);
  }
  await stop(other);
  agent.destroy();
  const sorted = delays.toSorted((a, b) => a - b);
  rows.push([
    'from the answer to the publisher until another replica finds it',
    `p50 ${ms(median(sorted))}, p95 ${ms(sorted[Math.floor(sorted.length * 0.95)] ?? 0)}, most ${ms(sorted.at(-1) ?? 0)}`,
  ]);
  return renderSection({
    title: 'The hub: changes',
    note: `${PUBLISHES} publishes of small skills into the same hub, with every commit synced to disk, and ${CHANGES} changes watched on a second replica.`,
    columns: ['what', 'figure'],
    rows,
  });
}
