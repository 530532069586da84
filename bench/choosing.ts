import { judgeRanking } from '../src/evals/evaluation.ts';
import { buildSkillplane } from './engines.ts';
import { explainSkip, NEGATIVES, OUR_REQUESTS, readLines, REQUESTS, VENDOR } from './real-skills.ts';
import { readEntries, type Request } from './retrieval.ts';
import type { Section } from './table.ts';
import { collectSamples, predictHeldOut } from './train/calibration.ts';
import { crossValidate } from './train/cross-validation.ts';
import { FIXED_WEIGHTS } from './train/fixed-weights.ts';
import { readLessons } from './train/lessons.ts';

/** How well skills are chosen for each kind of request, and for skills and repositories that nothing was learned from. */
export function measureChoosing(): Section | string {
  const lessons = readLessons();
  if (lessons === undefined) return explainSkip('choosing', [VENDOR, REQUESTS, NEGATIVES]) ?? 'choosing: skipped';
  const { rank } = buildSkillplane(readEntries(VENDOR));
  const judged = readLines<Request>(REQUESTS).map(({ query, gold, ngold, source }) => ({
    source,
    ...judgeRanking(rank(query), gold, ngold),
  }));
  const row = (
    name: string,
    figures: readonly { readonly hit1: number; readonly ndcg10: number }[],
  ): readonly string[] => [
    name,
    String(figures.length),
    mean(figures.map(({ hit1 }) => hit1)).toFixed(3),
    mean(figures.map(({ ndcg10 }) => ndcg10)).toFixed(3),
    '',
  ];
  const held = (['skill', 'repository'] as const).map((by) => ({ by, ...crossValidate(lessons, by, FIXED_WEIGHTS) }));
  return {
    title: 'Choosing',
    note: `The same requests by source; without those that stand word for word in their skill; and with weights learned five times from the rest, by skill and by whole repositories, which are then neither answers nor rivals while learning. Wrong: the skill that an author keeps a request from comes first. ${OUR_REQUESTS}`,
    columns: ['requests', 'number', 'Hit@1', 'nDCG@10', 'wrong'],
    rows: [
      row('all', judged),
      ...[...Map.groupBy(judged, ({ source }) => source)].map(([source, group]) => row(source, group)),
      row(
        'all but in-skill utterances',
        judged.filter(({ source }) => source !== 'in-skill-utterances'),
      ),
      ...held.map(({ by, hit1, ndcg10, wrongFirst }) => [
        `all, held out by ${by}`,
        String(judged.length),
        hit1.toFixed(3),
        ndcg10.toFixed(3),
        `${(100 * wrongFirst).toFixed(1)} %`,
      ]),
    ],
  };
}

const BINS = 10;

/** Whether a confidence of 0.9 means nine of ten, for repositories that it was not learned from. */
export function measureCalibration(): Section | string {
  const skip = explainSkip('calibration', [VENDOR, REQUESTS, NEGATIVES]);
  if (skip !== undefined) return skip;
  const samples = predictHeldOut(collectSamples());
  const libraries = [...new Set(samples.map(({ library }) => library))].filter((library) => library !== 'negatives');
  return {
    title: 'Confidence',
    note: `First results of libraries of so many skills: each request once with the skills that serve it, once without them. Confidence was learned from other repositories. The columns say how many of the results were right. ${OUR_REQUESTS}`,
    columns: ['confidence', 'results', 'mean', 'right', ...libraries.map((library) => `${library} skills`)],
    rows: Array.from({ length: BINS }, (_, bin) => {
      const own = samples.filter(({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === bin);
      const right = (group: typeof own): string =>
        group.length === 0 ? '' : mean(group.map(({ isRight }) => Number(isRight))).toFixed(2);
      return [
        `${bin / BINS} to ${(bin + 1) / BINS}`,
        String(own.length),
        mean(own.map(({ confidence }) => confidence)).toFixed(2),
        right(own),
        ...libraries.map((library) => right(own.filter((sample) => sample.library === library))),
      ];
    }),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
