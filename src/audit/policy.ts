import type { AuditLimit } from '../model/config.ts';
import { listSome } from '../model/list-some.ts';
import { fail, type Failure } from '../model/outcome.ts';
import type { AuditFinding } from './report.ts';
import { RULES } from './rules/all-rules.ts';
import { isAtLeast, type Rule } from './rules/rule.ts';
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
  const grave = failOn === 'never' ? [] : findings.filter(({ severity }) => isAtLeast(severity, failOn));
  return {
    refused: grave.filter(({ rule, name }) => !allow.includes(rule) && !allow.includes(name)),
    rules: [...new Set(grave.map(({ rule }) => rule))],
  };
}

/** Says which findings refuse a skill, and how to let it through. */
export function refuseFindings(name: string, refused: readonly AuditFinding[]): Failure {
  const rules = Map.groupBy(refused, ({ rule }) => rule);
  const places = [...rules].map(([rule, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return first === undefined ? rule : `${rule} ${first.name} (${first.severity}) in ${describePlace(first)}${more}`;
  });
  const allowed = [...rules.keys()].map((rule) => `\`allow: ${rule}\``).join(' ');
  return fail(
    'AUDIT_REFUSED',
    `"${name}" is refused by its audit: ${listSome(places, { most: MAX_RULES, separator: '; ' })}`,
    `Look at what was found. If you accept it, answer yes when asked, or add ${allowed}.`,
  );
}

const MAX_RULES = 5;

/** A rule by its id or name. */
export function findRule(text: string): Rule | undefined {
  return RULES.find(({ id, name }) => id === text || name === text);
}
