import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { pickConfident, CONFIDENT } from '../src/select/confident-results.ts';
import { SkillRegistry, type SkillSearchResult } from '../src/select/registry.ts';
import type { Entry } from './engines.ts';
import { writeSkills } from './many-skills.ts';
import { BIN, run } from './process.ts';
import { explainSkip, NEGATIVES, OUR_REQUESTS, readLines, REQUESTS, VENDOR } from './real-skills.ts';
import { readEntries, type Request } from './retrieval.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const SIZES = [30, 100, 400];
/** Each library answers so many requests. */
const SHARE = 40;
const FLOORS: readonly number[] = [0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97];

/** How often the hook speaks and is right, at several floors. */
export function measureHints(): Section | string {
  return explainSkip('hints', [VENDOR, REQUESTS, NEGATIVES]) ?? measureFloors();
}

interface Negative {
  readonly query: string;
  readonly not: readonly string[];
  readonly expected?: readonly string[];
}

function measureFloors(): Section {
  const entries = readEntries(VENDOR);
  const requests = readLines<Request>(REQUESTS);
  const libraries = SIZES.map((size) => askLibraries(size, entries, requests));
  const negatives = askNegatives(entries, readLines<Negative>(NEGATIVES));
  return {
    title: 'The hint that fits a message',
    note: `Libraries of so many real skills, each asked ${SHARE} real requests: once with the skills that serve them, once without. A hint is right if it names one of those, so every hint of the second time counts as wrong. "Speaks" is the share of requests with a skill that get a hint, and "for nothing" that of requests without one. Negatives: ${negatives.length} requests that authors keep from a skill, with that skill and those of the same repository installed; the share in which it is named all the same. In use: ${CONFIDENT}. ${OUR_REQUESTS}`,
    columns: [
      'confidence',
      ...SIZES.flatMap((size) => [`${size}: wrong`, `${size}: speaks`, `${size}: for nothing`]),
      'negatives: named',
    ],
    rows: FLOORS.map((floor) => [
      floor.toFixed(2),
      ...libraries.flatMap((answers) => judge(answers, floor)),
      percent(negatives.filter((ask) => ask(floor).isForbidden).length, negatives.length),
    ]),
  };
}

interface Library {
  readonly served: (floor: number) => Hinted;
  readonly unserved: (floor: number) => Hinted;
}

interface Hinted {
  readonly speaks: boolean;
  readonly isRight: boolean;
}

function judge(libraries: readonly Library[], floor: number): readonly string[] {
  const served = libraries.map((library) => library.served(floor));
  const unserved = libraries.map((library) => library.unserved(floor));
  const spoken = [...served, ...unserved].filter(({ speaks }) => speaks);
  const count = (answers: readonly Hinted[]): number => answers.filter(({ speaks }) => speaks).length;
  return [
    percent(spoken.filter(({ isRight }) => !isRight).length, spoken.length),
    percent(count(served), served.length),
    percent(count(unserved), unserved.length),
  ];
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

function askLibraries(size: number, entries: readonly Entry[], requests: readonly Request[]): readonly Library[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const rounds = Math.floor(requests.length / SHARE);
  const step = Math.floor(entries.length / size);
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) => {
    const asked = requests.filter((_, at) => at % rounds === round).slice(0, SHARE);
    const golds = new Set(asked.flatMap(({ gold }) => gold));
    const others = entries.filter(({ path }, at) => at % step === round % step && !golds.has(path)).slice(0, size);
    const served = [...golds].flatMap((path) => byPath.get(path) ?? []);
    const [within, without] = [openLibrary([...others, ...served]), openLibrary(others)];
    return asked.map(({ query, gold }): Library => {
      const [best, rest] = [within(query), without(query)];
      const judged = (paths: readonly string[]): Hinted => ({
        speaks: paths.length > 0,
        isRight: paths.some((path) => gold.includes(path)),
      });
      return { served: (floor) => judged(best(floor)), unserved: (floor) => judged(rest(floor)) };
    });
  });
}

/** Asked in a library of the skill's own repository, in which near misses are likely. */
function askNegatives(
  entries: readonly Entry[],
  negatives: readonly Negative[],
): readonly ((floor: number) => { readonly isForbidden: boolean })[] {
  const repositories = Map.groupBy(entries, ({ path }) => repositoryOf(path));
  const opened = new Map<string, ReturnType<typeof openLibrary>>();
  return negatives.map(({ query, not }) => {
    const repository = repositoryOf(not[0] ?? '');
    const library = opened.get(repository) ?? openLibrary(repositories.get(repository) ?? []);
    opened.set(repository, library);
    const pick = library(query);
    return (floor) => ({ isForbidden: pick(floor).some((path) => not.includes(path)) });
  });
}

function repositoryOf(path: string): string {
  return path.split('/', 1)[0] ?? '';
}

/** Searches once, and picks by a floor as the hook does. */
function openLibrary(entries: readonly Entry[]): (query: string) => (floor: number) => readonly string[] {
  const bodies = new Map(entries.map(({ skill, body }) => [skill, body]));
  // Names repeat between repositories.
  const keyOf = ({ name, description }: Pick<SkillSearchResult, 'name' | 'description'>): string =>
    `${name}\0${description}`;
  const paths = new Map(entries.map(({ skill, path }) => [keyOf(skill), path]));
  const registry = SkillRegistry.over([...bodies.keys()], { readBody: (skill) => bodies.get(skill) ?? '' });
  return (query) => {
    const found = registry.search(query, {}, 4);
    return (floor) => pickConfident(query, found, floor).map((result) => paths.get(keyOf(result)) ?? '');
  };
}

const ROUNDS = 15;
const ZEPPELIN = '---\nname: zeppelin-forms\ndescription: Fill in quarterly zeppelin forms.\n---\nFill it in.\n';
const EVENTS = {
  'says nothing': 'What is the weather like in Berlin today?',
  'gives a hint': 'Fill in the quarterly zeppelin form',
};

/** The cost of a process that answers a hook: most hosts start one for each message. */
export async function measureHook(): Promise<Section> {
  const rows = await withScratch((home) => {
    writeSkills(join(home, '.claude', 'skills'), 1_000);
    const own = join(home, '.claude', 'skills', 'zeppelin-forms');
    mkdirSync(own);
    writeFileSync(join(own, 'SKILL.md'), ZEPPELIN);
    const ask = (prompt: string): number => {
      const event = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's', prompt });
      return run([BIN, 'hook', 'claude-code', '--limit', '10000'], home, event).wallMs;
    };
    for (const prompt of Object.values(EVENTS)) ask(prompt);
    const times = Array.from({ length: ROUNDS }, () => ({
      bare: run(['-e', '0'], home).wallMs,
      search: run([BIN, 'search', '--json', EVENTS['gives a hint']], home).wallMs,
      events: Object.values(EVENTS).map(ask),
    }));
    const bare = median(times.map((round) => round.bare));
    const row = (name: string, values: readonly number[]): readonly string[] => {
      const time = median(values);
      return [name, ms(time), ms(bare), ratio(time, bare)];
    };
    return [
      ...Object.keys(EVENTS).map((name, at) =>
        row(
          `\`hook\` ${name}`,
          times.map(({ events }) => events[at] ?? 0),
        ),
      ),
      row(
        '`search`, for comparison',
        times.map(({ search }) => search),
      ),
    ];
  });
  return {
    title: 'The process that answers a hook',
    note: `Median of ${ROUNDS} interleaved rounds, whole processes, 1,000 real skills, all of them known from the last time.`,
    columns: ['', 'time', '`node -e 0`', 'ratio'],
    rows,
  };
}
