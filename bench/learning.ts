import { judgeRanking, type RankingFigures } from '../src/evals/evaluation.ts';
import { preferChosen } from '../src/select/ranking/chosen-before.ts';
import { rankByRelevance } from '../src/select/ranking/relevance.ts';
import { hashWords } from '../src/select/ranking/request-words.ts';
import { readRequest } from '../src/select/ranking/request.ts';
import type { Memory } from '../src/usage/usage-store.ts';
import { indexEntries, openGlossaryFile } from './engines.ts';
import { explainSkip, OUR_REQUESTS, readLines, REQUESTS, VENDOR } from './real-skills.ts';
import { readEntries, type Request } from './retrieval.ts';
import type { Section } from './table.ts';

/** Skills with fewer requests have none to ask with. */
const FEWEST_REQUESTS = 6;
const TAUGHT = [0, 1, 3, 5];
const MOST_TAUGHT = 5;

/**
 * Measures the worth of a person's history: half of the skills with many requests are taught their first ones, and asked with the
 * others. All other skills were never used, and lose whatever the taught ones gain at their cost.
 */
export function measureLearning(): Section | string {
  const skip = explainSkip('learning', [VENDOR, REQUESTS]);
  if (skip !== undefined) return skip;
  const entries = readEntries(VENDOR);
  const index = indexEntries(entries, openGlossaryFile());
  const requests = readLines<Request>(REQUESTS);
  const bySkill = Map.groupBy(requests, ({ gold }) => gold[0] ?? '');
  const often = [...bySkill].filter(([, own]) => own.length >= FEWEST_REQUESTS).map(([path]) => path);
  const halves = [0, 1].map((half) => new Set(often.toSorted().filter((_, at) => at % 2 === half)));
  const rows = halves.flatMap((taught, half) => {
    const earlier = new Set([...taught].flatMap((path) => bySkill.get(path)?.slice(0, MOST_TAUGHT) ?? []));
    const asked = requests.filter((request) => !earlier.has(request));
    return TAUGHT.map((count) => {
      const memory = teach(taught, (path) => bySkill.get(path)?.slice(0, count) ?? []);
      const judged = asked.map(({ query, gold, ngold }) => {
        const request = readRequest(index, query);
        const ranked = preferChosen(rankByRelevance(index, request), {
          index,
          request,
          text: query,
          memory: recall(memory, query),
          namesOf: (document) => [entries[document]?.path ?? ''],
        });
        const paths = ranked.slice(0, 10).map(({ document }) => entries[document]?.path ?? '');
        return { isTaught: taught.has(gold[0] ?? ''), ...judgeRanking(paths, gold, ngold) };
      });
      const own = judged.filter(({ isTaught }) => isTaught);
      const others = judged.filter(({ isTaught }) => !isTaught);
      return [
        `${half + 1}`,
        String(count),
        String(own.length),
        mean(own, 'hit1').toFixed(3),
        mean(own, 'ndcg10').toFixed(4),
        String(others.length),
        mean(others, 'ndcg10').toFixed(4),
      ];
    });
  });
  return {
    title: 'Learning from use',
    note: `Half of the skills with six or more requests were used after their first 0, 1, 3 and 5, and are asked with the others; then the other half. The first columns are about those skills, the last two about all others, which were never used. The strength of what was learned was chosen on these requests, so expect a little less. ${OUR_REQUESTS}`,
    columns: ['half', 'earlier requests', 'asked', 'Hit@1', 'nDCG@10', 'asked of others', 'nDCG@10 of others'],
    rows,
  };
}

function teach(skills: Iterable<string>, earlier: (skill: string) => readonly Request[]): Memory {
  const memory = new Map<string, Map<number, number>>();
  for (const skill of skills) {
    const words = new Map<number, number>();
    for (const word of earlier(skill).flatMap(({ query }) => hashWords(query)))
      words.set(word, (words.get(word) ?? 0) + 1);
    memory.set(skill, words);
  }
  return memory;
}

/** The part of the memory that a store gives for a request. */
function recall(memory: Memory, query: string): Memory {
  const asked = new Set(hashWords(query));
  return new Map(
    [...memory]
      .map(([skill, words]) => [skill, new Map([...words].filter(([word]) => asked.has(word)))] as const)
      .filter(([, words]) => words.size > 0),
  );
}

function mean(figures: readonly RankingFigures[], field: 'hit1' | 'ndcg10'): number {
  return figures.reduce((sum, one) => sum + one[field], 0) / Math.max(1, figures.length);
}
