import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import { discardStaged } from '../changes/change-skills.ts';
import type { ChangeContext } from '../changes/skill-change.ts';
import type { InstallDecisions } from '../install-request.ts';
import type { NamedSkill, SkippedSkill } from './name-skills.ts';
import { stageVersion, type StagedVersion } from './stage-version.ts';

export interface StageSkillsContext extends ChangeContext {
  readonly repository: Repository;
  readonly origin: Pick<LockedSkill, 'url' | 'ref'>;
  readonly decisions: Pick<InstallDecisions, 'onProgress'>;
  /** Skip what cannot be installed, in place of failing. */
  readonly isLenient: boolean;
  readonly signal?: AbortSignal | undefined;
}

const CANCELLED: Failure = fail('INSTALL_FAILED', 'it was cancelled; nothing was installed');

/** Writes skills out beside their place. On failure nothing stays. */
export async function stageSkills(
  skills: readonly NamedSkill[],
  context: StageSkillsContext,
): Promise<Outcome<{ readonly versions: readonly StagedVersion[]; readonly skipped: readonly SkippedSkill[] }>> {
  const { repository, origin, place, state, decisions, isLenient, signal } = context;
  const versions: StagedVersion[] = [];
  const skipped: SkippedSkill[] = [];
  const needsDescription = place.scope === 'project';
  for (const [at, { name, found }] of skills.entries()) {
    decisions.onProgress?.({ phase: 'check', percent: Math.round((100 * at) / skills.length) });
    const options = { name, path: found.path, origin, into: state.newPath(), needsDescription };
    const isCancelled = signal?.aborted === true;
    const staged = isCancelled ? CANCELLED : await stageVersion(repository, options);
    if (staged.ok) versions.push(staged);
    else if (isLenient && !isCancelled) skipped.push({ name, code: staged.code, message: staged.message });
    else {
      discardStaged(versions, context);
      return staged;
    }
  }
  return { ok: true, versions, skipped };
}
