import type { SearchIndex } from '../../src/select/index/search-index.ts';
import { evidenceOf, measureEvidence } from '../../src/select/ranking/confidence.ts';
import { foldNearDuplicates } from '../../src/select/ranking/near-duplicates.ts';
import { rankByRelevance } from '../../src/select/ranking/relevance.ts';
import { readRequest } from '../../src/select/ranking/request.ts';
import { indexEntries, openGlossaryFile, type Entry } from '../engines.ts';
import { NEGATIVES, readLines, REQUESTS, VENDOR } from '../real-skills.ts';
import { readEntries, type Negative, type Request } from '../retrieval.ts';
import { assignFolds, FOLDS, repositoryOf } from './lessons.ts';

/** A result with its evidence, and whether it serves the request. */
export interface Sample {
  readonly measured: readonly number[];
  readonly isRight: boolean;
  readonly isFirst: boolean;
  readonly repository: string;
  /** The library that it is from. */
  readonly library: string;
}

const SIZES = [30, 100, 400];
/** A library answers so many requests. */
const SHARE = 40;
/** The results of a request that are judged. */
const JUDGED = 3;

/**
 * Results of libraries of several sizes: for each request once with the skills that serve it and once without them, as
 * where nobody has written such a skill. Requests that must not start a skill count among those that none serves.
 */
export function collectSamples(): readonly Sample[] {
  const entries = readEntries(VENDOR);
  const requests = readLines<Request>(REQUESTS);
  const samples: Sample[] = [];
  for (const size of SIZES) collectLibraries(size, { entries, requests, samples });
  const whole = indexEntries(entries, openGlossaryFile());
  const byPath = new Map(entries.map(({ path }, at) => [path, at]));
  for (const { query, gold } of requests) {
    const golds = new Set(gold.flatMap((path) => byPath.get(path) ?? []));
    const repository = repositoryOf(gold[0] ?? '');
    const about = { query, repository, library: String(entries.length) };
    samples.push(...judgeResults(whole, { ...about, golds, isWanted: undefined }));
    samples.push(...judgeResults(whole, { ...about, golds: new Set(), isWanted: (document) => !golds.has(document) }));
  }
  for (const { query, not } of readLines<Negative>(NEGATIVES)) {
    const wrong = new Set(not.flatMap((path) => byPath.get(path) ?? []));
    const judged = judgeResults(
      whole,
      { query, golds: new Set(), isWanted: undefined, repository: repositoryOf(not[0] ?? ''), library: 'negatives' },
      wrong,
    );
    samples.push(...judged);
  }
  return samples;
}

interface Collecting {
  readonly entries: readonly Entry[];
  readonly requests: readonly Request[];
  readonly samples: Sample[];
}

function collectLibraries(size: number, { entries, requests, samples }: Collecting): void {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const glossary = openGlossaryFile();
  const rounds = Math.floor(requests.length / SHARE);
  for (let round = 0; round < rounds; round += 1) {
    const asked = requests.filter((_, at) => at % rounds === round).slice(0, SHARE);
    const golds = new Set(asked.flatMap(({ gold }) => gold));
    const step = Math.floor(entries.length / size);
    const others = entries.filter(({ path }, at) => at % step === round % step && !golds.has(path)).slice(0, size);
    const served = [...golds].flatMap((path) => byPath.get(path) ?? []);
    const library = [...others, ...served];
    const [within, without] = [indexEntries(library, glossary), indexEntries(others, glossary)];
    const numbers = new Map(library.map(({ path }, at) => [path, at]));
    for (const { query, gold } of asked) {
      const about = { query, repository: repositoryOf(gold[0] ?? ''), library: String(size), isWanted: undefined };
      const right = new Set(gold.flatMap((path) => numbers.get(path) ?? []));
      samples.push(...judgeResults(within, { ...about, golds: right }));
      samples.push(...judgeResults(without, { ...about, golds: new Set() }));
    }
  }
}

interface Asked extends Pick<Sample, 'repository' | 'library'> {
  readonly query: string;
  readonly golds: ReadonlySet<number>;
  readonly isWanted: ((document: number) => boolean) | undefined;
}

/** With `only`, just these documents are judged: of the others nobody knows. */
function judgeResults(index: SearchIndex, asked: Asked, only?: ReadonlySet<number>): readonly Sample[] {
  const { query, golds, isWanted, repository, library } = asked;
  const request = readRequest(index, query, isWanted);
  const results = foldNearDuplicates(rankByRelevance(index, request, isWanted), index, { limit: 10 });
  return evidenceOf(results, request, index)
    .map((evidence, at) => {
      const documents = [results[at]?.document ?? -1, ...(results[at]?.nearDuplicates ?? [])];
      const isRight = documents.some((document) => golds.has(document));
      const isJudged = at < JUDGED && (only === undefined || documents.some((document) => only.has(document)));
      return {
        isJudged,
        sample: { measured: measureEvidence(evidence), isRight, isFirst: at === 0, repository, library },
      };
    })
    .filter(({ isJudged }) => isJudged)
    .map(({ sample }) => sample);
}

/**
 * Logistic regression over first results with a slight pull towards zero, by Newton's method. Each repository counts the
 * same, so that the largest one does not decide for those that nobody has seen.
 */
export function fitConfidence(all: readonly Sample[]): readonly number[] {
  const samples = all.filter(({ isFirst }) => isFirst);
  const counts = new Map<string, number>();
  for (const { repository } of samples) counts.set(repository, (counts.get(repository) ?? 0) + 1);
  const size = samples[0]?.measured.length ?? 0;
  const weights = Array.from({ length: size }, () => 0);
  for (let round = 0; round < 12; round += 1) {
    const gradient = Array.from({ length: size }, () => 0);
    const curvature = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
    for (const { measured, isRight, repository } of samples) {
      const p = predict(measured, weights);
      const worth = samples.length / counts.size / (counts.get(repository) ?? 1);
      for (let a = 0; a < size; a += 1) {
        gradient[a] = (gradient[a] ?? 0) + worth * (Number(isRight) - p) * (measured[a] ?? 0);
        const row = curvature[a] ?? [];
        for (let b = 0; b < size; b += 1)
          row[b] = (row[b] ?? 0) + worth * p * (1 - p) * (measured[a] ?? 0) * (measured[b] ?? 0);
      }
    }
    for (let a = 0; a < size; a += 1) {
      gradient[a] = (gradient[a] ?? 0) - PULL * (weights[a] ?? 0);
      const row = curvature[a] ?? [];
      row[a] = (row[a] ?? 0) + PULL;
    }
    for (const [at, step] of solve(curvature, gradient).entries()) weights[at] = (weights[at] ?? 0) + step;
  }
  return weights;
}

const PULL = 1;

export function predict(measured: readonly number[], weights: readonly number[]): number {
  return 1 / (1 + Math.exp(-measured.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)));
}

/** The confidence in each first result, learned from other repositories. */
export function predictHeldOut(all: readonly Sample[]): readonly (Sample & { readonly confidence: number })[] {
  const samples = all.filter(({ isFirst }) => isFirst);
  const folds = assignFolds(samples.map(({ repository }) => repository));
  const weights = Array.from({ length: FOLDS }, (_, fold) =>
    fitConfidence(samples.filter(({ repository }) => folds.get(repository) !== fold)),
  );
  return samples.map((sample) => ({
    ...sample,
    confidence: predict(sample.measured, weights[folds.get(sample.repository) ?? 0] ?? []),
  }));
}

/** Gaussian elimination with the largest pivot. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column; row < size; row += 1)
      if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    for (let row = 0; row < size; row += 1) {
      if (row === column) continue;
      const own = rows[row] ?? [];
      const factor = (own[column] ?? 0) / (rows[column]?.[column] ?? 1);
      for (let at = column; at <= size; at += 1) own[at] = (own[at] ?? 0) - factor * (rows[column]?.[at] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
