import { compareText } from '../model/order.ts';
import { maskSecrets, shortenMasks } from './rules/mask-secrets.ts';
import { SEVERITIES, type AuditSeverity, type Rule } from './rules/rule.ts';

/** A file of the skill, or a member of an archive in it. */
export interface Place {
  /** Relative to the skill, with `/` between segments. */
  readonly file: string;
  /** The path inside the archive that `file` is; `inner.zip!/run.sh` where it lies in one inside. */
  readonly member?: string;
}

/** One thing to look at before the skill is trusted. */
export interface AuditFinding extends Place {
  readonly rule: string;
  readonly name: string;
  readonly severity: AuditSeverity;
  /** From 1; absent where the finding is about a file, or about one without lines. */
  readonly line?: number;
  /** What was found, on one line; characters that are not seen are spelled as `\u{…}`, secrets are cut. */
  readonly excerpt: string;
  readonly why: string;
}

/** Findings of a rule and severity in a file that are counted only, because there are so many. */
export interface UnlistedFindings extends Place {
  readonly rule: string;
  readonly severity: AuditSeverity;
  readonly count: number;
}

export interface FindingDetails {
  readonly excerpt: string;
  readonly line?: number | undefined;
  readonly severity?: AuditSeverity | undefined;
}

/** Collects findings while files are read. */
export interface AuditReport {
  add(rule: Rule, place: Place, details: FindingDetails): void;
  /** The worst first, then by place. */
  close(): { readonly findings: readonly AuditFinding[]; readonly unlisted: readonly UnlistedFindings[] };
}

/** How many findings of one rule and severity are listed: in one file, and in all of them. */
export const LISTED_PER_FILE = 20;
export const LISTED_PER_RULE = 400;

export function openReport(): AuditReport {
  const findings = new Map<string, AuditFinding>();
  const unlisted = new Map<string, UnlistedFindings>();
  const listed = new Map<string, number>();
  /** Takes one of the places that are left for a group, if any is. */
  const take = (group: string, most: number): boolean => {
    const count = listed.get(group) ?? 0;
    if (count < most) listed.set(group, count + 1);
    return count < most;
  };
  return {
    add({ id, name, severity: usual, why }, place, { excerpt, line, severity = usual }) {
      const group = JSON.stringify([id, severity, place.file, place.member]);
      const key = `${group}:${line ?? excerpt}`;
      if (findings.has(key)) return;
      if (take(group, LISTED_PER_FILE) && take(`${id} ${severity}`, LISTED_PER_RULE)) {
        const at = line === undefined ? {} : { line };
        findings.set(key, { rule: id, name, severity, ...place, ...at, excerpt: showExcerpt(excerpt), why });
        return;
      }
      const count = (unlisted.get(group)?.count ?? 0) + 1;
      unlisted.set(group, { rule: id, severity, ...place, count });
    },
    close: () => ({
      findings: [...findings.values()].sort(compareFindings),
      unlisted: [...unlisted.values()].sort((a, b) => compareText(a.rule, b.rule) || comparePlaces(a, b)),
    }),
  };
}

const MAX_EXCERPT = 160;

const LONGEST_READ = 8192;

/** One line in which every character is seen, and no secret whole. */
function showExcerpt(text: string): string {
  const line = text.slice(0, LONGEST_READ).replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(shortenMasks(maskSecrets(line)).slice(0, 2 * MAX_EXCERPT));
  const cut = characters.length > MAX_EXCERPT ? [...characters.slice(0, MAX_EXCERPT - 1), '…'] : characters;
  return cut.join('').replaceAll(UNSEEN, (unseen) => `\\u{${(unseen.codePointAt(0) ?? 0).toString(16)}}`);
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function compareFindings(a: AuditFinding, b: AuditFinding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareText(a.rule, b.rule) ||
    comparePlaces(a, b) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.excerpt, b.excerpt)
  );
}

function comparePlaces(a: Place, b: Place): number {
  return compareText(a.file, b.file) || compareText(a.member ?? '', b.member ?? '');
}
