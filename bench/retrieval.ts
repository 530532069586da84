import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';

import MiniSearch from 'minisearch';

import type { Skill } from '../src/model/skill.ts';
import { parseSkill } from '../src/parse/parse-skill.ts';
import { toDocument } from '../src/select/document.ts';
import { rankByRelevance } from '../src/select/relevance.ts';
import { openScoreTable } from '../src/select/score-table.ts';
import { buildTextIndex } from '../src/select/text-index.ts';
import { originOf, placeSkill } from '../src/sources/origin.ts';
import type { Section } from './table.ts';

interface Entry {
  readonly path: string;
  readonly skill: Skill;
  readonly body: string;
}

interface RealFile {
  readonly path: string;
  readonly text: string;
}

interface Request {
  readonly query: string;
  readonly gold: readonly string[];
  readonly source: string;
  readonly ngold?: number;
}

/** An engine under test: built over all entries, it gives the best paths for a query. */
interface Engine {
  readonly name: string;
  readonly build: (entries: readonly Entry[]) => (query: string) => readonly string[];
}

const SOURCE = {
  id: 'bench',
  group: 'Bench',
  level: 'user',
  priority: 1,
  requireDescription: false,
  layout: 'skills',
  path: '/',
  ordinal: 0,
  boundary: undefined,
} as const;

const ENGINES: readonly Engine[] = [
  {
    name: 'skillplane',
    build(entries) {
      const index = buildTextIndex(entries.map(({ skill, body }) => toDocument(skill, body)));
      return (query) =>
        rankByRelevance(index, query)
          .slice(0, 10)
          .map(({ document }) => entries[document]?.path ?? '');
    },
  },
  { name: 'SQLite FTS5, porter', build: buildFullText },
  { name: 'MiniSearch', build: buildMiniSearch },
  {
    name: 'table of fixed scores',
    build(entries) {
      const table = openScoreTable(entries.map(({ skill }) => skill));
      return (query) =>
        [...table.find(query)]
          .sort(([, a], [, b]) => b.score - a.score)
          .slice(0, 10)
          .map(([at]) => entries[at]?.path ?? '');
    },
  },
];

function buildFullText(entries: readonly Entry[]): (query: string) => readonly string[] {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `create virtual table s using fts5(path unindexed, name, description, tags, body, tokenize = 'porter unicode61')`,
  );
  const insert = database.prepare('insert into s values (?, ?, ?, ?, ?)');
  for (const { path, skill, body } of entries)
    insert.run(path, skill.name, skill.description, skill.tags.join(' '), body);
  const select = database.prepare(`select path from s where s match ? order by bm25(s, 0, 5, 2, 2.5, 0.4) limit 10`);
  return (query) => {
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    const rows = select.all([...new Set(words)].map((word) => `"${word}"`).join(' OR '));
    return rows.map((row) => String(row['path']));
  };
}

function buildMiniSearch(entries: readonly Entry[]): (query: string) => readonly string[] {
  const search = new MiniSearch({
    idField: 'path',
    fields: ['name', 'description', 'tags', 'body'],
    searchOptions: { boost: { name: 5, description: 2, tags: 2.5, body: 0.4 } },
  });
  search.addAll(
    entries.map(({ path, skill, body }) => ({
      path,
      name: skill.name,
      description: skill.description,
      tags: skill.tags.join(' '),
      body,
    })),
  );
  return (query) =>
    search
      .search(query)
      .slice(0, 10)
      .map(({ id }) => String(id));
}

/** Real requests over real skills: how often the right skill is found, and how fast, beside other engines. */
export function measureRetrieval(args: readonly string[] = []): Section | string {
  const option = (name: string, fallback: string): string => args[args.indexOf(name) + 1 || -1] ?? fallback;
  const corpus = option('--corpus', '../shared/corpus/vendor.jsonl.gz');
  const requests = option('--eval', '../shared/eval/dev.jsonl.gz');
  if (!existsSync(corpus) || !existsSync(requests)) return `retrieval: skipped, there is no ${corpus} or ${requests}`;
  const entries = (readLines(corpus) as readonly RealFile[]).flatMap(toEntry);
  const queries = readLines(requests) as readonly Request[];
  const figures = ENGINES.map((engine) => ({ name: engine.name, ...measure(engine, entries, queries) }));
  if (args.includes('--json'))
    return JSON.stringify({ docs: entries.length, queries: queries.length, engines: figures });
  return {
    title: 'Retrieval',
    note: `${entries.length} real skills, ${queries.length} real requests, one query at a time after a warm-up. Macro is the mean over the sources of requests. What is timed is ranking; a whole search also asks the table of fixed scores and gives reasons, and takes some 0.5 ms more.`,
    columns: ['engine', 'Hit@1', 'Recall@5', 'Recall@10', 'nDCG@10', 'macro nDCG@10', 'p50', 'p95', 'build'],
    rows: figures.map(({ name, hit1, recall5, recall10, ndcg10, macro, p50Ms, p95Ms, buildMs }) => [
      name,
      ...[hit1, recall5, recall10, ndcg10, macro.ndcg10].map((value) => value.toFixed(3)),
      ...[p50Ms, p95Ms].map((value) => `${value.toFixed(2)} ms`),
      `${(buildMs / 1000).toFixed(1)} s`,
    ]),
  };
}

function readLines(path: string): readonly unknown[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const lines = text.trim().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}

function toEntry({ path, text }: RealFile): readonly Entry[] {
  const parsed = parseSkill(text, { dir: `/${path.replace(/\/[^/]*$/, '')}` });
  return parsed.ok ? [{ path, skill: placeSkill(parsed.skill, originOf(SOURCE)), body: parsed.body }] : [];
}

interface Scores {
  readonly hit1: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly ndcg10: number;
}

function measure(engine: Engine, entries: readonly Entry[], queries: readonly Request[]) {
  const memory = process.memoryUsage().heapUsed;
  const start = performance.now();
  const search = engine.build(entries);
  const buildMs = performance.now() - start;
  for (const { query } of queries.slice(0, 100)) search(query);
  const times: number[] = [];
  const scored = queries.map((request) => {
    const before = performance.now();
    const found = search(request.query);
    times.push(performance.now() - before);
    return { source: request.source, ...judge(found, request) };
  });
  const sorted = times.toSorted((a, b) => a - b);
  const bySource = Object.values(Object.groupBy(scored, ({ source }) => source)).map((group) => mean(group ?? []));
  return {
    ...mean(scored),
    macro: mean(bySource),
    p50Ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    buildMs,
    memoryMb: (process.memoryUsage().heapUsed - memory) / 1e6,
  };
}

function judge(found: readonly string[], { gold, ngold = gold.length }: Request): Scores {
  const hits = found.map((path) => gold.includes(path));
  const gain = (at: number): number => 1 / Math.log2(at + 2);
  const ideal = Array.from({ length: Math.min(10, ngold) }, (_, at) => gain(at)).reduce((sum, value) => sum + value, 0);
  return {
    hit1: hits[0] === true ? 1 : 0,
    recall5: hits.slice(0, 5).filter(Boolean).length / ngold,
    recall10: hits.filter(Boolean).length / ngold,
    ndcg10: hits.reduce((sum, isHit, at) => sum + (isHit ? gain(at) : 0), 0) / ideal,
  };
}

function mean(scores: readonly Scores[]): Scores {
  const of = (field: keyof Scores): number => scores.reduce((sum, score) => sum + score[field], 0) / scores.length;
  return { hit1: of('hit1'), recall5: of('recall5'), recall10: of('recall10'), ndcg10: of('ndcg10') };
}
