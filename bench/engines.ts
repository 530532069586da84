import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import MiniSearch from 'minisearch';

import type { Skill } from '../src/model/skill.ts';
import { parseSkill } from '../src/parse/parse-skill.ts';
import { openGlossary, type Glossary } from '../src/select/index/glossary.ts';
import { decodeIndex, encodeIndex } from '../src/select/index/index-file.ts';
import { buildIndex, EMPTY_INDEX, type SearchIndex } from '../src/select/index/search-index.ts';
import { rankByRelevance } from '../src/select/ranking/relevance.ts';
import { readRequest } from '../src/select/ranking/request.ts';
import { SkillRegistry } from '../src/select/registry.ts';
import { openScoreTable } from '../src/select/score-table.ts';
import { placeSkill } from '../src/sources/place-skill.ts';

/** A real skill with its instructions. Its path identifies it, since names repeat. */
export interface Entry {
  readonly path: string;
  readonly skill: Skill;
  readonly body: string;
}

/** An engine over some skills. */
export interface Built {
  /** The best paths for a query. */
  readonly rank: (query: string) => readonly string[];
  /** A user's whole search, if that is more than ranking. */
  readonly search?: (query: string) => unknown;
  /** Opens the engine from its file, if it has one. */
  readonly reopen?: () => unknown;
}

interface BuiltSkillplane extends Required<Built> {
  /** The same search over fewer skills, with the same index. */
  readonly searchOnly: (view: (skill: Skill) => boolean) => (query: string) => unknown;
  /** Indexes one changed skill again. */
  readonly revise: () => unknown;
  /** The size of the index. */
  readonly bytes: number;
}

export interface Engine {
  readonly name: string;
  readonly build: (entries: readonly Entry[]) => Built;
}

export const engines: readonly Engine[] = [
  { name: 'skillplane', build: buildSkillplane },
  { name: 'SQLite FTS5, porter', build: buildFullText },
  { name: 'MiniSearch', build: buildMiniSearch },
  { name: 'table of fixed scores', build: buildTable },
];

const SOURCE = { source: 'bench', group: 'Bench', level: 'user' } as const;
const STAMP = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };

export function toEntry({ path, text }: { readonly path: string; readonly text: string }): readonly Entry[] {
  const parsed = parseSkill(text, { dir: `/${path.replace(/\/[^/]*$/, '')}` });
  return parsed.ok ? [{ path, skill: placeSkill(parsed.skill, SOURCE, STAMP), body: parsed.body }] : [];
}

export function indexEntries(
  entries: readonly Entry[],
  glossary: Glossary,
  before: SearchIndex = EMPTY_INDEX,
): SearchIndex {
  const bodies = new Map(entries.map(({ skill, body }) => [skill, body]));
  return buildIndex(before, [...bodies.keys()], { readBody: (skill) => bodies.get(skill) ?? '', glossary });
}

/** The glossary that the engine uses. */
export function openGlossaryFile(): Glossary {
  return openGlossary(() => readFileSync('data/chinese-english.txt', 'utf8'));
}

export function buildSkillplane(entries: readonly Entry[]): BuiltSkillplane {
  const skills = entries.map(({ skill }) => skill);
  const glossary = openGlossaryFile();
  const index = indexEntries(entries, glossary);
  const registry = SkillRegistry.withIndex(skills, index);
  const file = Buffer.concat(encodeIndex(index, 'bench'));
  return {
    rank: (query) =>
      rankByRelevance(index, readRequest(index, query))
        .slice(0, 10)
        .map(({ document }) => entries[document]?.path ?? ''),
    search: (query) => registry.search(query),
    searchOnly(view) {
      const narrowed = registry.only(view);
      return (query) => narrowed.search(query);
    },
    reopen: () => decodeIndex(file, 'bench'),
    revise() {
      const [first] = entries;
      if (first === undefined) return;
      const changed = { ...first, skill: { ...first.skill, stamp: { ...STAMP, mtimeMs: 2 } } };
      indexEntries([changed, ...entries.slice(1)], glossary, index);
    },
    bytes: file.length,
  };
}

function buildFullText(entries: readonly Entry[]): Built {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `create virtual table s using fts5(path unindexed, name, description, tags, body, tokenize = 'porter unicode61')`,
  );
  const insert = database.prepare('insert into s values (?, ?, ?, ?, ?)');
  for (const { path, skill, body } of entries)
    insert.run(path, skill.name, skill.description, skill.tags.join(' '), body);
  const select = database.prepare(`select path from s where s match ? order by bm25(s, 0, 5, 2, 2.5, 0.4) limit 10`);
  return {
    rank(query) {
      const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      const rows = select.all([...new Set(words)].map((word) => `"${word}"`).join(' OR '));
      return rows.map((row) => String(row['path']));
    },
  };
}

function buildMiniSearch(entries: readonly Entry[]): Built {
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
  return {
    rank: (query) =>
      search
        .search(query)
        .slice(0, 10)
        .map(({ id }) => String(id)),
  };
}

function buildTable(entries: readonly Entry[]): Built {
  const table = openScoreTable(entries.map(({ skill }) => skill));
  return {
    rank: (query) =>
      [...table.find(query)]
        .sort(([, a], [, b]) => b.score - a.score)
        .slice(0, 10)
        .map(([at]) => entries[at]?.path ?? ''),
  };
}
