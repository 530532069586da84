import { refuseFindings } from '../audit/policy.ts';
import { summariseAudit } from '../audit/summary.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { AuditGate } from './audit-gate.ts';
import { toSkipped, type InstallDecisions, type InstallPreview, type SkippedSkill } from './install-request.ts';
import type { PreparedSkill } from './staging/prepare-skill.ts';

export interface ConfirmOptions {
  readonly decisions: InstallDecisions;
  readonly gate: AuditGate;
  /** Skip a skill that its audit refuses instead of failing. */
  readonly isLenient: boolean;
}

export interface ConfirmedInstall<Skill> {
  readonly skills: readonly Skill[];
  /** Skills that their audit refuses. */
  readonly refused: readonly SkippedSkill[];
}

/**
 * Shows prepared skills with their audits and asks. A yes accepts all findings. Without a question, `auditFailOn` decides.
 * Accepted findings are remembered with the digest of the skill.
 */
export async function confirmInstall<Skill extends PreparedSkill>(
  prepared: readonly Skill[],
  facts: Omit<InstallPreview, 'skills'>,
  { decisions: { confirm, onPreview }, gate, isLenient }: ConfirmOptions,
): Promise<Outcome<ConfirmedInstall<Skill>>> {
  const [skipped] = facts.skipped;
  if (prepared.length === 0) return skipped === undefined ? NOTHING : fail(skipped.code, skipped.message, skipped.hint);
  const skills = prepared.map((skill) => ({ ...skill, audit: summariseAudit(skill.audit, { lines: 3 }) }));
  // Only `true` is a yes: callers without types may return anything.
  const answer: unknown =
    confirm === undefined ? onPreview?.({ ...facts, skills }) : await confirm({ ...facts, skills });
  if (confirm !== undefined && answer !== true) return NOTHING;
  const isRefused = ({ refused }: PreparedSkill): boolean => confirm === undefined && refused.length > 0;
  const refused = prepared.filter(isRefused).map(({ entry: { name }, refused: findings }) => ({
    name,
    failure: refuseFindings(name, findings),
  }));
  const [first] = refused;
  if (first !== undefined && (!isLenient || refused.length === prepared.length)) return first.failure;
  const accepted = prepared.filter((skill) => !isRefused(skill));
  const remembered = await gate.accept(accepted);
  if (!remembered.ok) return remembered;
  return { ok: true, skills: accepted, refused: refused.map(({ name, failure }) => toSkipped(name, failure)) };
}

const NOTHING: Failure = fail('INSTALL_FAILED', 'nothing was installed');
