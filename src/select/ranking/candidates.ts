import type { SearchIndex } from '../index/search-index.ts';
import type { KnownWord } from './request.ts';

/** A document with its strength in the first stage. */
export interface Candidate {
  readonly document: number;
  readonly score: number;
}

/** Number of candidates that reach the second stage. */
const CLOSE_LOOK = 50;

/** The first stage: the documents that speak most strongly of a request's words, best first. */
export function findCandidates(
  index: SearchIndex,
  words: readonly KnownWord[],
  isWanted?: (document: number) => boolean,
): readonly Candidate[] {
  return strongest(addImpacts(index, words), CLOSE_LOOK, isWanted);
}

/** BM25F: the strength of each document for these words. */
function addImpacts({ versions, documents, impacts }: SearchIndex, words: readonly KnownWord[]): Float32Array {
  const scores = new Float32Array(versions.length);
  for (const { from, to, positionWeight } of words)
    for (let row = from; row < to; row += 1) {
      const document = documents[row] ?? 0;
      scores[document] = (scores[document] ?? 0) + positionWeight * (impacts[row] ?? 0);
    }
  return scores;
}

/** The `limit` best, in order. Most documents are weaker than the weakest kept and cost nothing. */
function strongest(
  scores: Float32Array,
  limit: number,
  isWanted: ((document: number) => boolean) | undefined,
): readonly Candidate[] {
  const documents = new Uint32Array(limit + 1);
  const strengths = new Float32Array(limit + 1);
  let count = 0;
  let weakest = 0;
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    if (score <= weakest || isWanted?.(document) === false) continue;
    let at = count;
    for (; at > 0 && (strengths[at - 1] ?? 0) < score; at -= 1) {
      strengths[at] = strengths[at - 1] ?? 0;
      documents[at] = documents[at - 1] ?? 0;
    }
    strengths[at] = score;
    documents[at] = document;
    if (count < limit) count += 1;
    if (count === limit) weakest = strengths[limit - 1] ?? 0;
  }
  return Array.from(documents.subarray(0, count), (document, at) => ({ document, score: strengths[at] ?? 0 }));
}
