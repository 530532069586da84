import { existsSync } from 'node:fs';

import { judgeRanking, type RankingFigures } from '../src/evals/evaluation.ts';
import { buildSkillplane, engines, toEntry, type Engine, type Entry } from './engines.ts';
import { explainSkip, NEGATIVES, OUR_REQUESTS, readLines, REQUESTS, VENDOR } from './real-skills.ts';
import { median, ms, type Section } from './table.ts';

export interface Request {
  readonly query: string;
  readonly gold: readonly string[];
  readonly source: string;
  readonly ngold?: number;
}

/** A request that must not start some skills. */
export interface Negative {
  readonly query: string;
  readonly not: readonly string[];
}

/** Real requests over real skills: how often the right skill is found, and how fast, beside other engines. */
export function measureRetrieval(args: readonly string[] = []): Section | string {
  const option = (name: string, fallback: string): string => args[args.indexOf(name) + 1 || -1] ?? fallback;
  const [corpus, requests] = [option('--corpus', VENDOR), option('--eval', REQUESTS)];
  if (![corpus, requests].every((path) => existsSync(path)))
    return explainSkip('retrieval', [corpus, requests]) ?? 'retrieval: skipped';
  const entries = readEntries(corpus);
  const queries = readLines<Request>(requests);
  const figures = engines.map((engine) => ({ name: engine.name, ...measure(engine, entries, queries) }));
  if (args.includes('--json'))
    return JSON.stringify({ docs: entries.length, queries: queries.length, engines: figures });
  return {
    title: 'Retrieval',
    note: `${entries.length} real skills, ${queries.length} real requests, one query at a time after a warm-up. Macro is the mean over the sources of requests. p50 and p95 are of a whole search, with the table of fixed scores and the reasons; ranking alone is faster. Opening is from the bytes of a file. ${OUR_REQUESTS}`,
    columns: [
      'engine',
      'Hit@1',
      'Recall@5',
      'Recall@10',
      'nDCG@10',
      'macro nDCG@10',
      'p50',
      'p95',
      'build',
      'open',
      'memory',
    ],
    rows: figures.map(({ name, hit1, recall5, recall10, ndcg10, macro, ...costs }) => [
      name,
      ...[hit1, recall5, recall10, ndcg10, macro.ndcg10].map((value) => value.toFixed(3)),
      ...[costs.p50Ms, costs.p95Ms].map((value) => `${value.toFixed(2)} ms`),
      `${(costs.buildMs / 1000).toFixed(1)} s`,
      costs.openMs === null ? '' : ms(costs.openMs),
      `${costs.memoryMb.toFixed(0)} MB`,
    ]),
  };
}

/** Requests that must not start a skill, as its author says: how often it still comes first. */
export function measureNegatives(): Section | string {
  const skip = explainSkip('negatives', [VENDOR, NEGATIVES]);
  if (skip !== undefined) return skip;
  const entries = readEntries(VENDOR);
  const negatives = readLines<Negative>(NEGATIVES);
  return {
    title: 'Requests that must not start a skill',
    note: `${negatives.length} requests, each with the skill that its author keeps it from. Many are near misses on purpose, and some name the very skill. ${OUR_REQUESTS}`,
    columns: ['engine', 'wrong skill first', 'among the first 3'],
    rows: engines.slice(0, 2).map(({ name, build }) => {
      const { rank } = build(entries);
      const places = negatives.map(({ query, not }) => rank(query).findIndex((path) => not.includes(path)));
      const share = (within: number): string => {
        const count = places.filter((place) => place !== -1 && place < within).length;
        return `${((100 * count) / negatives.length).toFixed(1)} %`;
      };
      return [name, share(1), share(3)];
    }),
  };
}

/** How the cost of searching grows with the number of skills. */
export function measureGrowth(): Section | string {
  const skip = explainSkip('growth', [VENDOR, REQUESTS]);
  if (skip !== undefined) return skip;
  const real = readEntries(VENDOR);
  const queries = readLines<Request>(REQUESTS).filter((_, at) => at % 4 === 0);
  return {
    title: 'Search as skills grow in number',
    note: `The real skills repeated, each time with other names and some words changed. p50 and p95 are of a whole search; one change is one skill of them read and indexed again. Memory is the index. ${OUR_REQUESTS}`,
    columns: ['skills', 'build', 'a skill', 'open', 'one change', 'p50', 'p95', 'index'],
    rows: [1_000, 10_000, 50_000].map((count) => growthRow(vary(real, count), queries)),
  };
}

function growthRow(entries: readonly Entry[], queries: readonly Request[]): readonly string[] {
  const start = performance.now();
  const { search, reopen, revise, bytes } = buildSkillplane(entries);
  const buildMs = performance.now() - start;
  const times = timeEach(queries, search);
  const revising = timeOf(revise);
  return [
    String(entries.length),
    `${(buildMs / 1000).toFixed(1)} s`,
    `${(buildMs / entries.length).toFixed(2)} ms`,
    ms(timeOf(reopen)),
    ms(revising),
    `${quantile(times, 0.5).toFixed(2)} ms`,
    `${quantile(times, 0.95).toFixed(2)} ms`,
    `${(bytes / 1e6).toFixed(0)} MB`,
  ];
}

/** A search in a view of 10,000 skills beside a search in all of them: both use one index. */
export function measureViews(): Section | string {
  const skip = explainSkip('views', [VENDOR, REQUESTS]);
  if (skip !== undefined) return skip;
  const entries = vary(readEntries(VENDOR), 10_000);
  const queries = readLines<Request>(REQUESTS).filter((_, at) => at % 4 === 0);
  const { search, searchOnly } = buildSkillplane(entries);
  const views = [9_999, 5_000, 100, 3].map((count) => {
    const seen = new Set(entries.filter((_, at) => (at * 7_919) % 10_000 < count).map(({ skill }) => skill));
    const start = performance.now();
    const searchView = searchOnly((skill) => seen.has(skill));
    return { name: `${count} of them`, openMs: performance.now() - start, search: searchView };
  });
  const all = { name: 'all', openMs: 0, search };
  // In turns, so that a busy moment of the machine counts for all of them.
  const rounds = Array.from({ length: 6 }, () =>
    [all, ...views].map((view) => quantile(timeEach(queries, view.search), 0.5)),
  );
  const [whole = 1, ...rows] = [all, ...views].map((_, at) => median(rounds.slice(1).map((round) => round[at] ?? 0)));
  return {
    title: 'Search in a view',
    note: `10,000 skills, one index. Opening a view asks it about each skill, once for each scan. p50 is of a whole search. ${OUR_REQUESTS}`,
    columns: ['skills', 'open', 'p50', 'of the whole'],
    rows: [
      ['all', '', `${whole.toFixed(2)} ms`, '1.00'],
      ...views.map(({ name, openMs }, at) => {
        const p50 = rows[at] ?? 0;
        return [name, ms(openMs), `${p50.toFixed(2)} ms`, (p50 / whole).toFixed(2)];
      }),
    ],
  };
}

/** As many skills as wanted: the real ones again and again, each round with a word of its own here and there. */
function vary(real: readonly Entry[], count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, at) => {
    const round = Math.floor(at / real.length);
    const { path, skill, body } = real[at % real.length] ?? { path: '', skill: undefined, body: '' };
    if (skill === undefined) throw new Error('there are no real skills to vary');
    if (round === 0) return { path, skill, body };
    let words = 0;
    const varied = body.replaceAll(/\b\w{6,}\b/g, (word) =>
      (words += 1) % 12 === round % 12 ? `${word}${round}` : word,
    );
    const name = `${skill.name}-${round}`;
    return { path: `${path}${round}`, skill: { ...skill, name, file: `${skill.file}${round}` }, body: varied };
  });
}

export function readEntries(path: string): readonly Entry[] {
  return readLines(path).flatMap(toEntry);
}

function measure(engine: Engine, entries: readonly Entry[], queries: readonly Request[]) {
  const memory = usedMemory();
  const start = performance.now();
  const { rank, search = rank, reopen } = engine.build(entries);
  const buildMs = performance.now() - start;
  const memoryMb = Math.max(0, usedMemory() - memory) / 1e6;
  const scored = queries.map(({ query, gold, source, ngold }) => ({
    source,
    ...judgeRanking(rank(query), gold, ngold),
  }));
  const times = timeEach(queries, search);
  const bySource = Object.values(Object.groupBy(scored, ({ source }) => source)).map((group) => mean(group ?? []));
  return {
    ...mean(scored),
    macro: mean(bySource),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    buildMs,
    openMs: reopen === undefined ? null : timeOf(reopen),
    memoryMb,
  };
}

/** Numbers outside the heap count too: an index is made of them. */
function usedMemory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function timeEach(queries: readonly Request[], search: (query: string) => unknown): readonly number[] {
  for (const { query } of queries.slice(0, 200)) search(query);
  return queries.map(({ query }) => timeOnce(() => search(query)));
}

function timeOnce(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function timeOf(run: () => unknown): number {
  run();
  return median(Array.from({ length: 5 }, () => timeOnce(run)));
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

type Figures = Omit<RankingFigures, 'mrr'>;

function mean(figures: readonly Figures[]): Figures {
  const of = (field: keyof Figures): number => figures.reduce((sum, one) => sum + one[field], 0) / figures.length;
  return { hit1: of('hit1'), recall5: of('recall5'), recall10: of('recall10'), ndcg10: of('ndcg10') };
}
