import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { openBalancer } from './support/balancer.ts';
import { archiveOf } from './support/hubs.ts';
import { createDatabase, HAS_POSTGRES, NO_POSTGRES, startPostgres } from './support/postgres.ts';
import { startHub, type HubProcess } from './support/processes.ts';

/** `npm run test:faults` does more, with a seed of its own; the title has the seed that repeats a run. */
const PUBLISHES = Number(process.env['FAULT_PUBLISHES'] ?? propertyRuns(90, 45));
const SEED = readSeed(process.env['FAULT_SEED'] ?? '1');
const REPLICAS = 3;
const PUBLISHERS = 6;
const VERSIONS = 5;
/** So many publishes meet one trouble: a replica is killed. In the first part after each third, the database stops, too. */
const PART = Math.min(60, PUBLISHES / 3);
const PARTS_IN_THIRD = Math.round(PUBLISHES / PART / 3);

function readSeed(text: string): number {
  return text === 'new' ? randomInt(1_000_000) : Number(text);
}

/** Numbers from 0 to 1 that look random and are the same for the same seed. */
function openRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Published {
  readonly name: string;
  readonly version: string;
  readonly digest: string;
}

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** Status 0 is no answer at all. */
async function ask(url: string, token: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, headers: { authorization: `Bearer ${token}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, json: isJson ? JSON.parse(bytes.toString()) : {}, bytes };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { status: 0, json: {}, bytes: Buffer.alloc(0) };
  }
}

const showDigest = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

test(`three hubs that are killed, and whose database stops, lose nothing of ${PUBLISHES} publishes, show nothing half-published, and tell one story (FAULT_SEED=${SEED})`, async ({
  skip,
}) => {
  skip(!HAS_POSTGRES, NO_POSTGRES);
  const server = startPostgres();
  onTestFinished(() => server[Symbol.dispose]());
  const databaseUrl = createDatabase(server.dir);
  const start = (): Promise<HubProcess> => startHub([], { DATABASE_URL: databaseUrl });
  const hubs = await Promise.all(Array.from({ length: REPLICAS }, start));
  const token = hubs.map((hub) => hub.token).join('');
  expect(token).toMatch(/^sphub_[\w-]{43}$/);
  const balancer = await openBalancer();
  const balance = (): void => void (balancer.replicas = hubs.map(({ url }) => url));
  balance();
  const path = (rest: string): string => `${balancer.url}/api/v1${rest}`;
  await ask(path('/scopes/team'), token, { method: 'PUT', body: '{"policy":"open"}' });

  const random = openRandom(SEED);
  let next = 0;
  let refusals = 0;
  const published: Published[] = [];
  /** Starts it again once a publish was refused because of it. */
  const stopDatabase = async (): Promise<void> => {
    const before = refusals;
    server.stop();
    await expect.poll(() => refusals).toBeGreaterThan(before);
    server.start();
  };
  const makeTrouble = async (part: number): Promise<void> => {
    if (part > 0 && part % PARTS_IN_THIRD === 0) await stopDatabase();
    const victim = Math.floor(random() * hubs.length);
    await sleep(random() * 100);
    await hubs[victim]?.kill();
    hubs[victim] = await start();
    balance();
  };
  let trouble = Promise.resolve();
  const parts: Promise<void>[] = [];
  const startTrouble = async (part: number): Promise<void> => {
    await trouble;
    trouble = makeTrouble(part);
  };
  /** Begins a part once the trouble of the part before is over, so that each trouble happens while publishing goes on. */
  const begin = (part: number): Promise<void> => (parts[part] ??= startTrouble(part));
  const publishOne = async (at: number): Promise<void> => {
    const [name, version] = [`skill-${Math.floor(at / VERSIONS)}`, `1.0.${at % VERSIONS}`];
    const body = new Uint8Array(archiveOf(name, { body: `Version ${version}.`, files: { 'a.md': `${at}` } }));
    const url = path(`/skills/team/${name}/versions?version=${version}`);
    for (;;) {
      const { status, json } = await ask(url, token, { method: 'POST', body });
      if (status === 200) return void published.push({ name, version, digest: String(json['digest']) });
      // Whatever else it says, it must be one of the answers that ask for another try.
      const logs = [0, 429, 502, 503].includes(status) ? '' : hubs.map(({ output }) => output()).join('\n');
      expect(logs).toBe('');
      refusals += 1;
      await sleep(50);
    }
  };
  const publishAll = async (): Promise<void> => {
    for (let at = next++; at < PUBLISHES; at = next++) {
      await begin(Math.floor(at / PART));
      await publishOne(at);
    }
  };
  const state = { isDone: false };
  const half: string[] = [];
  const readAll = async (): Promise<void> => {
    while (!state.isDone) {
      const name = `skill-${Math.floor(random() * Math.ceil(next / VERSIONS))}`;
      const skill = await ask(path(`/skills/team/${name}`), token);
      for (const { version, archive } of (skill.json['versions'] ?? []) as { version: string; archive: string }[]) {
        const { status, bytes } = await ask(path(`/skills/team/${name}/versions/${version}/archive`), token);
        if (status === 200 ? showDigest(bytes) !== archive : ![0, 502, 503].includes(status))
          half.push(`${name}@${version}: ${status}`);
      }
      await sleep(20);
    }
  };
  const reading = readAll();
  await Promise.all(Array.from({ length: PUBLISHERS }, publishAll));
  await trouble;
  state.isDone = true;
  await reading;
  expect(half).toEqual([]);
  expect(published).toHaveLength(PUBLISHES);

  for (const { child, output } of hubs)
    expect([child.exitCode, child.exitCode === null || output()]).toEqual([null, true]);
  const database = openPostgres({ url: databaseUrl, onError: () => undefined });
  onTestFinished(() => database[Symbol.asyncDispose]());
  const [last] = await database.query<{ id: number }>('SELECT max(id) AS id FROM log');
  const stories: string[] = [];
  for (const { url } of hubs) {
    const position = async (): Promise<string> => (await ask(`${url}/metrics`, token)).bytes.toString();
    await expect.poll(position).toContain(`skillplane_hub_log_position ${last?.id}\n`);
    const wrong: string[] = [];
    const check = async (name: string, versions: readonly Published[]): Promise<void> => {
      const { json } = await ask(`${url}/api/v1/skills/team/${name}`, token);
      const found = json['versions'] as { version: string; digest: string; archive: string; state: string }[];
      for (const { version, digest } of versions) {
        const one = found.find((other) => other.version === version);
        const { status, bytes } = await ask(`${url}/api/v1/skills/team/${name}/versions/${version}/archive`, token);
        const isWhole = one?.digest === digest && one.state === 'published' && showDigest(bytes) === one.archive;
        if (status !== 200 || !isWhole) wrong.push(`${name}@${version} on ${url}: ${status}`);
      }
      if (found.length !== versions.length) wrong.push(`${name} has ${found.length} versions`);
    };
    const skills = [...Map.groupBy(published, (one) => one.name)];
    await Promise.all(skills.map(([name, versions]) => check(name, versions)));
    expect(wrong).toEqual([]);
    const { json } = await ask(`${url}/api/v1/log?limit=1000`, token);
    stories.push(JSON.stringify(json['log']));
  }
  expect(new Set(stories).size).toBe(1);
  const acts = JSON.parse(stories[0] ?? '[]') as { id: number; action: string; skill: string; version: string }[];
  const told = acts.filter(({ action }) => action === 'publish').map(({ skill, version }) => `${skill}@${version}`);
  expect(told.toSorted()).toEqual(published.map(({ name, version }) => `${name}@${version}`).toSorted());
  expect(acts.map(({ id }) => id)).toEqual(acts.map(({ id }) => id).toSorted((a, b) => b - a));
});
