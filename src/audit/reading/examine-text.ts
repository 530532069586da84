import type { AuditReport, FindingPlace } from '../report.ts';
import { TEXT_RULES } from '../rules/all-rules.ts';
import { ARCHIVES } from '../rules/files.ts';
import { describeSecret, maskSecrets } from '../rules/mask-secrets.ts';
import { openRuleFilter } from '../rules/rule-filters.ts';
import type { TextContext, TextRule } from '../rules/rule.ts';
import { markGrams } from '../rules/text-grams.ts';
import type { FoldedText } from './fold-text.ts';
import type { TextRegions } from './text-regions.ts';
import { thinCrowd } from './thin-crowd.ts';

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

/** Applies every text rule. */
export function examineText(readable: ReadableText, report: AuditReport): void {
  const { folded, place } = readable;
  const { freshFrom } = folded;
  const { text, firstOut } = thinCrowd(folded.text);
  if (firstOut !== undefined)
    report.add(ARCHIVES.unread, place, {
      line: lineOf(readable, firstOut),
      excerpt: `the same commands again and again; not each was examined: ${text.slice(Math.max(0, firstOut - SHORTEST), firstOut)}`,
    });
  const grams = markGrams(text);
  const shown = maskSecrets(text, grams);
  for (const { rule, mayMatch } of FILTERED_RULES) {
    if (!mayMatch(grams)) continue;
    for (const match of text.matchAll(rule.pattern))
      if (match.index + match[0].length > freshFrom - FURTHEST_LOOK) judge(rule, match, { readable, shown, report });
  }
}

/** Most texts have nothing of what most rules look for. */
const FILTERED_RULES = TEXT_RULES.map((rule) => ({ rule, mayMatch: openRuleFilter(rule) }));

/** Reads the patterns of all rules, which the first text would have to wait for. */
export function prepareRules(): void {
  const grams = markGrams('');
  for (const { mayMatch } of FILTERED_RULES) mayMatch(grams);
}

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
