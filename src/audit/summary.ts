import { listSome } from '../model/list-some.ts';
import type { Audit } from './audit-files.ts';
import type { AuditFinding, FindingPlace } from './report.ts';
import { FILES } from './rules/files.ts';
import { SEVERITIES, type AuditSeverity } from './rules/rule.ts';

/** An audit in a few lines, for a question. */
export interface AuditSummary {
  /** The number of findings of each severity, unlisted ones included. */
  readonly counts: Readonly<Record<AuditSeverity, number>>;
  /** `2 high, 1 low`, or `no findings`. */
  readonly verdict: string;
  /** The worst rules, each with the places where it was found. Hostile text. */
  readonly lines: readonly string[];
  /** How many more rules were found. */
  readonly more: number;
  /** The number of scripts, and of compiled programs, which cannot be reviewed. */
  readonly scripts: number;
  readonly programs: number;
}

/** Must accompany every audit that is shown. */
export const AUDIT_ADVICE = 'The audit only catches known patterns; a clean result is not proof of safety.';

export interface SummaryOptions {
  /** The maximum number of lines; 5 by default. */
  readonly lines?: number;
}

export function summariseAudit(audit: Audit, { lines = 5 }: SummaryOptions = {}): AuditSummary {
  // Informational findings need no decision.
  const grave = audit.findings.filter(({ severity }) => severity !== 'info');
  const rules = [...Map.groupBy(grave, ({ rule }) => rule).values()];
  return {
    counts: audit.counts,
    verdict: describeCounts(audit.counts),
    lines: rules.slice(0, lines).map(describeRule),
    more: Math.max(0, rules.length - lines),
    ...countCode(audit),
  };
}

function countCode({ findings, scripts }: Audit): Pick<AuditSummary, 'scripts' | 'programs'> {
  const compiled = findings.filter(({ rule, member }) => COMPILED.has(rule) && member === undefined);
  const programs = new Set(compiled.map(({ file }) => file));
  return { scripts: scripts.filter(({ path }) => !programs.has(path)).length, programs: programs.size };
}

const COMPILED: ReadonlySet<string> = new Set([FILES.program.id, FILES.bytecode.id]);

export function describeCounts(counts: Readonly<Record<AuditSeverity, number>>): string {
  const present = SEVERITIES.filter((severity) => counts[severity] > 0);
  return present.length === 0 ? 'no findings' : present.map((severity) => `${counts[severity]} ${severity}`).join(', ');
}

function describeRule(findings: readonly AuditFinding[]): string {
  const [first] = findings;
  if (first === undefined) return '';
  const others = findings.slice(1).map(describePlace);
  const also = others.length === 0 ? '' : ` (also ${listSome(others, { most: MAX_PLACES })})`;
  return `${describeRating(first)} ${first.name} ${describePlace(first)}${also}: ${first.excerpt}`;
}

/** A finding in one line. Hostile text. */
export function describeFinding(finding: AuditFinding): string {
  return `${describeRating(finding)} ${finding.name} ${describePlace(finding)}: ${finding.excerpt}`;
}

/** `high`, or `high (possible)` */
export function describeRating({ severity, certainty }: Pick<AuditFinding, 'severity' | 'certainty'>): string {
  return certainty === 'possible' ? `${severity} (possible)` : severity;
}

const MAX_PLACES = 5;

/** `scripts/a.sh:3`, `a.zip!/run.sh:1` */
export function describePlace({ file, member, line }: FindingPlace & { readonly line?: number }): string {
  return `${file}${member === undefined ? '' : `!/${member}`}${line === undefined ? '' : `:${line}`}`;
}
