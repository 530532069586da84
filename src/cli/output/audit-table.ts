import type { Audit } from '../../audit/audit-files.ts';
import type { Mentioned } from '../../audit/inventory.ts';
import type { AuditFinding } from '../../audit/report.ts';
import { type AuditSeverity, SEVERITIES } from '../../audit/rules/rule.ts';
import { AUDIT_ADVICE, describeCounts, describePlace, summariseAudit } from '../../audit/summary.ts';
import type { AuditedSkills, SkillAudit } from '../../install/audit-skills.ts';
import { fitToWidth } from '../../model/display-width.ts';
import type { Output, Style } from './output.ts';
import { printFirst } from './print-first.ts';

/** Prints the contents and findings of each skill, worst findings first. */
export function printAudits(
  { origin, commit, audits }: Pick<AuditedSkills, 'origin' | 'commit' | 'audits'>,
  out: Output,
): void {
  out.line({ text: origin, style: 'dim' }, commit === undefined ? '' : ` at ${commit.slice(0, 12)}`);
  for (const audit of audits) printAudit(audit, out);
  out.line();
  if (audits.length > 1) printVerdicts(audits, out);
  out.line(AUDIT_ADVICE);
}

/** Prints the worst findings of the skills that have any, the worst skill first, and counts the others. */
export function printManyAudits(audits: readonly SkillAudit[], out: Output): void {
  const found = audits.filter(hasFindings).sort(byWorst);
  for (const audit of found) {
    const { lines, more, verdict } = summariseAudit(audit);
    out.line({ text: audit.name, style: 'bold' }, `  ${verdict}  `, { text: audit.path, style: 'dim' });
    for (const line of lines) out.line('  ', { text: fitToWidth(line, out.columns - 2), style: styleOf(line) });
    if (more > 0) out.line('  ', `and ${more} more`);
    out.line();
  }
  if (audits.length === 0) {
    out.line('No skills found.');
    return;
  }
  out.line(describeClean(audits.length - found.length, audits.length), ' Details of one: `skillplane audit <name>`');
  out.line(AUDIT_ADVICE);
}

function describeClean(clean: number, all: number): string {
  if (clean === all) return all === 1 ? 'No findings in 1 skill.' : `No findings in ${all} skills.`;
  return `${clean} of ${all} skills ${clean === 1 ? 'has' : 'have'} no findings.`;
}

function hasFindings(audit: SkillAudit): boolean {
  return Object.values(audit.counts).some((count) => count > 0);
}

function byWorst(a: SkillAudit, b: SkillAudit): number {
  const [one, other] = [a.counts, b.counts];
  const worst = SEVERITIES.find((severity) => one[severity] !== other[severity]);
  return worst === undefined ? 0 : other[worst] - one[worst];
}

function printVerdicts(audits: readonly SkillAudit[], out: Output): void {
  for (const audit of audits) out.line(audit.name, ': ', describeCounts(audit.counts));
}

/** A summary's line begins with the severity. */
function styleOf(line: string): Style {
  return STYLES[SEVERITIES.find((severity) => line.startsWith(severity)) ?? 'info'];
}

function printAudit(audit: SkillAudit, out: Output): void {
  const { name, path } = audit;
  out.line();
  out.line({ text: name, style: 'bold' }, path === '' ? '' : `  ${path}`);
  printFiles(audit, out);
  printMentions(audit, out);
  printFindings(audit, out);
}

/** The findings, the worst first, and their number. */
export function printFindings(audit: Audit, out: Output): void {
  for (const severity of SEVERITIES) printSeverity(severity, audit, out);
  const more = audit.unlisted.reduce((sum, { count }) => sum + count, 0);
  const rest = more === 0 ? '' : `; ${more} of them are not listed`;
  out.line({ text: `Audit: ${describeCounts(audit.counts)}${rest}`, style: 'bold' });
}

function printFiles({ files, scripts, toolsets }: Audit, out: Output): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const described = scripts.map(({ path, interpreter = 'no interpreter given' }) => `${path} (${interpreter})`);
  const sizes = files.map(({ path, size }) => `${path} (${size} bytes)`);
  printPart(`Files: ${files.length}, ${bytes} bytes`, sizes, out);
  printPart('Scripts', described, out);
  printPart('Toolsets', toolsets, out);
}

/** The servers and commands that the skill mentions. */
export function printMentions({ hosts, commands, unlistedMentions }: Audit, out: Output): void {
  printPart('Servers mentioned', hosts.map(describeMention), out);
  printPart('Commands mentioned', commands.map(describeMention), out);
  if (unlistedMentions > 0) out.line(`${unlistedMentions} more servers and commands`);
}

const SHOWN = 20;

/** A title and a few lines below it; nothing if there are no lines. */
export function printPart(title: string, lines: readonly string[], out: Output): void {
  if (lines.length === 0) return;
  out.line({ text: title, style: 'cyan' });
  printFirst(lines, {
    most: SHOWN,
    each: (line) => out.line('  ', fitToWidth(line, out.columns - 2)),
    rest: (text) => out.line('  ', text),
  });
}

function describeMention({ name, count, places: [first] }: Mentioned): string {
  const more = count > 1 ? `, ${count} times` : '';
  return first === undefined ? name : `${name}  ${describePlace(first)}${more}`;
}

const STYLES: Readonly<Record<AuditSeverity, Style>> = {
  critical: 'red',
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'dim',
};

/** Prints the findings of one severity, rule by rule: what, why it matters, where. */
function printSeverity(severity: AuditSeverity, { findings }: Audit, out: Output): void {
  const rules = Map.groupBy(
    findings.filter((finding) => finding.severity === severity),
    ({ rule }) => rule,
  );
  if (rules.size === 0) return;
  out.line({ text: severity.toUpperCase(), style: STYLES[severity] });
  for (const [rule, group] of rules) printRule(rule, group, out);
}

const SHOWN_PLACES = 10;

function printRule(rule: string, group: readonly AuditFinding[], out: Output): void {
  out.line('  ', { text: `${rule} ${group[0]?.name ?? ''}`, style: 'bold' });
  out.line('    ', { text: group[0]?.why ?? '', style: 'dim' });
  printFirst(group, {
    most: SHOWN_PLACES,
    each: (finding) => out.line('    ', fitToWidth(describeFound(finding), out.columns - 4)),
    rest: (text) => out.line('    ', text),
  });
}

function describeFound(finding: AuditFinding): string {
  const doubt = finding.certainty === 'possible' ? ' (possible)' : '';
  return `${describePlace(finding)}${doubt}: ${finding.excerpt}`;
}
