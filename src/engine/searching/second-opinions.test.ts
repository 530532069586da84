import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { skillText } from '../../../test/support/tree.ts';
import { makeWorld, type World } from '../../../test/support/world.ts';
import { readSetting } from '../../config/change-setting.ts';
import { doctor } from '../doctor/doctor.ts';
import { openSkills, type OpenOptions } from '../open-skills.ts';
import type { SkillSearchResults } from '../skill-search.ts';

const QUERY = 'turn paper into numbers';
const KEY = 'sk-very-secret';

/** By words, `scan-paper` comes first; a model would know that `ocr-tables` is meant. */
const SKILLS: Readonly<Record<string, string>> = {
  'scan-paper': 'Scan paper and file the paper.',
  'ocr-tables': 'Read tables of paper scans.',
  'count-things': 'Count numbers of things.',
};

interface Asked {
  readonly inputs: readonly string[];
  readonly key: string | undefined;
}

type Answer = (asked: Asked, response: ServerResponse) => void;

interface EmbeddingsServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  readonly stop: () => void;
}

/** Open files and sockets of this process; both ends of a connection are in it. */
const countHandles = (): number =>
  process.platform === 'linux' ? readdirSync('/proc/self/fd').length : process.getActiveResourcesInfo().length;

/** A server of embeddings on this machine, with the requests that it got. */
async function serve(answer: Answer): Promise<EmbeddingsServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      const { input } = JSON.parse(await readText(request)) as { readonly input: readonly string[] };
      const one = { inputs: input, key: request.headers.authorization };
      asked.push(one);
      answer(one, response);
    };
    void receive();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, stop };
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

const send = (response: ServerResponse, data: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(data));
};

/** A model that knows that tables of scans are what the query means. */
const vectorOf = (text: string): readonly number[] => (text === QUERY || text.includes('ocr') ? [1, 0.1] : [0.1, 1]);
const answerWell: Answer = ({ inputs }, response) =>
  // In another order: the index counts.
  send(response, { data: inputs.map((text, index) => ({ index, embedding: vectorOf(text) })).toReversed() });

function makeSearched(embeddings?: object): World {
  const config = { skills: { disabledSources: ['bundled'], ...(embeddings && { ranking: { embeddings } }) } };
  const files = Object.entries(SKILLS).map(([name, description]) => [
    `home/.agent/skills/${name}/SKILL.md`,
    skillText({ name, description }),
  ]);
  return makeWorld(
    { 'home/.agent/config.yaml': JSON.stringify(config), ...Object.fromEntries(files) },
    { EMBEDDINGS_KEY: KEY },
  );
}

async function search({ project, home, env }: World, options: OpenOptions = {}): Promise<SkillSearchResults> {
  await using skills = await openSkills({ cwd: project, home, env, ...options });
  return await skills.search({ query: QUERY });
}

const namesOf = (results: SkillSearchResults): readonly string[] => results.map(({ name }) => name);

describe('embeddings for search', () => {
  test('affect the order, appear in the reasons, and are requested once per text', async () => {
    const byWords = namesOf(await search(makeSearched()));
    expect(byWords[0]).not.toBe('ocr-tables');
    const { url, asked } = await serve(answerWell);
    const world = makeSearched({ url, model: 'm' });
    const results = await search(world);
    expect(results[0]?.name).toBe('ocr-tables');
    expect(results[0]?.reasons.at(-1)).toBe('meaning: 1.00 like the request');
    expect(results[0]?.score).toBeLessThan(0.5);
    expect(results.partial).toBeUndefined();
    expect(asked.flatMap(({ inputs }) => inputs).toSorted()).toEqual(
      [QUERY, ...byWords.map((name) => `${name}\n${SKILLS[name]}`)].toSorted(),
    );
    const before = asked.length;
    expect(namesOf(await search(world))).toEqual(namesOf(results));
    expect(asked.slice(before).flatMap(({ inputs }) => inputs)).toEqual([QUERY]);
    expect(readFileSync(join(world.home, '.agent/cache/vectors.db')).includes(QUERY)).toBe(false);
  });

  test('are requested again if their database is broken', async () => {
    const { url } = await serve(answerWell);
    const world = makeSearched({ url, model: 'm' });
    await search(world);
    writeFileSync(join(world.home, '.agent/cache/vectors.db'), 'no database');
    expect((await search(world))[0]?.name).toBe('ocr-tables');
    expect((await search(world))[0]?.name).toBe('ocr-tables');
  });

  test('set by a project are ignored, so a clone cannot send searches elsewhere', async () => {
    const { url, asked } = await serve(answerWell);
    const project = makeWorld({
      'project/.agent/config.yaml': JSON.stringify({ skills: { ranking: { embeddings: { url, model: 'm' } } } }),
      ...Object.fromEntries(
        Object.entries(SKILLS).map(([name, description]) => [
          `home/.agent/skills/${name}/SKILL.md`,
          skillText({ name, description }),
        ]),
      ),
    });
    await search(project);
    expect(asked).toEqual([]);
  });

  test.each<[string, Answer, string]>([
    ['fails', (_, response) => send(response, {}, 500), 'answered with status 500'],
    ['refuses the key', (_, response) => send(response, {}, 401), 'refuses the key'],
    ['does not answer with JSON', (_, response) => response.end('<html>'), 'answered with 0 vectors for 1 texts'],
    [
      'does not return numbers',
      (_, response) => send(response, { data: [{ index: 0, embedding: ['a'] }] }),
      'not a list of vectors',
    ],
    [
      'leaves out vectors',
      ({ inputs }, response) => send(response, { data: inputs.slice(0, 1).map(() => ({ embedding: [1, 2] })) }),
      'answered with 1 vectors for',
    ],
    [
      'mixes vector lengths',
      ({ inputs }, response) =>
        send(response, { data: inputs.map((text) => ({ embedding: text === QUERY ? [1] : [1, 2] })) }),
      'vectors of different lengths',
    ],
    ['answers with too much', (_, response) => response.end(' '.repeat(5 * 1024 * 1024)), 'answered with more than'],
    ['hangs up', (_, response) => response.destroy(), 'cannot be asked'],
    ['redirects', (_, response) => response.writeHead(307, { location: '/elsewhere' }).end(), 'cannot be asked'],
  ])('from a server that %s leave the order unchanged, and the result says why', async (_, answer, why) => {
    const byWords = namesOf(await search(makeSearched()));
    const { url } = await serve(answer);
    const results = await search(makeSearched({ url, model: 'm', key: KEY }));
    expect(namesOf(results)).toEqual(byWords);
    expect(results.partial).toMatchObject([{ missing: 'embeddings', reason: expect.stringContaining(why) }]);
    expect(JSON.stringify(results.partial)).not.toContain(KEY);
  });

  test('from a server that never answers, or stops, are not waited for, and those received are kept', async () => {
    const never = search(makeSearched({ url: (await serve(() => undefined)).url, model: 'm' }));
    const byWords = namesOf(await search(makeSearched()));
    let isSilent = true;
    const { url } = await serve((asked, response) => {
      if (asked.inputs[0] === QUERY || !isSilent) answerWell(asked, response);
    });
    const world = makeSearched({ url, model: 'm' });
    // Each waits for its time limit, so they wait together.
    for (const results of await Promise.all([never, search(world)])) {
      expect(namesOf(results)).toEqual(byWords);
      expect(results.partial?.[0]?.reason).toContain('did not answer in time');
    }
    isSilent = false;
    expect((await search(world))[0]?.name).toBe('ocr-tables');
  });

  test('leak no handles in many searches, and are left out once the server is gone', async () => {
    const byWords = namesOf(await search(makeSearched()));
    const { url, asked, stop } = await serve(answerWell);
    const { project, home, env } = makeSearched({ url, model: 'm' });
    await using skills = await openSkills({ cwd: project, home, env });
    const ask = (): Promise<SkillSearchResults> => skills.search({ query: QUERY });
    for (let round = 0; round < 3; round += 1) expect((await ask())[0]?.name).toBe('ocr-tables');
    const before = countHandles();
    const rounds = propertyRuns(100, 20);
    for (let round = 0; round < rounds; round += 1) await ask();
    expect(countHandles()).toBeLessThanOrEqual(before + 4);
    // Each text was asked for once, and the query each time.
    expect(asked.flatMap(({ inputs }) => inputs)).toHaveLength(rounds + 3 + byWords.length);
    stop();
    const alone = await ask();
    expect(namesOf(alone)).toEqual(byWords);
    expect(alone.partial).toMatchObject([
      { missing: 'embeddings', reason: expect.stringContaining('cannot be asked') },
    ]);
  });

  test('of another length than before are requested again', async () => {
    let length = 2;
    const { url } = await serve(({ inputs }, response) =>
      send(response, {
        data: inputs.map((text) => ({
          embedding: [...vectorOf(text), ...Array.from({ length: length - 2 }, () => 0)],
        })),
      }),
    );
    const world = makeSearched({ url, model: 'm' });
    await search(world);
    length = 5;
    const results = await search(world);
    expect(results.partial).toBeUndefined();
    expect(results[0]?.name).toBe('ocr-tables');
  });

  test('take their key from the environment and never show it', async () => {
    const { url, asked } = await serve(answerWell);
    await search(makeSearched({ url, model: 'm', key: '$EMBEDDINGS_KEY' }));
    expect(asked[0]?.key).toBe(`Bearer ${KEY}`);
    const missing = await search(makeSearched({ url, model: 'm', key: '$NOT_THERE' }));
    expect(missing.partial?.[0]?.reason).toContain('the variable NOT_THERE is not set');

    const { project, home, env } = makeSearched({ url, model: 'm', key: KEY });
    const read = await readSetting('ranking', { cwd: project, home, env });
    expect(JSON.stringify(read)).toContain('(hidden)');
    expect(JSON.stringify(read)).not.toContain(KEY);
    const files = readdirSync(join(home, '.agent'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.filter((file) => readFileSync(file).includes(KEY))).toEqual([join(home, '.agent/config.yaml')]);
  });

  test('are tested by doctor', async () => {
    const { url } = await serve(answerWell);
    const checksOf = async ({ project, home, env }: World): Promise<unknown> =>
      (await doctor({ cwd: project, home, env })).filter(({ area }) => area === 'ranking');
    expect(await checksOf(makeSearched())).toEqual([]);
    expect(await checksOf(makeSearched({ url, model: 'm' }))).toMatchObject([
      { status: 'ok', detail: expect.stringContaining('vectors of 2 numbers') },
    ]);
    expect(await checksOf(makeSearched({ url: 'http://127.0.0.1:1/v1', model: 'm' }))).toMatchObject([
      { status: 'warning', detail: expect.stringContaining('cannot be asked') },
    ]);
  });
});
