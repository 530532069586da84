import type { Audit } from '../../audit/audit-files.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { discardStaged } from '../changes/change-skills.ts';
import type { ChangeContext } from '../changes/skill-change.ts';
import type { InstallDecisions } from '../install-request.ts';
import type { OpenOrigin } from '../origins/origin-kind.ts';
import { toSkipped, type NamedSkill, type SkippedSkill } from './name-skills.ts';
import { openStager, type Stager } from './open-stager.ts';
import { auditFetched, fetchSkill, nameUnwritten, withoutContents, type StagedSkill } from './stage-skill.ts';

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

/** Reads, audits and stages every skill, each file once. On failure, nothing remains. */
export async function stageAll(named: readonly NamedSkill[], context: StagingContext): Promise<Outcome<Staging>> {
  const { sync, isLenient } = context;
  await using stager = await openStager(named.length, { sync });
  const { fault, skills, audits, skipped } = await readAndAudit(named, stager, context);
  const written = await stager.flush();
  const unwritten = new Map<StagedSkill, Failure>();
  for (const skill of skills) {
    const failure = written.ok ? written.failed.get(skill.dir) : undefined;
    if (failure !== undefined) unwritten.set(skill, nameUnwritten(skill, failure));
  }
  const [first] = isLenient ? [] : unwritten.values();
  const failure = fault ?? (written.ok ? first : written);
  if (failure !== undefined) {
    discardStaged(skills, context);
    return failure;
  }
  return {
    ok: true,
    skills: skills.filter((skill) => !unwritten.has(skill)),
    audits,
    skipped: [...skipped, ...[...unwritten].map(([{ entry }, why]) => toSkipped(entry.name, why))],
  };
}

const CANCELLED: Failure = fail('INSTALL_FAILED', 'it was cancelled; nothing was installed');

interface ReadSkills extends Staging {
  /** Why it stopped before the last skill. */
  readonly fault?: Failure;
}

async function readAndAudit(
  named: readonly NamedSkill[],
  stager: Stager,
  { opened, place, state, decisions, isAudited, isLenient, signal }: StagingContext,
): Promise<ReadSkills> {
  const skills: StagedSkill[] = [];
  const audits = new Map<string, Audit>();
  const skipped: SkippedSkill[] = [];
  const needsDescription = place.scope === 'project';
  opened.expect?.(named.map(({ found }) => found.path));
  for (const [at, { name, found, conflict }] of named.entries()) {
    decisions.onProgress?.({ phase: 'check', percent: Math.round((100 * at) / named.length) });
    if (signal?.aborted === true) return { fault: CANCELLED, skills, audits, skipped };
    const fetched = await fetchSkill(opened, { name, path: found.path, into: state.newPath(), needsDescription });
    if (fetched.ok) {
      // Written by a thread, perhaps, while it is audited here.
      await stager.add(fetched);
      skills.push({ ...withoutContents(fetched), conflict });
      if (isAudited) audits.set(name, await auditFetched(fetched));
    } else if (isLenient) skipped.push(toSkipped(name, fetched));
    else return { fault: fetched, skills, audits, skipped };
  }
  return { skills, audits, skipped };
}
