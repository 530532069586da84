import { mayIn, type Identity } from '../access/roles.ts';
import type { Database } from '../database/database.ts';
import { refuse, type Result } from '../refusal.ts';
import { writeLog } from '../store/log.ts';
import { decideVersion, findVersion, type Version, type VersionKey, type VersionState } from '../store/versions.ts';

export type Verdict = 'approve' | 'reject' | 'yank' | 'unyank';

interface Step {
  readonly from: VersionState;
  readonly to: VersionState;
  readonly needsReason: boolean;
}

const STEPS: Readonly<Record<Verdict, Step>> = {
  approve: { from: 'waiting', to: 'published', needsReason: false },
  reject: { from: 'waiting', to: 'rejected', needsReason: true },
  yank: { from: 'published', to: 'yanked', needsReason: true },
  unyank: { from: 'yanked', to: 'published', needsReason: false },
};

export interface ReviewRequest extends VersionKey {
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
}

/** Lets a waiting version be seen, refuses it, or takes a published one back from new installations. */
export async function review(
  database: Database,
  identity: Identity,
  request: ReviewRequest,
): Promise<Result<{ readonly version: Version }>> {
  const { verdict, scope, name, version, reason = '' } = request;
  const { from, to, needsReason } = STEPS[verdict];
  const label = `@${scope}/${name}@${version}`;
  if (needsReason && reason.trim() === '')
    return refuse('BAD_REQUEST', `say why you ${verdict} ${label}`, { hint: 'Send a `reason`.' });
  const found = await findVersion(database, request);
  if (found === undefined) return refuse('NOT_FOUND', `there is no ${label}`);
  const forbidden = findObjection(identity, found, verdict);
  if (forbidden !== undefined) return refuse('FORBIDDEN', `${label}: ${forbidden}`);
  return database.transaction(async (queries): Promise<Result<{ readonly version: Version }>> => {
    const decision = {
      scope,
      name,
      version,
      from,
      state: to,
      reason: needsReason ? reason : null,
      by: identity.person,
    };
    if (!(await decideVersion(queries, decision)))
      return refuse('CONFLICT', `${label} is ${found.state}; only a version that is ${from} can be changed this way`);
    await writeLog(queries, {
      actor: identity.person,
      action: verdict,
      scope,
      skill: name,
      version,
      detail: needsReason ? { reason } : {},
    });
    const changed = await findVersion(queries, request);
    return changed === undefined ? refuse('NOT_FOUND', `there is no ${label}`) : { ok: true, version: changed };
  });
}

function findObjection(identity: Identity, { scope, publishedBy }: Version, verdict: Verdict): string | undefined {
  const isOwn = identity.person === publishedBy;
  const isReviewer = mayIn(identity, 'reviewer', scope);
  if (verdict === 'approve') {
    if (isOwn) return 'someone else must approve what you published';
    return isReviewer ? undefined : 'only reviewers approve versions';
  }
  if (verdict === 'reject') return isOwn || isReviewer ? undefined : 'only reviewers reject versions';
  return isOwn || mayIn(identity, 'owner', scope) ? undefined : 'only its publisher or an owner can do this';
}
