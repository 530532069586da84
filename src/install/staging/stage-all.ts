import type { Audit } from '../../audit/audit-files.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { discardStaged } from '../changes/change-skills.ts';
import type { ChangeContext } from '../changes/skill-change.ts';
import type { InstallDecisions } from '../install-request.ts';
import type { OpenOrigin } from '../origins/origin-kind.ts';
import { toSkipped, type NamedSkill, type SkippedSkill } from './name-skills.ts';
import { auditFetched, fetchSkill, stageSkill, type StagedSkill } from './stage-skill.ts';

export interface StagingContext extends ChangeContext {
  readonly decisions: InstallDecisions;
  readonly opened: OpenOrigin;
  readonly isAudited: boolean;
  /** Skip a skill that cannot be installed instead of failing. */
  readonly isLenient: boolean;
  readonly signal: AbortSignal | undefined;
}

export interface Staging {
  readonly skills: readonly StagedSkill[];
  /** The audits of the staged files, by the skill's name; empty if no decision needs them. */
  readonly audits: ReadonlyMap<string, Audit>;
  readonly skipped: readonly SkippedSkill[];
}

/** Reads, stages and audits every skill, each file once. On failure, nothing remains. */
export async function stageAll(named: readonly NamedSkill[], context: StagingContext): Promise<Outcome<Staging>> {
  const { decisions, opened, isLenient, signal } = context;
  const skills: StagedSkill[] = [];
  const audits = new Map<string, Audit>();
  const skipped: SkippedSkill[] = [];
  const giveUp = (why: Failure): Failure => {
    discardStaged(skills, context);
    return why;
  };
  opened.expect?.(named.map(({ found }) => found.path));
  for (const [at, one] of named.entries()) {
    decisions.onProgress?.({ phase: 'check', percent: Math.round((100 * at) / named.length) });
    if (signal?.aborted === true) return giveUp(CANCELLED);
    const staged = await stageOne(one, context);
    if (staged.ok) {
      skills.push(staged.skill);
      if (staged.audit !== undefined) audits.set(one.name, staged.audit);
    } else if (isLenient) skipped.push(toSkipped(one.name, staged));
    else return giveUp(staged);
  }
  return { ok: true, skills, audits, skipped };
}

const CANCELLED: Failure = fail('INSTALL_FAILED', 'it was cancelled; nothing was installed');

async function stageOne(
  { name, found, conflict }: NamedSkill,
  { opened, place, state, sync, isAudited }: StagingContext,
): Promise<Outcome<{ readonly skill: StagedSkill; readonly audit: Audit | undefined }>> {
  const needsDescription = place.scope === 'project';
  const fetched = await fetchSkill(opened, { name, path: found.path, into: state.newPath(), needsDescription });
  if (!fetched.ok) return fetched;
  const staged = stageSkill(fetched, sync);
  if (!staged.ok) return staged;
  return { ok: true, skill: { ...staged, conflict }, audit: isAudited ? await auditFetched(fetched) : undefined };
}
