import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Skills } from '../../engine/open-skills.ts';
import { compareEvals, type SkillEvalComparison } from '../../evals/compare-evals.ts';
import { evaluateSkills, type SkillEvaluation } from '../../evals/evaluate-skills.ts';
import type { EvalReport } from '../../evals/evaluation.ts';
import { fitToWidth } from '../../model/display-width.ts';
import type { Outcome } from '../../model/outcome.ts';
import { plural } from '../../model/plural.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { resolveSkillPaths } from '../input/skill-paths.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { printFirst } from '../output/print-first.ts';
import { suggestForAll } from './suggest-words.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const paths = await resolveSkillPaths(invocation);
  const minimum = options.share('minHit1');
  const settings = { skill: options.text('skill'), threshold: options.share('threshold') };
  const other = options.text('compare');
  const isSuggesting = options.has('suggest');
  if (isSuggesting && (other !== undefined || minimum !== undefined))
    throw new WrongUsage('--suggest works with neither --compare nor --min-hit1');
  await using engine = await openEngine(invocation);
  if (isSuggesting) return await suggestForAll(engine, { paths, ...settings }, invocation);
  if (other !== undefined) return await compareAll(engine, { paths, other, skill: settings.skill }, invocation);
  const results: object[] = [];
  const isMany = paths.length > 1;
  let code = 0;
  for (const path of paths) {
    const evaluation = await evaluateSkills(engine, path, settings);
    // With many skills, those without requests are skipped.
    const isSkipped = isMany && !evaluation.ok && evaluation.code === 'RESOURCE_NOT_FOUND' && existsSync(path);
    const refusal = evaluation.ok && minimum !== undefined ? refuse(evaluation, minimum) : undefined;
    if (!isSkipped && (!evaluation.ok || refusal !== undefined)) code = 1;
    if (isJson) results.push(describe(evaluation, refusal, isMany ? path : undefined));
    else if (isSkipped) out.note(evaluation.message);
    else if (!evaluation.ok) reportFailure(invocation, evaluation);
    else {
      if (isMany) out.line({ text: path, style: 'bold' });
      printEvaluation(evaluation, out);
      if (refusal !== undefined) out.error({ text: 'skillplane: ', style: 'red' }, refusal.message);
      if (isMany) out.line();
    }
  }
  if (isJson) out.json(isMany ? { ok: code === 0, results } : results[0]);
  return code;
}

interface ComparedPaths {
  readonly paths: readonly string[];
  readonly other: string;
  readonly skill: string | undefined;
}

async function compareAll(
  engine: Skills,
  { paths, other, skill }: ComparedPaths,
  invocation: Invocation,
): Promise<ExitCode> {
  const { cwd, isJson, out } = invocation;
  const results: object[] = [];
  const place = resolve(cwd, other);
  let code: ExitCode = 0;
  for (const path of paths) {
    const compared = await compareEvals(engine, path, { other: existsSync(place) ? place : other, skill });
    if (!compared.ok) code = 1;
    if (isJson) results.push(compared.ok ? compared : { ...compared, file: path });
    else if (!compared.ok) reportFailure(invocation, compared);
    else printComparison(compared, out);
  }
  if (isJson) out.json(paths.length > 1 ? { ok: code === 0, results } : results[0]);
  return code;
}

function printComparison({ requests, other, figures, better, worse }: SkillEvalComparison, out: Output): void {
  out.line({ text: `${plural(requests, 'request')}, compared with ${other}`, style: 'bold' });
  for (const [key, title] of FIGURES) {
    const { before, after, difference, low, high, isNoise } = figures[key];
    const change = difference === 0 ? 'the same' : `${signed(difference)} (${signed(low)} to ${signed(high)})`;
    const verdict = difference !== 0 && isNoise ? ', may be chance' : '';
    out.line(
      '  ',
      title.padEnd(11),
      `${before.toFixed(3)} \u2192 `,
      { text: after.toFixed(3), style: 'cyan' },
      `  ${change}${verdict}`,
    );
  }
  printList('Better now', better.map(toItem), out);
  printList('Worse now', worse.map(toItem), out);
}

function signed(figure: number): string {
  return `${figure < 0 ? '' : '+'}${figure.toFixed(3)}`;
}

function toItem(text: string): Item {
  return { text: text.replaceAll(/\s+/g, ' '), details: [] };
}

function describe(
  evaluation: Outcome<SkillEvaluation>,
  refusal: Refusal | undefined,
  path: string | undefined,
): object {
  if (evaluation.ok) return { ...evaluation, ok: refusal === undefined, ...refusal };
  return { ...evaluation, file: path };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Says why the minimum is missed. Requests that could not be read miss it, too. */
function refuse({ ranking, problems }: SkillEvaluation, minimum: number): Refusal | undefined {
  const code = 'HIT1_BELOW_MINIMUM';
  if (ranking === undefined) return { code, message: 'no request names a skill to find, so there is no Hit@1' };
  if (ranking.hit1 < minimum)
    return { code, message: `Hit@1 is ${ranking.hit1.toFixed(3)}, less than the minimum of ${minimum}` };
  if (problems.length === 0) return undefined;
  return { code: 'PARSE_FAILED', message: `${problems.length} of the entries could not be used` };
}

const FIGURES = [
  ['hit1', 'Hit@1'],
  ['recall5', 'Recall@5'],
  ['recall10', 'Recall@10'],
  ['mrr', 'MRR'],
  ['ndcg10', 'nDCG@10'],
] as const;

type Trigger = NonNullable<EvalReport['trigger']>;

function printEvaluation({ problems, ...report }: SkillEvaluation, out: Output): void {
  const { requests, ranking, trigger, confusion, missingWords, unknown } = report;
  printProblems(problems, out);
  out.line({ text: `${plural(requests, 'request')} with a skill to find`, style: 'bold' });
  if (ranking !== undefined) for (const [key, title] of FIGURES) printFigure(title, ranking[key], out);
  if (trigger !== undefined) printTrigger(trigger, out);
  printList('Where another skill came first', confusion.map(describeConfusion), out);
  printList('Triggered, but should not be', (trigger?.falseAlarms ?? []).map(describeGroup), out);
  printList('First, but below the threshold', (trigger?.tooWeak ?? []).map(describeGroup), out);
  printList('Words that would have helped', missingWords.map(describeWords), out);
  printList('Not found among the skills', unknown.map(describeUnknown), out);
}

function printFigure(title: string, figure: number | undefined, out: Output): void {
  out.line('  ', title.padEnd(11), { text: figure?.toFixed(3) ?? '-', style: 'cyan' });
}

function printTrigger(trigger: Trigger, out: Output): void {
  const { threshold, truePositives, falsePositives, falseNegatives, trueNegatives } = trigger;
  out.line();
  out.line({ text: `Triggered: first, with a score of ${threshold} or more`, style: 'bold' });
  printFigure('Precision', trigger.precision, out);
  printFigure('Recall', trigger.recall, out);
  printFigure('F1', trigger.f1, out);
  const right = `${truePositives} of ${truePositives + falseNegatives} that should be`;
  out.line('  ', `${right}, ${falsePositives} of ${falsePositives + trueNegatives} that should not`);
}

/** A line of a list, with details below it. */
interface Item {
  readonly text: string;
  readonly details: readonly string[];
}

const SHOWN_ITEMS = 10;

function printList(title: string, items: readonly Item[], out: Output): void {
  if (items.length === 0) return;
  out.line();
  out.line({ text: title, style: 'bold' });
  printFirst(items, { most: SHOWN_ITEMS, each: (item) => printItem(item, out), rest: (text) => out.line('  ', text) });
}

function printItem({ text, details }: Item, out: Output): void {
  out.line('  ', fitToWidth(text, out.columns - 2));
  for (const detail of details) {
    const line = fitToWidth(detail.replaceAll(/\s+/g, ' ').trim(), out.columns - 6);
    out.line('      ', { text: line, style: 'dim' });
  }
}

function describeConfusion({ gold, stolenBy, count: times, requests }: EvalReport['confusion'][number]): Item {
  const first = stolenBy === undefined ? 'nothing was found' : `${stolenBy} came first`;
  return { text: `${gold.join(', ')}: ${first} (${times})`, details: requests };
}

function describeGroup({ skill, count: times, requests }: Trigger['falseAlarms'][number]): Item {
  return { text: `${skill} (${times})`, details: requests };
}

function describeWords({ skill, words }: EvalReport['missingWords'][number]): Item {
  const told = words.map(({ word, count: times }) => (times === 1 ? word : `${word} (${times})`));
  return { text: skill, details: [told.join(', ')] };
}

function describeUnknown({ name, count: times, message }: EvalReport['unknown'][number]): Item {
  return { text: `${name} (${times})`, details: [message] };
}

function printProblems(problems: SkillEvaluation['problems'], out: Output): void {
  printFirst(problems, {
    most: SHOWN_ITEMS,
    each: ({ file, place, message }) =>
      out.note({ text: 'warning: ', style: 'yellow' }, `${file}: ${place} ${message}`),
    rest: (text) => out.note(text),
  });
}
