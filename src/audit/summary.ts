import type { Audit } from './audit-files.ts';
import type { AuditFinding, Place } from './report.ts';
import { SEVERITIES, type AuditSeverity } from './rules/rule.ts';

/** An audit in a few lines, for whoever is about to decide. */
export interface AuditSummary {
  /** How many findings there are of each severity, those that are not listed too. */
  readonly counts: Readonly<Record<AuditSeverity, number>>;
  /** `2 high, 1 low`, or that nothing was found. */
  readonly verdict: string;
  /** The worst rules, each with the first place where it was found; text out of a skill, to be encoded. */
  readonly lines: readonly string[];
  /** Rules that were found and are in none of the lines. */
  readonly more: number;
}

/** What must stand beside every audit that is shown. */
export const AUDIT_ADVICE = 'This is advice: the rules find only what they know, and finding nothing proves nothing.';

export interface SummaryOptions {
  /** How many lines at most; 5. */
  readonly lines?: number;
}

export function summariseAudit(audit: Audit, { lines = 5 }: SummaryOptions = {}): AuditSummary {
  const counts = countFindings(audit);
  // What is merely worth knowing is no reason to pause before a question.
  const grave = audit.findings.filter(({ severity }) => severity !== 'info');
  const rules = [...Map.groupBy(grave, ({ rule }) => rule).values()];
  return {
    counts,
    verdict: describeCounts(counts),
    lines: rules.slice(0, lines).map(describeRule),
    more: Math.max(0, rules.length - lines),
  };
}

export function countFindings({ findings, unlisted }: Audit): Readonly<Record<AuditSeverity, number>> {
  const counts: Record<AuditSeverity, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  for (const { severity, count } of unlisted) counts[severity] += count;
  return counts;
}

export function describeCounts(counts: Readonly<Record<AuditSeverity, number>>): string {
  const present = SEVERITIES.filter((severity) => counts[severity] > 0);
  return present.length === 0 ? 'no findings' : present.map((severity) => `${counts[severity]} ${severity}`).join(', ');
}

function describeRule(findings: readonly AuditFinding[]): string {
  const [first] = findings;
  if (first === undefined) return '';
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return `${first.severity} ${first.name} ${describePlace(first)}: ${first.excerpt}${more}`;
}

/** `scripts/a.sh:3`, `a.zip!/run.sh:1` */
export function describePlace({ file, member, line }: Place & { readonly line?: number }): string {
  return `${file}${member === undefined ? '' : `!/${member}`}${line === undefined ? '' : `:${line}`}`;
}
