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

describe('one ranking', () => {
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
  ])('gold that is %s', (_, gold, figures) => {
    expect(rounded(judgeRanking(names, gold))).toEqual(figures);
  });

  test('skills that are not known by name count as missed', () => {
    const figures = { hit1: 1, recall5: 0.5, recall10: 0.5, mrr: 1, ndcg10: 0.5856 };
    expect(rounded(judgeRanking(names, ['a', 'c'], 4))).toEqual(figures);
  });

  test('more gold than ten places can still be ranked perfectly', () => {
    expect(rounded(judgeRanking(names, names))).toMatchObject({ ndcg10: 1, recall10: 0.8333 });
  });

  test('a skill that is found twice counts once, and nothing found is nothing', () => {
    expect(rounded(judgeRanking(['x', 'x', 'a', 'a'], ['a']))).toMatchObject({ recall10: 1, mrr: 0.5 });
    expect(judgeRanking([], ['a'])).toEqual({ hit1: 0, recall5: 0, recall10: 0, mrr: 0, ndcg10: 0 });
    expect(judgeRanking(['a'], [])).toEqual({ hit1: 0, recall5: 0, recall10: 0, mrr: 0, ndcg10: 0 });
  });

  const ranking = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 10 });
  const gold = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 });

  test('every figure is from 0 to 1, and a longer list never has less', () => {
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

  test('with one gold skill: Hit@1 <= MRR <= nDCG@10 <= Recall@10', () => {
    const check = (found: readonly string[], name: string): void => {
      const { hit1, mrr, ndcg10, recall10 } = judgeRanking(found, [name]);
      expect([hit1, mrr, ndcg10, recall10]).toEqual([hit1, mrr, ndcg10, recall10].toSorted((a, b) => a - b));
    };
    fc.assert(fc.property(ranking, fc.constantFrom(...names), check), { seed: SEED });
  });

  test('all gold first is perfect', () => {
    const check = (wanted: readonly string[]): void => {
      const { hit1, mrr, ndcg10 } = judgeRanking([...wanted, 'other'], wanted);
      expect([hit1, mrr, ndcg10]).toEqual([1, 1, 1]);
    };
    fc.assert(fc.property(gold, check), { seed: SEED });
  });
});

describe('all requests', () => {
  test('the figures are the means, and gold may be named by id or in another case', () => {
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

  test('says which skill came first instead, the commonest first, with three different examples', () => {
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

  test('names that no skill has count as misses and are said with the nearest', () => {
    const report = evaluate([wants('mail', 'mial'), wants('PDF', 'PDF'), wants('PDF', 'a', 'mial')], skills);
    expect(report.ranking?.hit1).toBeCloseTo(1 / 3);
    expect(report.unknown).toEqual([
      { name: 'mial', count: 2, message: 'there is no skill "mial"; there are PDF, mail, forms' },
      { name: 'a', count: 1, message: 'there is no skill "a"; there are PDF, mail, forms' },
    ]);
  });

  test('a name that no skill has is said too where it must not be triggered', () => {
    expect(evaluate([silent('mail', 'mial')], skills)).toMatchObject({ unknown: [{ name: 'mial', count: 1 }] });
  });

  test('no request that names a skill: no figures, rather than flattering or damning ones', () => {
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

  test('words that would have helped come from missed requests alone', () => {
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

  test('the figures do not depend on the order of the requests', () => {
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

describe('triggering', () => {
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

  test('a skill is triggered when it comes first with at least the threshold', () => {
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

  test('the threshold may be another', () => {
    expect(evaluate(cases, skills, { threshold: 0 }).trigger).toMatchObject({ truePositives: 3, falsePositives: 2 });
    expect(evaluate(cases, skills, { threshold: 1 }).trigger).toMatchObject({
      threshold: 1,
      precision: undefined,
      recall: 0,
      f1: 0,
      falseAlarms: [],
    });
  });

  test('requests that must not trigger are in no ranking and no confusion', () => {
    const report = evaluate(cases, skills);
    expect(report.requests).toBe(6);
    expect(report.ranking?.hit1).toBeCloseTo(4 / 6);
    expect(report.confusion.map(({ stolenBy, count }) => [stolenBy, count])).toEqual([
      ['mail', 1],
      [undefined, 1],
    ]);
  });

  test('several skills are counted together and listed apart, the worst first', () => {
    const { trigger } = evaluate([silent('PDF', 'pdf'), ...[1, 2].map(() => silent('mail', 'mail'))], skills);
    expect(trigger).toMatchObject({ precision: 0, recall: undefined, f1: 0, falsePositives: 3 });
    expect(trigger?.falseAlarms.map(({ skill, count }) => [skill, count])).toEqual([
      ['mail', 2],
      ['PDF', 1],
    ]);
  });

  test('a request that is too weak says which words would have made it stronger', () => {
    const report = evaluate([fires('forms 0.1, zebra', 'forms')], skills);
    expect(report.missingWords).toEqual([{ skill: 'forms', words: [{ word: 'zebra', count: 1 }] }]);
  });
});

function rounded(figures: object): Readonly<Record<string, number>> {
  const entries = Object.entries(figures).map(([key, value]) => [key, Math.round(Number(value) * 10_000) / 10_000]);
  return Object.fromEntries(entries) as Record<string, number>;
}
