import {
  type Audit,
  AUDIT_ADVICE,
  type AuditedSkills,
  type AuditFinding,
  type AuditSeverity,
  countFindings,
  describeCounts,
  describePlace,
  type Mentioned,
  SEVERITIES,
  type SkillAudit,
  summariseAudit,
} from '../../audit.ts';
import { fitToWidth } from '../../model/display-width.ts';
import type { Output, Style } from './output.ts';
import { printFirst } from './print-first.ts';

/** Prints for each skill what it brings and the findings, the worst first. */
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

/** Prints the worst findings of many skills, then one line for each. */
export function printManyAudits(audits: readonly SkillAudit[], out: Output): void {
  for (const audit of audits) {
    const { lines, more } = summariseAudit(audit);
    if (lines.length === 0) continue;
    out.line({ text: audit.name, style: 'bold' }, `  ${audit.path}`);
    for (const line of lines) out.line('  ', { text: fitToWidth(line, out.columns - 2), style: styleOf(line) });
    if (more > 0) out.line('  ', `and ${more} more`);
    out.line();
  }
  if (audits.length === 0) out.line('No skills found.');
  printVerdicts(audits, out);
  out.line('`skillplane audit <name>` shows all findings of one, and what it contains.');
  out.line(AUDIT_ADVICE);
}

function printVerdicts(audits: readonly SkillAudit[], out: Output): void {
  for (const audit of audits) out.line(audit.name, ': ', describeCounts(countFindings(audit)));
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
  out.line({ text: `Audit: ${describeCounts(countFindings(audit))}${rest}`, style: 'bold' });
}

function printFiles({ files, scripts, toolsets }: Audit, out: Output): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const described = scripts.map(({ path, interpreter = 'no interpreter given' }) => `${path} (${interpreter})`);
  const sizes = files.map(({ path, size }) => `${path} (${size} bytes)`);
  printPart(`Files: ${files.length}, ${bytes} bytes`, sizes, out);
  printPart('Scripts', described, out);
  printPart('Toolsets', toolsets, out);
}

/** The hosts and commands that the skill mentions. */
export function printMentions({ hosts, commands, unlistedMentions }: Audit, out: Output): void {
  printPart('Hosts', hosts.map(describeMention), out);
  printPart('Commands', commands.map(describeMention), out);
  if (unlistedMentions > 0) out.line(`Other hosts and commands: ${unlistedMentions} mentions.`);
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
    each: (finding) => out.line('    ', fitToWidth(`${describePlace(finding)}: ${finding.excerpt}`, out.columns - 4)),
    rest: (text) => out.line('    ', text),
  });
}

/** An audit as `--json` prints it: every finding has the same keys. */
export function auditToJson(audit: Audit): object {
  const { findings, scripts, ...rest } = audit;
  return {
    counts: countFindings(audit),
    findings: findings.map(({ member = null, line = null, ...finding }) => ({ ...finding, member, line })),
    scripts: scripts.map(({ interpreter = null, ...script }) => ({ ...script, interpreter })),
    ...rest,
  };
}
