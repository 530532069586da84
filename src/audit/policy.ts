import type { AuditLimit } from '../model/config.ts';
import { listSome } from '../model/list-some.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Failure } from '../model/outcome.ts';
import type { AuditFinding, FoundRule } from './report.ts';
import { RULES } from './rules/all-rules.ts';
import { isAtLeast, type AuditSeverity, type Rule } from './rules/rule.ts';
import { describePlace } from './summary.ts';

/** The verdict of `auditFailOn` on a skill. */
export interface PolicyVerdict {
  /** Findings that refuse the skill until a person decides, the worst first. */
  readonly refused: readonly AuditFinding[];
  /** Ids of all rules with findings as bad as the limit, allowed ones included. */
  readonly rules: readonly string[];
}

export interface PolicyOptions {
  readonly failOn: AuditLimit;
  /** Ids or names of rules that are allowed. */
  readonly allow: readonly string[];
}

/** Judges the findings of a skill. */
export function judgeFindings(findings: readonly AuditFinding[], { failOn, allow }: PolicyOptions): PolicyVerdict {
  const grave = findings.filter((finding) => isGrave(finding, failOn));
  return { refused: listRefused(grave, allow), rules: [...new Set(grave.map(({ rule }) => rule))] };
}

/** Leaves out findings whose rules are allowed, by id or name. */
export function listRefused<T extends FoundRule>(grave: readonly T[], allow: readonly string[]): readonly T[] {
  return grave.filter(({ rule, name }) => !allow.includes(rule) && !allow.includes(name));
}

/** The findings that are as bad as the limit, without the text that was found. */
export function listGrave(findings: readonly AuditFinding[], limit: AuditLimit): readonly FoundRule[] {
  return findings
    .filter((finding) => isGrave(finding, limit))
    .map(({ excerpt: _excerpt, why: _why, ...found }) => found);
}

/** Findings below the limit that a model must ask its user about, without the text that was found. */
export function listNoted(findings: readonly AuditFinding[], limit: AuditLimit): readonly FoundRule[] {
  const most = limit === 'never' ? [] : listGrave(findings, NOTED);
  return most.filter((finding) => !isGrave(finding, limit));
}

const NOTED: AuditSeverity = 'high';

/** Whether a finding is as bad as the limit, and at least likely. */
export function isGrave(
  { severity, certainty }: Pick<FoundRule, 'severity' | 'certainty'>,
  limit: AuditSeverity | 'never',
): boolean {
  return limit !== 'never' && certainty !== 'possible' && isAtLeast(severity, limit);
}

/** Says which findings refuse a skill, and how to let it through. */
export function refuseFindings(name: string, refused: readonly FoundRule[]): Failure {
  return fail(
    'AUDIT_REFUSED',
    `"${name}" needs your approval; the audit found ${describeRules(refused)}`,
    allowRules(refused),
  );
}

/** Accepts these findings. */
export function allowRules(refused: readonly FoundRule[]): NextStep {
  return { give: 'allow', as: [...new Set(refused.map(({ rule }) => rule))], aim: 'accept what was found' };
}

const SECRETS: ReadonlySet<string> = new Set(RULES.flatMap(({ id, isSecret }) => (isSecret === true ? [id] : [])));
const MAX_FILES = 20;

/** Why a skill must not be given to others: the files in which secrets were found, unless their rules are allowed. */
export function refuseSecrets(
  name: string,
  findings: readonly FoundRule[],
  allow: readonly string[],
): Failure | undefined {
  const found = findings.filter(({ rule, severity }) => SECRETS.has(rule) && isAtLeast(severity, 'high'));
  const refused = listRefused(found, allow);
  if (refused.length === 0) return undefined;
  const files = new Set(refused.map(({ file, member }) => (member === undefined ? file : `${file}!/${member}`)));
  return fail('AUDIT_REFUSED', `"${name}" contains secrets: ${listSome([...files], { most: MAX_FILES })}`, {
    either: [{ advice: 'Remove these files from its folder, or the secrets from them.' }, allowRules(refused)],
  });
}

/** The answer to a model that asks for a skill with such findings: they stand in for its text. */
export function withholdFindings(name: string, refused: readonly FoundRule[]): Failure {
  return fail(
    'AUDIT_REFUSED',
    // The names inside an archive are free text, which may be an instruction, too.
    `Skillplane blocks "${name}" because of its audit: ${describeRules(refused.map(({ member: _member, ...found }) => found))}`,
    {
      either: [
        { do: 'audit', skill: name },
        { do: 'trust', skill: name },
      ],
    },
  );
}

/** For a model that loads a skill with such findings. */
export function noteFindings(noted: readonly FoundRule[]): string {
  const found = describeRules(noted.map(({ member: _member, ...one }) => one));
  return `The audit of this skill found ${found}: ask the user before you do ${noted.length === 1 ? 'that step' : 'these steps'}.`;
}

const MAX_RULES = 5;

function describeRules(refused: readonly FoundRule[]): string {
  const rules = [...Map.groupBy(refused, ({ rule }) => rule)].map(([rule, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return first === undefined ? rule : `${rule} ${first.name} (${first.severity}) in ${describePlace(first)}${more}`;
  });
  return listSome(rules, { most: MAX_RULES, separator: '; ' });
}

/** A rule by its id or name. */
export function findRule(text: string): Rule | undefined {
  return RULES.find(({ id, name }) => id === text || name === text);
}
