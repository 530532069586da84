import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';

import { createDatabase, HAS_POSTGRES, startPostgres } from '../hub/test/support/postgres.ts';
import { packFiles } from '../src/parse/archives/pack-files.ts';
import { seedHub, VERSIONS } from './hub-seed.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, renderSection } from './table.ts';

const HUB = resolve('hub/bin/skillplane-hub.mjs');
const BARE = resolve('bench/hub-bare.mjs');
const SIZES = [2_500, 10_000];
const CLIENTS = [1, 8, 64];
/** Each request is measured in turns with the one that it is compared with. */
const ROUNDS = 3;
const SECONDS = 1.2;
const STARTS = 3;
const PUBLISHES = 200;
const FILES = 200;
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

type UrlOf = (at: number) => string;

/** A kind of request: the address of each, and the token. */
interface Asked {
  readonly urlOf: UrlOf;
  readonly token?: string;
}

/** Asks for some seconds with so many clients at once, each on a connection of its own; returns the milliseconds of each answer. */
async function load(clients: number, { urlOf, token = '' }: Asked, seconds: number): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  let at = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const begun = performance.now();
      await ask({ url: urlOf(at++), token, agent });
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  agent.destroy();
  return times;
}

/** Loads all of them in turns, so that whatever else the machine does meets all alike. */
async function loadInTurns<Name extends string>(
  clients: number,
  asked: Readonly<Record<Name, Asked>>,
): Promise<Readonly<Record<Name, Load>>> {
  // The keys of a literal are exactly these.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const names = Object.keys(asked) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (const name of names) await load(clients, asked[name], SECONDS / 4);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) times.get(name)?.push(...(await load(clients, asked[name], SECONDS)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(names.map((name) => [name, summarise(times.get(name) ?? [])])) as Record<Name, Load>;
}

function summarise(times: readonly number[]): Load {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    perSecond: times.length / (SECONDS * ROUNDS),
    p50: median(sorted),
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
  };
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
      const seconds: number[] = [];
      for (let again = 1; again < STARTS; again += 1) {
        const one = await startHub(databaseUrl);
        seconds.push(one.seconds);
        await stop(one);
      }
      const hub = { ...(await startHub(databaseUrl)), token: first.token };
      seconds.push(hub.seconds);
      const idle = residentMiB(hub);
      const figures = { size: names.length, firstSeconds: indexing.seconds, seconds: median(seconds), idle };
      starts.push(await describeStart(hub, { ...figures, names }));
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
  readonly names: readonly string[];
}

async function describeStart(
  hub: Started,
  { size, firstSeconds, seconds, idle, names }: StartFigures,
): Promise<string[]> {
  const asked = { urlOf: freshUrl(hub, names), token: hub.token };
  await load(1, asked, SECONDS / 2);
  const { p50 } = summarise(await load(1, asked, SECONDS));
  return [String(size), firstSeconds.toFixed(1), seconds.toFixed(1), idle.toFixed(0), p50.toFixed(1)];
}

/** The last two sizes give a straight line; what it says of 100,000 is computed, and says so. */
function describeGrowth(starts: readonly (readonly string[])[]): string {
  const [small = [], large = []] = starts.map((row) => row.map(Number));
  const at = (column: number): string => {
    const [x0 = 0, x1 = 1, y0 = 0, y1 = 0] = [small[0], large[0], small[column], large[column]];
    // More skills take no less; where a line says so, the machine was busy.
    return Math.max(y1, y0 + ((y1 - y0) * (100_000 - x0)) / (x1 - x0)).toFixed(1);
  };
  return renderSection({
    title: 'The hub: start, memory and growth',
    note: `Skills of ${VERSIONS.length} versions on PostgreSQL. The first start reads all texts and keeps the index in the database; the next begin from it (the median of ${STARTS}). The row of 100,000 is not measured: it is a straight line through the two above it.`,
    columns: ['skills', 'first start', 'start from the kept index', 'resident memory', 'new search, one client: p50'],
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

/** A few requests again and again, as agents ask them: their answers are remembered. */
function searchUrl({ url }: Started): UrlOf {
  return (at) => `${url}/api/v1/search?q=${encodeURIComponent(QUERIES[at % QUERIES.length] ?? '')}`;
}

/** Requests of the words of two skills, each asked once. */
function freshUrl({ url }: Started, names: readonly string[]): UrlOf {
  const wordsOf = (at: number): string => (names[at % names.length] ?? '').replace(/-\d+$/, '').replaceAll('-', ' ');
  let next = 0;
  return () => {
    next += 1;
    const query = `${wordsOf(next * 7_919)} ${wordsOf(next * 104_729)} ${next}`;
    return `${url}/api/v1/search?q=${encodeURIComponent(query)}`;
  };
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
  for (const at of names.slice(0, FILES).keys())
    writeFileSync(join(files, `${at}.tar.gz`), await ask({ url: archiveUrl(at), token: hub.token, agent }));
  const bare = await start([BARE, answer.toString(), files], {}, /http/);
  const { token } = hub;
  const kinds = {
    search: { urlOf: searchUrl(hub), token },
    'new search': { urlOf: freshUrl(hub, names), token },
    bare: { urlOf: searchUrl(bare) },
    archive: { urlOf: archiveUrl, token },
    files: { urlOf: (at: number) => `${bare.url}/files/${at % FILES}.tar.gz` },
  };
  const rows: string[][] = [];
  for (const clients of CLIENTS) {
    const loads = await loadInTurns(clients, kinds);
    const pairs = [
      ['search, asked before', loads.search, loads.bare],
      ['search, never asked before', loads['new search'], loads.bare],
      ['archive', loads.archive, loads.files],
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
    note: `One replica on PostgreSQL, over HTTP with a token, ${SECONDS} s each in ${ROUNDS} turns. Searches against a bare Hono route that answers with the same JSON, archives against Hono's static files of the same bytes; archives are asked over all skills, files over ${FILES}. Searches that were asked before are ${QUERIES.length} requests whose answers the hub remembers until something changes; those never asked before are each ranked. Resident memory afterwards: ${memory.toFixed(0)} MiB.`,
    columns: ['request', 'clients', 'a second', 'p50', 'p95', 'bare, a second', 'ratio'],
    rows: rows.toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : (a[0] ?? '') > (b[0] ?? '') ? 1 : 0)),
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
    note: `${PUBLISHES} publishes of small skills into the same hub by one client and by eight, with every commit synced to disk, and ${CHANGES} changes watched on a second replica.`,
    columns: ['what', 'figure'],
    rows,
  });
}
