import { findFlows } from '../flow/examine-flows.ts';
import type { FlowEnd, StatementBudget } from '../flow/follow-values.ts';
import type { AuditReport, FindingPlace } from '../report.ts';
import { TEXT_RULES } from '../rules/all-rules.ts';
import { ARCHIVES } from '../rules/files.ts';
import { rateFlow } from '../rules/flow.ts';
import { describeSecret, maskSecrets } from '../rules/mask-secrets.ts';
import { readWords } from '../rules/needed-words.ts';
import type { AuditCertainty, AuditSeverity, TextRule } from '../rules/rule.ts';
import { isDoubtful } from './doubts.ts';
import { findLastBefore, type FoldedText } from './fold-text.ts';
import type { TextRegion, TextRegions } from './text-regions.ts';

/** A text to examine, and how findings refer to it. */
export interface ReadableText {
  readonly place: FindingPlace;
  readonly folded: FoldedText;
  readonly regions: TextRegions;
  /** The program that runs the file, if that is known. */
  readonly interpreter?: string | undefined;
  /** One line for all findings, or `none`; by default, each finding has its own. */
  readonly fixedLine?: number | 'none' | undefined;
  /** Precedes each excerpt: how the text was encoded. */
  readonly prefix?: string | undefined;
}

/** The remaining budget of one skill's audit. Anything beyond it is reported; too many commands block the skill. */
export interface TextBudget extends StatementBudget {
  /** Commands after which rules look far ahead. */
  commands: number;
}

/** Far more than any script or manual has; a text full of them would take minutes. */
export const MAX_COMMANDS = 50_000;

/** Applies every text rule. */
export function examineText(readable: ReadableText, report: AuditReport, budget: TextBudget): void {
  const text = readable.folded.text.slice(0, spendCommands(readable, report, budget));
  const words = readWords(text);
  const judging: Judging = { readable, text, shown: maskSecrets(text, words), report };
  for (const rule of TEXT_RULES) {
    if (!words.hasNeeds(rule)) continue;
    const starts: number[] = [];
    const ends: number[] = [];
    for (const match of text.matchAll(rule.pattern)) {
      starts.push(match.index);
      ends.push(match.index + match[0].length);
      judge(rule, match, judging);
    }
    for (const match of findInOrder(rule, readable, text))
      if (match.index >= (ends[findLastBefore(starts, match.index)] ?? 0)) judge(rule, match, judging);
  }
  judgeFlows(judging, budget);
}

/** Finds the last pattern of each order where the others precede it in the same script or code block. */
function* findInOrder({ inOrder = [] }: TextRule, { regions }: ReadableText, text: string): Generator<RegExpExecArray> {
  for (const order of inOrder)
    for (const [at, { start, context }] of regions.all.entries()) {
      if (context !== 'code' && context !== 'fence') continue;
      const part = text.slice(start, regions.all[at + 1]?.start);
      let [step, from] = [0, 0];
      for (let match = searchFrom(0, order[0], part); match !== null; match = searchFrom(from, order[step], part)) {
        from = match.index + 1;
        if (step < order.length - 1) step += 1;
        else yield Object.assign(match, { index: start + match.index, input: text });
      }
    }
}

/** The first match at an offset or after it. */
function searchFrom(from: number, pattern: RegExp | undefined, text: string): RegExpExecArray | null {
  if (pattern === undefined) return null;
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  pattern.lastIndex = 0;
  return match;
}

const COMMANDS = /\b(?:curl|wget|fetch|iwr|irm|iex|eval|exec)\b/gi;

/** Where the text must end because its commands exceed the budget; undefined if they do not. */
function spendCommands(readable: ReadableText, report: AuditReport, budget: TextBudget): number | undefined {
  for (const { index } of readable.folded.text.matchAll(COMMANDS)) {
    budget.commands -= 1;
    if (budget.commands >= 0) continue;
    report.add(ARCHIVES.tooMuch, readable.place, {
      line: lineOf(readable, index),
      excerpt: 'so many commands that the rest was not examined',
    });
    return index;
  }
  return undefined;
}

/** The line for an offset in the text, if it has one. */
export function lineOf({ folded, fixedLine }: ReadableText, offset: number): number | undefined {
  return fixedLine === 'none' ? undefined : (fixedLine ?? folded.lineAt(offset));
}

interface Judging {
  readonly readable: ReadableText;
  readonly text: string;
  /** The text with masked secrets. */
  readonly shown: string;
  readonly report: AuditReport;
}

function judge(rule: TextRule, match: RegExpExecArray, { readable, text, shown, report }: Judging): void {
  const { place, regions, prefix = '' } = readable;
  const at = match.index + countLeadingBlanks(match[0]);
  const region = regions.at(at);
  if (rule.contexts?.includes(region.context) === false || rule.accepts?.(match) === false) return;
  const excerpt = rule.isSecret === true ? describeSecret(match) : cutExcerpt(shown, at, match[0].trim().length);
  const certainty = certaintyOf(rule, { text, start: at, end: match.index + match[0].length, region, place });
  const severity = severityOf(rule, match, region);
  report.add(rule, place, { line: lineOf(readable, at), severity, certainty, excerpt: `${prefix}${excerpt}` });
}

/** A finding at the place where a value arrives, with both ends. */
function judgeFlows({ readable, text, shown, report }: Judging, budget: TextBudget): void {
  const { place, regions, interpreter, prefix = '' } = readable;
  const hadRest = budget.statements >= 0;
  const flows = findFlows(text, regions.all, interpreter, budget);
  if (hadRest && budget.statements < 0) {
    const excerpt = 'so many statements that values were not followed to the end';
    // Libraries that a skill brings are as long.
    report.add(ARCHIVES.tooMuch, place, { severity: 'medium', excerpt });
  }
  for (const flow of flows) {
    const { start } = flow.to;
    const region = regions.at(start);
    const { rule, severity } = rateFlow(flow, region.context === 'code');
    const { sink } = flow.to;
    const match = { text, start: sink, end: sink + 1, region, place };
    const line = lineOf(readable, start);
    const source = lineOf(readable, flow.from.start);
    const from = source === undefined || source === line ? '' : ` (line ${source}: ${cutEnd(shown, flow.from)})`;
    const excerpt = `${prefix}${cutEnd(shown, flow.to)}${from}`;
    report.add(rule, place, { line, severity, certainty: certaintyOf({}, match), excerpt });
  }
}

const LONGEST_END = 70;

function cutEnd(shown: string, { start }: FlowEnd): string {
  const line = shown.slice(start, start + LONGEST_END);
  const end = line.indexOf('\n');
  return end === -1 ? line : line.slice(0, end);
}

function severityOf(rule: TextRule, match: RegExpExecArray, { context }: TextRegion): AuditSeverity {
  const { severity, inProse = severity, rate } = rule;
  return rate?.(match) ?? (context === 'prose' || context === 'frontmatter' ? inProse : severity);
}

interface MatchPlace {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly region: TextRegion;
  readonly place: FindingPlace;
}

function certaintyOf({ certainty }: Pick<TextRule, 'certainty'>, { place, ...match }: MatchPlace): AuditCertainty {
  if (certainty !== undefined) return certainty;
  return isDoubtful({ ...match, path: place.member ?? place.file }) ? 'possible' : 'likely';
}

function countLeadingBlanks(text: string): number {
  return text.length - text.trimStart().length;
}

const BEFORE = 30;
const SHORTEST = 120;

/** The match with some of its line around it. */
function cutExcerpt(text: string, at: number, length: number): string {
  const before = text.slice(Math.max(0, at - BEFORE), at);
  const start = before.slice(before.lastIndexOf('\n') + 1);
  const after = text.slice(at + length, at + Math.max(length, SHORTEST));
  const lineEnd = after.indexOf('\n');
  return `${start}${text.slice(at, at + length)}${lineEnd === -1 ? after : after.slice(0, lineEnd)}`;
}
