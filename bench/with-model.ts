import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { callTool } from '../src/agent/call-tool.ts';
import { forAgent } from '../src/agent/for-agent.ts';
import { toOpenAiChatTool } from '../src/agent/tool-formats.ts';
import { visibleSkills } from '../src/agent/visible-skills.ts';
import { estimateTokens } from '../src/disclose/tokens.ts';
import { openSkills, type Skills } from '../src/engine/open-skills.ts';
import { spread, writeLibrary } from './model-texts.ts';
import { explainSkip, NEGATIVES, readLines, REQUESTS, VENDOR } from './real-skills.ts';
import type { Negative, Request } from './retrieval.ts';
import { withScratch } from './scratch.ts';
import { renderSection } from './table.ts';

/**
 * Asks a real model: does it load the right skill, and none where none fits? `npm run bench:model -- --url <base> --model <name>`, for
 * any server with the protocol of OpenAI's Chat Completions. The other figures about texts for models come from stand-ins.
 *
 * Forty requests: 20 that a skill serves, 10 near misses that the author of a skill keeps from it, 10 that no skill serves. Each is one
 * conversation of a few steps with the skill list and the tools; what a skill then asks for is not done.
 */
const USAGE = `usage: npm run bench:model -- --url <base address> --model <name> [options]

  --url <address>        such as http://127.0.0.1:11434/v1; requests go to <address>/chat/completions
  --model <name>         the model to ask
  --key-env <variable>   the environment variable that holds the key; none by default
  --sizes <list>         sizes of the libraries of real skills (default: 20,72,300)
  --without-message      make the skill list without the message, as it is for every conversation
  --skills <folder>      ask about these skills instead of real ones, with --requests
  --requests <file>      lines of JSON: {"query": "…", "right": ["name"]}; without "right", no skill serves the request,
                         and with "not": ["name"] the request is a near miss`;

const KINDS = ['served', 'near miss', 'unserved'] as const;
/** How many requests of each kind. */
const SHARES: Readonly<Record<(typeof KINDS)[number], number>> = { served: 20, 'near miss': 10, unserved: 10 };
/** A search, a load, and a second try of each. */
const MOST_STEPS = 5;

interface Asked {
  readonly kind: (typeof KINDS)[number];
  readonly query: string;
  readonly right: readonly string[];
}

interface Endpoint {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly withMessage: boolean;
}

interface Told {
  readonly kind: Asked['kind'];
  readonly isRight: boolean;
  readonly wrongLoads: number;
  readonly searches: number;
  readonly tokens: number;
}

async function main(): Promise<number> {
  const { values } = readOptions();
  if (values?.url === undefined || values.model === undefined) {
    console.error(USAGE);
    return 2;
  }
  const key = values['key-env'] === undefined ? undefined : process.env[values['key-env']];
  if (values['key-env'] !== undefined && key === undefined) {
    console.error(`the variable ${values['key-env']} is not set`);
    return 2;
  }
  const endpoint = { url: values.url, model: values.model, key, withMessage: values['without-message'] !== true };
  const own = values.skills === undefined ? undefined : { dir: values.skills, requests: values.requests };
  const sizes = values.sizes.split(',').map(Number);
  try {
    const rows = own === undefined ? await askReal(endpoint, sizes) : await askOwn(endpoint, own);
    if (typeof rows === 'string') {
      console.error(rows);
      return 1;
    }
    console.log(renderSection({ title: `Real requests to ${values.model}`, note: NOTE, columns: COLUMNS, rows }));
    return 0;
  } catch (error) {
    if (!(error instanceof EndpointFailure)) throw error;
    console.error(error.message);
    return 1;
  }
}

const NOTE =
  'Right: conversations in which the right skill was loaded, or none where none fits. Wrong loads, searches and tokens are per conversation; tokens are those that the server counted, else characters / 4.';
const COLUMNS = ['skills', 'requests', '', 'right', 'wrong loads', 'searches', 'tokens'];

function readOptions() {
  const options = {
    url: { type: 'string' },
    model: { type: 'string' },
    'key-env': { type: 'string' },
    sizes: { type: 'string', default: '20,72,300' },
    'without-message': { type: 'boolean' },
    skills: { type: 'string' },
    requests: { type: 'string' },
  } as const;
  try {
    return parseArgs({ options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(error.message);
    return { values: undefined };
  }
}

async function askReal(endpoint: Endpoint, sizes: readonly number[]): Promise<string | readonly (readonly string[])[]> {
  const skip = explainSkip('with-model', [VENDOR, REQUESTS, NEGATIVES]);
  if (skip !== undefined) return skip;
  const [files, requests, negatives] = [
    readLines(VENDOR),
    readLines<Request>(REQUESTS),
    readLines<Negative>(NEGATIVES),
  ];
  const wanted = [...requests.flatMap(({ gold }) => gold), ...negatives.flatMap(({ not }) => not)];
  const rows = [];
  for (const size of sizes) {
    const more = await withScratch(async (dir) => {
      const names = writeLibrary(join(dir, 'skills'), files, wanted, size);
      return askAll(endpoint, dir, join(dir, 'skills'), (known) => {
        const nameAll = (paths: readonly string[]): readonly string[] =>
          paths.flatMap((path) => names.get(path) ?? []).filter((name) => known.has(name));
        return [
          ...requests.map(({ query, gold }): Asked => {
            const right = nameAll(gold);
            return { kind: right.length === 0 ? 'unserved' : 'served', query, right };
          }),
          ...negatives
            .filter(({ not }) => nameAll(not).length > 0)
            .map(({ query }): Asked => ({ kind: 'near miss', query, right: [] })),
        ];
      });
    });
    rows.push(...more);
  }
  return rows;
}

async function askOwn(
  endpoint: Endpoint,
  { dir, requests }: { readonly dir: string; readonly requests: string | undefined },
): Promise<string | readonly (readonly string[])[]> {
  if (requests === undefined || !existsSync(requests)) return '--skills needs --requests with a file of requests';
  if (!existsSync(dir)) return `there is no folder ${dir}`;
  const given = readLines<{ query: string; right?: readonly string[]; not?: readonly string[] }>(requests);
  const asked = given.map(({ query, right = [], not }): Asked => {
    const kind = right.length > 0 ? 'served' : not === undefined ? 'unserved' : 'near miss';
    return { kind, query, right };
  });
  return withScratch((scratch) => askAll(endpoint, scratch, resolve(dir), () => asked));
}

/** One conversation for each request, in a home of its own. */
async function askAll(
  endpoint: Endpoint,
  home: string,
  dir: string,
  choose: (known: ReadonlySet<string>) => readonly Asked[],
): Promise<readonly (readonly string[])[]> {
  const env = { HOME: home, PATH: '/usr/bin:/bin' };
  await using skills = await openSkills({ dirs: [dir], cwd: home, home, env, config: { usage: false } });
  const known = new Set(visibleSkills(skills).map(({ name }) => name));
  const all = choose(known);
  const told: Told[] = [];
  for (const kind of KINDS)
    for (const asked of spread(
      all.filter((one) => one.kind === kind),
      SHARES[kind],
    ))
      told.push(await converse(skills, endpoint, asked));
  return KINDS.map((kind) => summarize(String(known.size), kind, told)).filter(([, count]) => count !== '0');
}

async function converse(skills: Skills, endpoint: Endpoint, { kind, query, right }: Asked): Promise<Told> {
  const agent = await forAgent(skills, endpoint.withMessage ? { message: query } : {});
  if (!agent.ok) throw new Error(agent.message);
  const messages: object[] = [
    { role: 'system', content: agent.system },
    { role: 'user', content: query },
  ];
  const loads: string[] = [];
  let [searches, tokens] = [0, 0];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const body = { model: endpoint.model, messages, tools: agent.tools.map(toOpenAiChatTool) };
    const answer = await post(endpoint, body);
    tokens += answer.tokens ?? estimateTokens(JSON.stringify(body));
    messages.push(answer.message);
    if (answer.calls.length === 0) break;
    for (const { id, name, args } of answer.calls) {
      const { text, metadata } = await callTool(agent.tools, { name, args });
      if (name === 'search_skills') searches += 1;
      if (name === 'load_skill' && typeof metadata['name'] === 'string') loads.push(metadata['name']);
      messages.push({ role: 'tool', tool_call_id: id, content: text });
    }
    // The right one is loaded: what follows is the work itself.
    if (loads.some((name) => right.includes(name))) break;
  }
  const wrongLoads = loads.filter((name) => !right.includes(name)).length;
  const isRight = right.length === 0 ? loads.length === 0 : wrongLoads < loads.length;
  return { kind, isRight, wrongLoads, searches, tokens };
}

function summarize(size: string, kind: Asked['kind'], all: readonly Told[]): readonly string[] {
  const told = all.filter((one) => one.kind === kind);
  const mean = (valueOf: (one: Told) => number): number =>
    told.reduce((sum, one) => sum + valueOf(one), 0) / Math.max(1, told.length);
  return [
    size,
    String(told.length),
    kind,
    `${told.filter(({ isRight }) => isRight).length} of ${told.length}`,
    mean(({ wrongLoads }) => wrongLoads).toFixed(2),
    mean(({ searches }) => searches).toFixed(2),
    String(Math.round(mean(({ tokens }) => tokens))),
  ];
}

/** The server does not answer as the protocol says. */
class EndpointFailure extends Error {}

interface Answer {
  readonly message: object;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  /** Of the request and the answer, if the server counts them. */
  readonly tokens: number | undefined;
}

async function post({ url, key }: Endpoint, body: object): Promise<Answer> {
  const address = `${url.replace(/\/+$/, '')}/chat/completions`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    const { cause } = error instanceof Error ? error : {};
    throw new EndpointFailure(`${address} does not answer: ${cause instanceof Error ? cause.message : String(error)}`);
  });
  const text = await response.text();
  if (!response.ok) throw new EndpointFailure(`${address} answered ${response.status}: ${text.slice(0, 300)}`);
  // The protocol documents this shape; what lacks it is refused below.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { choices, usage } = JSON.parse(text) as Partial<Completion>;
  const message = choices?.[0]?.message;
  if (message === undefined) throw new EndpointFailure(`${address} answered without a message: ${text.slice(0, 300)}`);
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({ id, name, args }));
  return { message, calls, tokens: usage?.total_tokens };
}

interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
  }[];
  readonly usage?: { readonly total_tokens?: number };
}

// Last: the class above must be there.
process.exitCode = await main();
