import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { findSkill } from '../catalog/find.ts';
import type { EvalCase } from './eval-cases.ts';
import {
  DEFAULT_TRIGGER_THRESHOLD,
  evaluate,
  judgeRanking,
  type EvaluatedSkills,
  type RankedSkill,
} from './evaluation.ts';

/** The same cases in every run: a failure here is a fault of the change at hand. */
const SEED = 20_261_115;

const SKILLS = [
  foundSkill('/skills/pdf', { name: 'PDF', description: 'Merge documents.' }).skill,
  foundSkill('/skills/mail', { description: 'Write letters.' }).skill,
  foundSkill('/skills/forms', { description: 'Fill in forms.' }).skill,
];

/** Skills that rank as the query says: `mail 0.4, forms` puts mail first. */
const skills: EvaluatedSkills = {
  rank: (query) => query.split(', ').flatMap((part) => toRanked(part.split(' '))),
  find: (name) => findSkill(SKILLS, name),
};

function toRanked([name = '', score = '0.4']: readonly string[]): readonly RankedSkill[] {
  return name === '' ? [] : [{ name, score: Number(score) }];
}

const wants = (query: string, ...gold: readonly string[]): EvalCase => ({ kind: 'find', query, gold });
const fires = (query: string, skill: string): EvalCase => ({ kind: 'trigger', query, skill, shouldTrigger: true });
const silent = (query: string, skill: string): EvalCase => ({ kind: 'trigger', query, skill, shouldTrigger: false });

describe('the eval figures of one ranking', () => {
  const names = 'a b c d e f g h i j k l'.split(' ');

  test.each([
    ['first', ['a'], { hit1: 1, recall5: 1, recall10: 1, mrr: 1, ndcg10: 1 }],
    ['second', ['b'], { hit1: 0, recall5: 1, recall10: 1, mrr: 0.5, ndcg10: 0.6309 }],
    ['fifth', ['e'], { hit1: 0, recall5: 1, recall10: 1, mrr: 0.2, ndcg10: 0.3869 }],
    ['sixth', ['f'], { hit1: 0, recall5: 0, recall10: 1, mrr: 0.1667, ndcg10: 0.3562 }],
    ['tenth', ['j'], { hit1: 0, recall5: 0, recall10: 1, mrr: 0.1, ndcg10: 0.2891 }],
    ['eleventh', ['k'], { hit1: 0, recall5: 0, recall10: 0, mrr: 0, ndcg10: 0 }],
    ['first and third', ['c', 'a'], { hit1: 1, recall5: 1, recall10: 1, mrr: 1, ndcg10: 0.9197 }],
    ['second and missing', ['b', 'z'], { hit1: 0, recall5: 0.5, recall10: 0.5, mrr: 0.5, ndcg10: 0.3869 }],
    ['named twice', ['b', 'b'], { hit1: 0, recall5: 1, recall10: 1, mrr: 0.5, ndcg10: 0.6309 }],
  ])('are right for gold that is %s', (_, gold, figures) => {
    expect(rounded(judgeRanking(names, gold))).toEqual(figures);
  });

  test('count unknown gold skills as missed', () => {
    const figures = { hit1: 1, recall5: 0.5, recall10: 0.5, mrr: 1, ndcg10: 0.5856 };
    expect(rounded(judgeRanking(names, ['a', 'c'], 4))).toEqual(figures);
  });

  test('allow a perfect score with more gold skills than ten places', () => {
    expect(rounded(judgeRanking(names, names))).toMatchObject({ ndcg10: 1, recall10: 0.8333 });
  });

  test('count a skill that is found twice once, and are zero for an empty result', () => {
    expect(rounded(judgeRanking(['x', 'x', 'a', 'a'], ['a']))).toMatchObject({ recall10: 1, mrr: 0.5 });
    expect(judgeRanking([], ['a'])).toEqual({ hit1: 0, recall5: 0, recall10: 0, mrr: 0, ndcg10: 0 });
    expect(judgeRanking(['a'], [])).toEqual({ hit1: 0, recall5: 0, recall10: 0, mrr: 0, ndcg10: 0 });
  });

  const ranking = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 10 });
  const gold = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 });

  test('are between 0 and 1 and consistent with each other for any ranking', () => {
    const check = (found: readonly string[], wanted: readonly string[], count: number): void => {
      const figures = judgeRanking(found, wanted, count);
      for (const figure of Object.values(figures)) expect(figure >= 0 && figure <= 1 + 1e-12).toBe(true);
      expect(figures.hit1).toBeLessThanOrEqual(figures.mrr);
      expect(figures.recall5).toBeLessThanOrEqual(figures.recall10);
      expect(figures.mrr > 0).toBe(figures.recall10 > 0);
    };
    const list = fc.array(fc.constantFrom(...names));
    fc.assert(fc.property(list, fc.array(fc.constantFrom(...names)), fc.nat(20), check), { seed: SEED });
  });

  test('with one gold skill are ordered as Hit@1 <= MRR <= nDCG@10 <= Recall@10', () => {
    const check = (found: readonly string[], name: string): void => {
      const { hit1, mrr, ndcg10, recall10 } = judgeRanking(found, [name]);
      expect([hit1, mrr, ndcg10, recall10]).toEqual([hit1, mrr, ndcg10, recall10].toSorted((a, b) => a - b));
    };
    fc.assert(fc.property(ranking, fc.constantFrom(...names), check), { seed: SEED });
  });

  test('are perfect if all gold skills come first', () => {
    const check = (wanted: readonly string[]): void => {
      const { hit1, mrr, ndcg10 } = judgeRanking([...wanted, 'other'], wanted);
      expect([hit1, mrr, ndcg10]).toEqual([1, 1, 1]);
    };
    fc.assert(fc.property(gold, check), { seed: SEED });
  });
});

describe('the eval report over all requests', () => {
  test('gives the means, with gold named by id or in any case', () => {
    const report = evaluate([wants('PDF', 'pdf'), wants('mail, PDF', 'Pdf'), wants('mail', 'forms')], skills);
    expect(report.requests).toBe(3);
    expect(rounded(report.ranking ?? {})).toEqual({
      hit1: 0.3333,
      recall5: 0.6667,
      recall10: 0.6667,
      mrr: 0.5,
      ndcg10: 0.5436,
    });
    expect(report).toMatchObject({ trigger: undefined, unknown: [] });
  });

  test('says which skill came first instead, most frequent first, with up to three examples', () => {
    const cases = [
      wants('forms, mail', 'mail'),
      wants('', 'mail'),
      ...['mail', 'mail', 'mail 0.1', 'mail 0.2', 'mail 0.3'].map((query) => wants(query, 'forms')),
      wants('forms', 'pdf', 'mail'),
      wants('forms', 'forms'),
    ];
    expect(evaluate(cases, skills).confusion).toEqual([
      { gold: ['forms'], stolenBy: 'mail', count: 5, requests: ['mail', 'mail 0.1', 'mail 0.2'] },
      { gold: ['PDF', 'mail'], stolenBy: 'forms', count: 1, requests: ['forms'] },
      { gold: ['mail'], stolenBy: 'forms', count: 1, requests: ['forms, mail'] },
      { gold: ['mail'], stolenBy: undefined, count: 1, requests: [''] },
    ]);
  });

  test('counts unknown gold names as misses and lists the known ones', () => {
    const report = evaluate([wants('mail', 'mial'), wants('PDF', 'PDF'), wants('PDF', 'a', 'mial')], skills);
    expect(report.ranking?.hit1).toBeCloseTo(1 / 3);
    expect(report.unknown).toEqual([
      { name: 'mial', count: 2, message: 'no skill called "mial"; available: PDF, mail, forms' },
      { name: 'a', count: 1, message: 'no skill called "a"; available: PDF, mail, forms' },
    ]);
  });

  test('reports an unknown name in a request that must not trigger', () => {
    expect(evaluate([silent('mail', 'mial')], skills)).toMatchObject({ unknown: [{ name: 'mial', count: 1 }] });
  });

  test('has no ranking figures if no request names a skill', () => {
    expect(evaluate([silent('mail', 'pdf')], skills)).toMatchObject({ requests: 0, ranking: undefined });
    expect(evaluate([], skills)).toEqual({
      requests: 0,
      ranking: undefined,
      trigger: undefined,
      confusion: [],
      missingWords: [],
      unknown: [],
    });
  });

  test('takes missing words from missed requests only', () => {
    const cases = [wants('mail, boss', 'forms'), wants('forms, chief', 'forms'), wants('forms 0.1, head', 'forms')];
    const report = evaluate(cases, skills);
    expect(report.missingWords).toEqual([
      {
        skill: 'forms',
        words: [
          { word: 'mail', count: 1 },
          { word: 'boss', count: 1 },
        ],
      },
    ]);
  });

  test('does not depend on the order of the requests', () => {
    const query = fc.constantFrom('mail', 'PDF, mail', 'forms 0.2, mail', '', 'mail 0.1, PDF');
    const name = fc.constantFrom('mail', 'pdf', 'forms', 'unknown');
    const one = fc.oneof(
      fc.tuple(query, name).map(([text, skill]) => wants(text, skill)),
      fc.tuple(query, name).map(([text, skill]) => fires(text, skill)),
      fc.tuple(query, name).map(([text, skill]) => silent(text, skill)),
    );
    const check = (cases: readonly EvalCase[]): void => {
      const [forwards, backwards] = [evaluate(cases, skills), evaluate(cases.toReversed(), skills)];
      expect(rounded(forwards.ranking ?? {})).toEqual(rounded(backwards.ranking ?? {}));
      const counts = ({ confusion, unknown, trigger, missingWords, requests }: typeof forwards): unknown => {
        const { falseAlarms, tooWeak, ...figures } = trigger ?? { falseAlarms: [], tooWeak: [] };
        const groups = [...confusion, ...falseAlarms, ...tooWeak].map((group) => ({ ...group, requests: [] }));
        return { figures, groups, unknown, missingWords, requests };
      };
      expect(counts(forwards)).toEqual(counts(backwards));
      const counted = forwards.trigger;
      const fired = (counted?.truePositives ?? 0) + (counted?.falsePositives ?? 0);
      const quiet = (counted?.trueNegatives ?? 0) + (counted?.falseNegatives ?? 0);
      expect(fired + quiet).toBe(cases.filter(({ kind }) => kind === 'trigger').length);
      const stolen = forwards.confusion.reduce((sum, { count }) => sum + count, 0);
      expect(stolen / Math.max(1, forwards.requests)).toBeCloseTo(1 - (forwards.ranking?.hit1 ?? 1));
    };
    fc.assert(fc.property(fc.array(one, { maxLength: 12 }), check), { numRuns: 300, seed: SEED });
  });
});

describe('the trigger figures of an eval', () => {
  const cases = [
    fires('PDF 0.9', 'pdf'),
    fires('PDF 0.3', 'pdf'),
    fires('PDF 0.29', 'pdf'),
    fires('mail 0.9, PDF 0.8', 'pdf'),
    fires('', 'pdf'),
    silent('PDF 0.3', 'pdf'),
    silent('PDF 0.29', 'pdf'),
    silent('mail 0.9, PDF 0.8', 'pdf'),
    wants('mail', 'mail'),
  ];

  test('count a skill as triggered if it ranks first with at least the threshold', () => {
    expect(DEFAULT_TRIGGER_THRESHOLD).toBe(0.3);
    expect(evaluate(cases, skills).trigger).toEqual({
      threshold: 0.3,
      precision: 2 / 3,
      recall: 2 / 5,
      f1: 0.5,
      truePositives: 2,
      falsePositives: 1,
      falseNegatives: 3,
      trueNegatives: 2,
      falseAlarms: [{ skill: 'PDF', count: 1, requests: ['PDF 0.3'] }],
      tooWeak: [{ skill: 'PDF', count: 1, requests: ['PDF 0.29'] }],
    });
  });

  test('follow the given threshold', () => {
    expect(evaluate(cases, skills, { threshold: 0 }).trigger).toMatchObject({ truePositives: 3, falsePositives: 2 });
    expect(evaluate(cases, skills, { threshold: 1 }).trigger).toMatchObject({
      threshold: 1,
      precision: undefined,
      recall: 0,
      f1: 0,
      falseAlarms: [],
    });
  });

  test('leave requests that must not trigger out of ranking and confusion', () => {
    const report = evaluate(cases, skills);
    expect(report.requests).toBe(6);
    expect(report.ranking?.hit1).toBeCloseTo(4 / 6);
    expect(report.confusion.map(({ stolenBy, count }) => [stolenBy, count])).toEqual([
      ['mail', 1],
      [undefined, 1],
    ]);
  });

  test('sum up several skills and list them separately, the worst first', () => {
    const { trigger } = evaluate([silent('PDF', 'pdf'), ...[1, 2].map(() => silent('mail', 'mail'))], skills);
    expect(trigger).toMatchObject({ precision: 0, recall: undefined, f1: 0, falsePositives: 3 });
    expect(trigger?.falseAlarms.map(({ skill, count }) => [skill, count])).toEqual([
      ['mail', 2],
      ['PDF', 1],
    ]);
  });

  test('name the words that would have made a weak request trigger', () => {
    const report = evaluate([fires('forms 0.1, zebra', 'forms')], skills);
    expect(report.missingWords).toEqual([{ skill: 'forms', words: [{ word: 'zebra', count: 1 }] }]);
  });
});

function rounded(figures: object): Readonly<Record<string, number>> {
  const entries = Object.entries(figures).map(([key, value]) => [key, Math.round(Number(value) * 10_000) / 10_000]);
  return Object.fromEntries(entries) as Record<string, number>;
}
