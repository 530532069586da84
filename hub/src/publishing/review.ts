import { mayIn, type Identity, type Role } from '../access/roles.ts';
import type { Database } from '../database/database.ts';
import { refuse, type Result } from '../refusal.ts';
import { writeLog } from '../store/log.ts';
import { decideVersion, findVersion, type Version, type VersionKey, type VersionState } from '../store/versions.ts';
import { moveTag } from './move-tag.ts';

export const VERDICTS = ['approve', 'reject', 'yank', 'unyank'] as const;
export type Verdict = (typeof VERDICTS)[number];

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
  const { from: usual, to, needsReason } = STEPS[verdict];
  const label = `@${scope}/${name}@${version}`;
  if (needsReason && reason.trim() === '')
    return refuse('BAD_REQUEST', `say why you ${verdict} ${label}`, { advice: 'Send a `reason`.' });
  const found = await findVersion(database, request);
  if (found === undefined) return refuse('NOT_FOUND', `there is no ${label}`);
  // An owner's yank counts for more than that of the publisher, who could take theirs back.
  const isTakenOver = verdict === 'yank' && found.state === 'yanked' && mayIn(identity, 'owner', scope);
  const from = isTakenOver ? 'yanked' : usual;
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
    if (verdict === 'approve') await moveTag(queries, found);
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

/** The verdicts that someone could give on a version as it is now. */
export function listVerdicts(identity: Identity, version: Version): readonly Verdict[] {
  return VERDICTS.filter(
    (verdict) =>
      STEPS[verdict].from === version.state &&
      mayIn(identity, roleFor(verdict), version.scope) &&
      findObjection(identity, version, verdict) === undefined,
  );
}

/** The least role; by version, more may be needed. */
export function roleFor(verdict: Verdict): Role {
  return verdict === 'approve' ? 'reviewer' : 'publisher';
}

function findObjection(
  identity: Identity,
  { scope, publishedBy, decidedBy }: Version,
  verdict: Verdict,
): string | undefined {
  const isOwn = identity.person === publishedBy;
  const isReviewer = mayIn(identity, 'reviewer', scope);
  if (verdict === 'approve') {
    if (isOwn) return 'someone else must approve what you published';
    return isReviewer ? undefined : 'only reviewers approve versions';
  }
  if (verdict === 'reject') return isOwn || isReviewer ? undefined : 'only reviewers reject versions';
  if (mayIn(identity, 'owner', scope)) return undefined;
  if (!isOwn) return 'only its publisher or an owner can do this';
  return verdict === 'unyank' && decidedBy !== identity.person
    ? 'an owner yanked it, and only an owner can undo that'
    : undefined;
}
