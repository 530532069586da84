import { existsSync } from 'node:fs';

import type { Entry } from '../engines.ts';
import { indexEntries, openGlossaryFile } from '../engines.ts';
import { NEGATIVES, readLines, REQUESTS, VENDOR } from '../real-skills.ts';
import { readEntries, type Negative, type Request } from '../retrieval.ts';
import { toExample } from './examples.ts';
import type { Lesson } from './fit.ts';

/** Everything that there is to learn from. */
export interface Lessons {
  readonly entries: readonly Entry[];
  readonly requests: readonly Request[];
  readonly negatives: readonly Negative[];
  /** One for each request, then one for each negative. */
  readonly lessons: readonly Lesson[];
  readonly repositories: readonly string[];
}

export function readLessons(): Lessons | undefined {
  if (![VENDOR, REQUESTS, NEGATIVES].every((path) => existsSync(path))) return undefined;
  const entries = readEntries(VENDOR);
  const requests = readLines<Request>(REQUESTS);
  const negatives = readLines<Negative>(NEGATIVES);
  const index = indexEntries(entries, openGlossaryFile());
  const numbers = new Map(entries.map(({ path }, at) => [path, at]));
  const toLesson = (query: string, paths: readonly string[], isNegative: boolean): Lesson => ({
    example: toExample(index, query),
    marked: new Set(paths.flatMap((path) => numbers.get(path) ?? [])),
    isNegative,
    skill: paths[0] ?? '',
    repository: repositoryOf(paths[0] ?? ''),
  });
  return {
    entries,
    requests,
    negatives,
    lessons: [
      ...requests.map(({ query, gold }) => toLesson(query, gold, false)),
      ...negatives.map(({ query, not }) => toLesson(query, not, true)),
    ],
    repositories: entries.map(({ path }) => repositoryOf(path)),
  };
}

export function repositoryOf(path: string): string {
  return path.split('/', 1)[0] ?? '';
}

export const FOLDS = 5;

/** A fold for each name, so that all folds have about as many lessons. */
export function assignFolds(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sizes = Array.from({ length: FOLDS }, () => 0);
  const folds = new Map<string, number>();
  const largestFirst = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  for (const [name, count] of largestFirst) {
    const fold = sizes.indexOf(Math.min(...sizes));
    sizes[fold] = (sizes[fold] ?? 0) + count;
    folds.set(name, fold);
  }
  return folds;
}
