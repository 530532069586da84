import type { AuditReport, FindingPlace } from '../report.ts';
import { TEXT_RULES } from '../rules/all-rules.ts';
import { ARCHIVES } from '../rules/files.ts';
import { describeSecret, maskSecrets } from '../rules/mask-secrets.ts';
import { openRuleFilter } from '../rules/rule-filters.ts';
import type { TextContext, TextRule } from '../rules/rule.ts';
import { markGrams } from '../rules/text-grams.ts';
import type { FoldedText } from './fold-text.ts';
import type { TextRegions } from './text-regions.ts';

/** A text to examine, and how findings refer to it. */
export interface ReadableText {
  readonly place: FindingPlace;
  readonly folded: FoldedText;
  readonly regions: TextRegions;
  /** One line for all findings, or `none`; by default, each finding has its own. */
  readonly fixedLine?: number | 'none' | undefined;
  /** Precedes each excerpt: how the text was encoded. */
  readonly prefix?: string | undefined;
}

/** The rest of what an audit examines of one skill. Whatever exceeds it is reported, and refuses the skill. */
export interface TextBudget {
  /** Commands after which rules look far ahead. */
  commands: number;
}

/** Far more than any script or manual has; a text full of them would take minutes. */
export const MAX_COMMANDS = 50_000;

/** Applies every text rule. */
export function examineText(readable: ReadableText, report: AuditReport, budget: TextBudget): void {
  const { folded } = readable;
  const { freshFrom } = folded;
  const text = folded.text.slice(0, spendCommands(readable, report, budget));
  const grams = markGrams(text);
  const shown = maskSecrets(text, grams);
  for (const { rule, mayMatch } of FILTERED_RULES) {
    if (!mayMatch(grams)) continue;
    for (const match of text.matchAll(rule.pattern))
      if (match.index + match[0].length > freshFrom - FURTHEST_LOOK) judge(rule, match, { readable, shown, report });
  }
}

const COMMANDS = /\b(?:curl|wget|fetch|iwr|irm|iex|eval|exec)\b/gi;

/** Where the text must end because its commands exceed the budget; undefined if they do not. */
function spendCommands(readable: ReadableText, report: AuditReport, budget: TextBudget): number | undefined {
  for (const { index } of readable.folded.text.matchAll(COMMANDS)) {
    if (index < readable.folded.freshFrom) continue;
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

/** Most texts have nothing of what most rules look for. */
const FILTERED_RULES = TEXT_RULES.map((rule) => ({ rule, mayMatch: openRuleFilter(rule) }));

/** How far after a match a rule may look: matches this close to the border are examined again with the next piece. */
const FURTHEST_LOOK = 512;

/** The line for an offset in the text, if it has one. */
export function lineOf({ folded, fixedLine }: ReadableText, offset: number): number | undefined {
  return fixedLine === 'none' ? undefined : (fixedLine ?? folded.lineAt(offset));
}

interface Judging {
  readonly readable: ReadableText;
  /** The text with masked secrets. */
  readonly shown: string;
  readonly report: AuditReport;
}

function judge(rule: TextRule, match: RegExpExecArray, { readable, shown, report }: Judging): void {
  const { place, regions, prefix = '' } = readable;
  const at = match.index + countLeadingBlanks(match[0]);
  const { context } = regions.at(at);
  if (rule.contexts?.includes(context) === false || rule.accepts?.(match) === false) return;
  const excerpt = rule.isSecret === true ? describeSecret(match) : cutExcerpt(shown, at, match[0].trim().length);
  const details = { line: lineOf(readable, at), severity: severityOf(rule, context) };
  report.add(rule, place, { ...details, excerpt: `${prefix}${excerpt}` });
}

function severityOf({ severity, inDocuments = severity }: TextRule, context: TextContext): TextRule['severity'] {
  return context === 'code' ? severity : inDocuments;
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
