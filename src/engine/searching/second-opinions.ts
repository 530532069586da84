import type { EmbeddingsSetting } from '../../model/config.ts';
import { compareText } from '../../model/order.ts';
import { withTimeout } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { raiseScore } from '../../select/ranking/relevance.ts';
import { RELEVANCE_SHARE, type SkillSearchResult } from '../../select/registry.ts';

/**
 * A program's own model: how well each candidate serves the query, one number each, more is better. It may take the time
 * that `rerankTimeoutMs` gives; the signal aborts then.
 */
export type Reranker = (
  query: string,
  candidates: readonly RerankCandidate[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly number[]> | readonly number[];

/** A skill that the words of a query have found, best first. */
export type RerankCandidate = Pick<SkillSearchResult, 'name' | 'title' | 'description' | 'tags' | 'score'>;

export interface RerankOptions {
  /** Orders the results of `search` by a model of your own. Its failure leaves them as they are. */
  readonly rerank?: Reranker | undefined;
  /** Default: 2,000. */
  readonly rerankTimeoutMs?: number | undefined;
}

/** Something that did not count for the order of results. */
export interface SearchGap {
  /** The configured model, or the program's own, did not answer. */
  readonly missing: 'embeddings' | 'rerank';
  /** Why, in a sentence. */
  readonly reason: string;
}

export interface Opinion {
  readonly results: readonly SkillSearchResult[];
  readonly gaps: readonly SearchGap[];
}

/** Models that may change the order that words gave. */
export interface SecondOpinions {
  /** Number of candidates to rerank; 0 without a model. */
  depth(setting: EmbeddingsSetting | undefined): number;
  order(query: string, results: readonly SkillSearchResult[], setting: EmbeddingsSetting | undefined): Promise<Opinion>;
  close(): void;
}

const DEPTH = 50;
const RERANK_TIMEOUT_MS = 2_000;
/** As many points as the strongest part of the relevance can give. */
const LIKENESS_WEIGHT = 5;

export function openSecondOpinions(
  environment: Environment,
  { rerank, rerankTimeoutMs = RERANK_TIMEOUT_MS }: RerankOptions = {},
): SecondOpinions {
  let closeStore = (): void => undefined;
  let store: Promise<import('./vector-store.ts').VectorStore> | undefined;
  const openStore = (): NonNullable<typeof store> =>
    (store ??= import('./vector-store.ts').then(({ openVectorStore }) => {
      const opened = openVectorStore(environment.agentHome);
      closeStore = () => opened.close();
      return opened;
    }));

  const byMeaning = async (query: string, before: Opinion, setting: EmbeddingsSetting): Promise<Opinion> => {
    // Lazy: off until configured.
    const { openEmbeddings } = await import('./embeddings.ts');
    const embeddings = openEmbeddings({ setting, environment, store: await openStore() });
    const texts = before.results.map(({ name, description }) => `${name}\n${description}`);
    const compared = await embeddings.compare(query, texts);
    if (compared.ok) return { ...before, results: fuse(before.results, compared.likeness) };
    return {
      ...before,
      gaps: [...before.gaps, { missing: 'embeddings', reason: `no embeddings: ${compared.message}` }],
    };
  };

  const byProgram = async (query: string, before: Opinion, model: Reranker): Promise<Opinion> => {
    const { results } = before;
    const candidates = results.map(({ name, title, description, tags, score }) => ({
      name,
      title,
      description,
      tags,
      score,
    }));
    const asked = await withTimeout(rerankTimeoutMs, async (signal) => model(query, candidates, { signal }));
    const reason = asked.ok ? findFault(asked.value, results.length) : asked.message;
    if (!asked.ok || reason !== undefined)
      return { ...before, gaps: [...before.gaps, { missing: 'rerank', reason: `no reranking: ${reason}` }] };
    return { ...before, results: orderBy(results, asked.value) };
  };

  return {
    depth: (setting) => (rerank === undefined && setting === undefined ? 0 : DEPTH),
    async order(query, results, setting) {
      let opinion: Opinion = { results, gaps: [] };
      if (results.length > 1 && setting !== undefined) opinion = await byMeaning(query, opinion, setting);
      if (results.length > 1 && rerank !== undefined) opinion = await byProgram(query, opinion, rerank);
      return opinion;
    },
    close: () => closeStore(),
  };
}

/** Likeness is one more part of the relevance: from 0 for the least like candidate to its full weight for the most. */
function fuse(results: readonly SkillSearchResult[], likeness: readonly number[]): readonly SkillSearchResult[] {
  const least = Math.min(...likeness);
  const spread = Math.max(...likeness) - least;
  const raised = results.map((result, at) => {
    const own = likeness[at] ?? least;
    const reasons = [...result.reasons, `meaning: ${own.toFixed(2)} like the request`];
    // A query that is literally in a skill stays before all others.
    if (result.score >= RELEVANCE_SHARE || spread === 0) return { ...result, reasons };
    const points = (LIKENESS_WEIGHT * (own - least)) / spread;
    return { ...result, score: RELEVANCE_SHARE * raiseScore(result.score / RELEVANCE_SHARE, points), reasons };
  });
  return raised.sort((a, b) => b.score - a.score || compareText(a.name, b.name) || compareText(a.id, b.id));
}

function findFault(scores: unknown, count: number): string | undefined {
  if (!Array.isArray(scores) || scores.length !== count) return `it must give ${count} numbers, one for each candidate`;
  return scores.every((score) => Number.isFinite(score)) ? undefined : 'it gave something that is not a number';
}

function orderBy(results: readonly SkillSearchResult[], scores: readonly number[]): readonly SkillSearchResult[] {
  const order = [...results.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return order.flatMap((before, place) => {
    const result = results[before];
    if (result === undefined) return [];
    if (before === place) return [result];
    return [{ ...result, reasons: [...result.reasons, `moved from place ${before + 1} to ${place + 1} by a model`] }];
  });
}
