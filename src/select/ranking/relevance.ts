import type { SearchIndex } from '../index/search-index.ts';
import { findCandidates } from './candidates.ts';
import { PART_WEIGHTS } from './learned-weights.ts';
import { measureParts, PARTS, type Measured } from './parts.ts';
import type { Request } from './request.ts';

/** A document and its relevance to a request in plain words. */
export interface Relevance extends Measured {
  /** The sum of its weighted parts. */
  readonly sum: number;
  /** The same between 0 and 1. */
  readonly score: number;
  /** Points for use after similar requests, included in the sum; absent without such use. */
  readonly chosen?: { readonly times: number; readonly value: number; readonly points: number } | undefined;
}

export function scoreOf(sum: number): number {
  return sum / (HALF + sum);
}

/** The sum whose score is a half. */
const HALF = 5;

/** The documents that serve a request, best first: by shared words, then by how well those cover it and each other. */
export function rankByRelevance(
  index: SearchIndex,
  request: Request,
  isWanted?: (document: number) => boolean,
): readonly Relevance[] {
  return measureParts(index, request, findCandidates(index, request.words, isWanted))
    .map((measured) => {
      const sum = sumOf(measured);
      return { ...measured, sum, score: scoreOf(sum) };
    })
    .sort((a, b) => b.score - a.score || a.document - b.document);
}

/** A score with more points in its sum. */
export function raiseScore(score: number, points: number): number {
  const sum = (HALF * score) / (1 - score) + points;
  return sum / (HALF + sum);
}

/** A part of a score: how much of it there is (0 to about 1), and what that adds to the sum. */
export interface ScorePart {
  readonly part: (typeof PARTS)[number] | 'chosenBefore';
  readonly value: number;
  readonly points: number;
}

/** The parts of a sum that are not zero, the largest first. */
export function listParts({ parts, chosen }: Relevance): readonly ScorePart[] {
  const learned = chosen === undefined ? [] : [{ part: 'chosenBefore' as const, ...chosen }];
  return [
    ...PARTS.map((part) => ({ part, value: parts[part], points: pointsOf(part, parts[part]) })),
    ...learned.map(({ part, value, points }) => ({ part, value, points })),
  ]
    .filter(({ points }) => points !== 0)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
}

function sumOf({ parts }: Measured): number {
  let sum = 0;
  for (const part of PARTS) sum += pointsOf(part, parts[part]);
  // It shares a word with the request, however much speaks against it.
  return Math.max(LEAST, sum);
}

const LEAST = 0.001;

function pointsOf(part: (typeof PARTS)[number], value: number): number {
  return (part === 'excluded' ? -1 : 1) * PART_WEIGHTS[part] * value;
}
