import { auditFolder } from '../audit/audit-folder.ts';
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

/**
 * Audits staged skills, shows them and asks. A yes accepts all findings. Without a question, `auditFailOn` decides.
 * Accepted findings are remembered with the digest of the skill.
 */
export async function confirmInstall(
  staged: readonly StagedSkill[],
  facts: Omit<InstallPreview, 'skills'>,
  context: ConfirmContext,
): Promise<Outcome<ConfirmedInstall>> {
  const { confirm: ask, onPreview } = context.decisions;
  const [skipped] = facts.skipped;
  if (staged.length === 0) return skipped === undefined ? NOTHING : fail(skipped.code, skipped.message, skipped.hint);
  const gate = openAuditGate(context, context.allow);
  if (ask === undefined && onPreview === undefined && !gate.isClosed) return { ok: true, skills: staged, refused: [] };
  const audited = await auditStaged(staged, gate);
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

async function auditStaged(
  staged: readonly StagedSkill[],
  gate: AuditGate,
): Promise<Outcome<{ readonly skills: readonly AuditedSkill[] }>> {
  const skills: AuditedSkill[] = [];
  for (const skill of staged) {
    const audited = await auditFolder(skill.dir);
    if (!audited.ok) return audited;
    const verdict = gate.judge(skill.entry, audited.audit.findings);
    if (!verdict.ok) return verdict;
    const { refused, rules } = verdict;
    skills.push({ ...skill, audit: summariseAudit(audited.audit, { lines: 3 }), refused, rules });
  }
  return { ok: true, skills };
}

const NOTHING: Failure = fail('INSTALL_FAILED', 'nothing was installed');
