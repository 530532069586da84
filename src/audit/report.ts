import { compareText } from '../model/order.ts';
import { UNSEEN } from '../model/unseen.ts';
import { maskSecrets, shortenMasks } from './rules/mask-secrets.ts';
import { CERTAINTIES, SEVERITIES, type AuditCertainty, type AuditSeverity, type Rule } from './rules/rule.ts';

/** A file of the skill, or a member of an archive in it. */
export interface FindingPlace {
  /** Relative to the skill, with `/` between segments. */
  readonly file: string;
  /** The path inside the archive `file`; `inner.zip!/run.sh` for a nested archive. */
  readonly member?: string;
}

/** A rule, and a place where it was found. */
export interface FoundRule extends FindingPlace {
  readonly rule: string;
  readonly name: string;
  readonly severity: AuditSeverity;
  readonly certainty: AuditCertainty;
  /** Counted from 1; undefined if the finding is about the whole file, or the file has no lines. */
  readonly line?: number;
}

/** One thing to look at before trusting the skill. */
export interface AuditFinding extends FoundRule {
  /** The text that was found, on one line: invisible characters as `\u{…}`, secrets cut. */
  readonly excerpt: string;
  readonly why: string;
}

/** Further findings of one rule, severity and certainty in a file, which are only counted because there are so many. */
export interface UnlistedFindings extends FindingPlace {
  readonly rule: string;
  readonly severity: AuditSeverity;
  readonly certainty: AuditCertainty;
  readonly count: number;
}

export interface FindingDetails {
  readonly excerpt: string;
  readonly line?: number | undefined;
  readonly severity?: AuditSeverity | undefined;
  /** `certain` by default. */
  readonly certainty?: AuditCertainty | undefined;
}

/** Collects findings. */
export interface AuditReport {
  add(rule: Rule, place: FindingPlace, details: FindingDetails): void;
  close(): ReportedFindings;
}

interface ReportedFindings {
  /** The number of findings of each severity, unlisted ones included. */
  readonly counts: Readonly<Record<AuditSeverity, number>>;
  /** The worst first, then by place. */
  readonly findings: readonly AuditFinding[];
  readonly unlisted: readonly UnlistedFindings[];
}

/** How many findings of one rule, severity and certainty are listed: per file, and in all. */
export const LISTED_PER_FILE = 20;
export const LISTED_PER_RULE = 400;

export function openReport(): AuditReport {
  const findings = new Map<string, AuditFinding>();
  const unlisted = new Map<string, UnlistedFindings>();
  const listed = new Map<string, number>();
  /** Counts one more of a group, unless it is full. */
  const take = (group: string, most: number): boolean => {
    const count = listed.get(group) ?? 0;
    if (count < most) listed.set(group, count + 1);
    return count < most;
  };
  return {
    add({ id, name, severity: usual, why }, place, { excerpt, line, severity = usual, certainty = 'certain' }) {
      const group = JSON.stringify([id, severity, certainty, place.file, place.member]);
      const key = JSON.stringify([id, place.file, place.member, line ?? excerpt]);
      const known = findings.get(key);
      if (known !== undefined && compareRatings(known, { severity, certainty }) <= 0) return;
      if (take(group, LISTED_PER_FILE) && take(`${id} ${severity} ${certainty}`, LISTED_PER_RULE)) {
        const at = line === undefined ? {} : { line };
        findings.set(key, { rule: id, name, severity, certainty, ...place, ...at, excerpt: showExcerpt(excerpt), why });
        return;
      }
      const count = (unlisted.get(group)?.count ?? 0) + 1;
      unlisted.set(group, { rule: id, severity, certainty, ...place, count });
    },
    close: () => ({
      counts: countFindings(findings.values(), unlisted.values()),
      findings: [...findings.values()].sort(compareFindings),
      unlisted: [...unlisted.values()].sort((a, b) => compareText(a.rule, b.rule) || comparePlaces(a, b)),
    }),
  };
}

function countFindings(
  findings: Iterable<AuditFinding>,
  unlisted: Iterable<UnlistedFindings>,
): ReportedFindings['counts'] {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  for (const { severity, count } of unlisted) counts[severity] += count;
  return counts;
}

const MAX_EXCERPT = 160;

const LONGEST_READ = 8192;

/** One line with all characters visible and all secrets masked. */
function showExcerpt(text: string): string {
  const line = text.slice(0, LONGEST_READ).replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(shortenMasks(maskSecrets(line)).slice(0, 2 * MAX_EXCERPT));
  const cut = characters.length > MAX_EXCERPT ? [...characters.slice(0, MAX_EXCERPT - 1), '…'] : characters;
  return cut.join('').replaceAll(HIDDEN, (unseen) => `\\u{${(unseen.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Private use characters as well: each font shows them differently. */
const HIDDEN = new RegExp(`[${UNSEEN}\\p{Cf}\\p{Co}]`, 'gv');

type Rating = Pick<FoundRule, 'severity' | 'certainty'>;

/** Of two ratings of one place, the one that is more than possible counts, then the worse one. */
function compareRatings(a: Rating, b: Rating): number {
  return (
    Number(a.certainty === 'possible') - Number(b.certainty === 'possible') ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty)
  );
}

/** The findings of a report with further ones. */
export function addFindings(
  { findings, unlisted }: Pick<ReportedFindings, 'findings' | 'unlisted'>,
  added: readonly AuditFinding[],
): Pick<ReportedFindings, 'findings' | 'counts'> {
  const all = [...findings, ...added].sort(compareFindings);
  return { findings: all, counts: countFindings(all, unlisted) };
}

function compareFindings(a: AuditFinding, b: AuditFinding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    Number(a.certainty === 'possible') - Number(b.certainty === 'possible') ||
    compareText(a.rule, b.rule) ||
    comparePlaces(a, b) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.excerpt, b.excerpt)
  );
}

function comparePlaces(a: FindingPlace, b: FindingPlace): number {
  return compareText(a.file, b.file) || compareText(a.member ?? '', b.member ?? '');
}
