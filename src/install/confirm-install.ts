import type { Audit } from '../audit/audit-files.ts';
import { refuseFindings, type PolicyVerdict } from '../audit/policy.ts';
import { summariseAudit } from '../audit/summary.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { openAuditGate, type AuditGate } from './audit-gate.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import type { InstallDecisions, InstallPreview, PreviewedSkill } from './install-request.ts';
import { toSkipped, type SkippedSkill } from './staging/name-skills.ts';
import type { StagedSkill } from './staging/stage-skill.ts';

export interface ConfirmContext extends ChangeContext {
  readonly decisions: InstallDecisions;
  /** The audits of the staged skills, by name; all of them if one is needed. */
  readonly audits: ReadonlyMap<string, Audit>;
  /** Audit rules that are allowed. */
  readonly allow: readonly string[] | undefined;
  /** Skip a skill that its audit refuses instead of failing. */
  readonly isLenient: boolean;
}

export interface ConfirmedInstall {
  readonly skills: readonly StagedSkill[];
  /** Skills that their audit refuses. */
  readonly refused: readonly SkippedSkill[];
}

/** Does anyone look at the audits: a question, a preview or the setting `auditFailOn`? */
export function needsAudit({ decisions, failOn }: Pick<ConfirmContext, 'decisions' | 'failOn'>): boolean {
  return decisions.confirm !== undefined || decisions.onPreview !== undefined || failOn !== 'never';
}

/**
 * Judges the audits of staged skills, shows them and asks. A yes accepts all findings. Without a question, `auditFailOn` decides.
 * Accepted findings are remembered with the digest of the skill.
 */
export async function confirmInstall(
  staged: readonly StagedSkill[],
  facts: Omit<InstallPreview, 'skills'>,
  context: ConfirmContext,
): Promise<Outcome<ConfirmedInstall>> {
  const { audits, decisions } = context;
  const { confirm: ask, onPreview } = decisions;
  const [skipped] = facts.skipped;
  if (staged.length === 0) return skipped === undefined ? NOTHING : fail(skipped.code, skipped.message, skipped.hint);
  if (!needsAudit(context)) return { ok: true, skills: staged, refused: [] };
  const gate = openAuditGate(context, context.allow);
  const audited = judgeAudits(staged, audits, gate);
  if (!audited.ok) return audited;
  const { skills } = audited;
  // Only `true` is a yes: callers without types may return anything.
  const answer: unknown = ask === undefined ? onPreview?.({ ...facts, skills }) : await ask({ ...facts, skills });
  if (ask !== undefined && answer !== true) return NOTHING;
  const refused = ask === undefined ? skills.filter((skill) => skill.refused.length > 0) : [];
  const failures = refused.map(({ entry: { name }, refused: findings }) => refuseFindings(name, findings));
  const [first] = failures;
  if (first !== undefined && (!context.isLenient || refused.length === skills.length)) return first;
  const accepted = skills.filter((skill) => !refused.includes(skill));
  const remembered = await gate.remember(
    accepted.map(({ entry: { name, digest }, rules }) => ({ name, digest, rules })),
  );
  if (!remembered.ok) return remembered;
  const left = failures.map((failure, at) => toSkipped(refused[at]?.entry.name ?? '', failure));
  return { ok: true, skills: accepted, refused: left };
}

type AuditedSkill = PreviewedSkill & PolicyVerdict;

function judgeAudits(
  staged: readonly StagedSkill[],
  audits: ReadonlyMap<string, Audit>,
  gate: AuditGate,
): Outcome<{ readonly skills: readonly AuditedSkill[] }> {
  const skills: AuditedSkill[] = [];
  for (const skill of staged) {
    const audit = audits.get(skill.entry.name);
    if (audit === undefined) return fail('INSTALL_FAILED', `"${skill.entry.name}" was not audited`);
    const verdict = gate.judge(skill.entry, audit.findings);
    if (!verdict.ok) return verdict;
    const { refused, rules } = verdict;
    skills.push({ ...skill, audit: summariseAudit(audit, { lines: 3 }), refused, rules });
  }
  return { ok: true, skills };
}

const NOTHING: Failure = fail('INSTALL_FAILED', 'nothing was installed');
