import { join } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { listSome } from '../model/list-some.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Repository } from '../platform/repository/repository.ts';
import { changeSkills, discardStaged } from './changes/change-skills.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import { confirmInstall } from './confirm-install.ts';
import { recordDirectory } from './install-place.ts';
import type {
  InstallDecisions,
  InstalledSkill,
  InstallPreview,
  InstallReport,
  InstallRequest,
} from './install-request.ts';
import { findInRepository, type RepositorySkills } from './origins/find-skills.ts';
import { pickSkills } from './origins/pick-skills.ts';
import type { RepositoryAddress } from './origins/repository-url.ts';
import { nameSkills, toSkipped, type NamedSkill, type SkippedSkill } from './staging/name-skills.ts';
import { stageSkill, type StagedSkill } from './staging/stage-skill.ts';

export interface FetchedRepository {
  readonly address: RepositoryAddress;
  readonly repository: Repository;
}

export interface InstallContext extends ChangeContext {
  readonly decisions: InstallDecisions;
}

/** Installs skills from a fetched repository: find, pick, name, stage, ask, put in place. */
export async function installFetched(
  { address, repository }: FetchedRepository,
  request: InstallRequest,
  context: InstallContext,
): Promise<Outcome<InstallReport>> {
  const { decisions, place } = context;
  const found = await findInRepository(repository, address);
  if (!found.ok) return found;
  if (found.skills.length === 0) return explainNone(address, found.diagnostics);
  const isLenient = request.all === true;
  const wanted = [...(request.skills ?? []), ...(address.skill === undefined ? [] : [address.skill])];
  const picked = await pickSkills(found.skills, { wanted, all: request.all, ask: decisions.pick });
  if (!picked.ok) return picked;
  const { name, ref, signal, allow } = request;
  const named = await nameSkills(picked.picked, { ...context, name, rename: decisions.rename, isLenient });
  if (!named.ok) return named;
  const url = address.kind === 'directory' ? recordDirectory(address.url, place) : address.url;
  const origin = { url, ref: ref ?? address.ref };
  const staged = await stageAll(named.skills, { ...context, repository, origin, isLenient, signal });
  if (!staged.ok) return staged;
  const skipped = [...named.skipped, ...staged.skipped];
  const facts = { from: address.display, ...describeRepository(repository, found), skipped };
  try {
    const confirmed = await confirmInstall(staged.skills, facts, { ...context, allow, isLenient });
    if (!confirmed.ok) return confirmed;
    const installed = await putInPlace(confirmed.skills, context);
    if (!installed.ok) return installed;
    return { ok: true, ...facts, skipped: [...skipped, ...confirmed.refused], installed: installed.skills };
  } finally {
    discardStaged(staged.skills, context);
  }
}

const MAX_NAMED = 5;

function explainNone({ display }: RepositoryAddress, diagnostics: readonly Diagnostic[]): Failure {
  if (diagnostics.length === 0)
    return fail('SKILL_NOT_FOUND', `${display} holds no skill: no folder in the usual places has a SKILL.md`);
  const reasons = diagnostics.map(({ path, message }) => `${path}: ${message}`);
  const shown = listSome(reasons, { most: MAX_NAMED, separator: '; ' });
  return fail('SKILL_NOT_FOUND', `${display} holds no skill; ${shown}`);
}

interface StagingContext extends InstallContext {
  readonly repository: Repository;
  readonly origin: Pick<LockedSkill, 'url' | 'ref'>;
  /** Skip a skill that cannot be installed instead of failing. */
  readonly isLenient: boolean;
  readonly signal: AbortSignal | undefined;
}

interface Staging {
  readonly skills: readonly StagedSkill[];
  readonly skipped: readonly SkippedSkill[];
}

const CANCELLED: Failure = fail('INSTALL_FAILED', 'it was cancelled; nothing was installed');

/** Stages every skill. On failure, nothing remains. */
async function stageAll(named: readonly NamedSkill[], context: StagingContext): Promise<Outcome<Staging>> {
  const { repository, origin, place, state, decisions, isLenient, signal } = context;
  const skills: StagedSkill[] = [];
  const skipped: SkippedSkill[] = [];
  const needsDescription = place.scope === 'project';
  for (const [at, { name, found }] of named.entries()) {
    decisions.onProgress?.({ phase: 'check', percent: Math.round((100 * at) / named.length) });
    const options = { name, path: found.path, origin, into: state.newPath(), needsDescription };
    const isCancelled = signal?.aborted === true;
    const staged = isCancelled ? CANCELLED : await stageSkill(repository, options);
    if (staged.ok) skills.push(staged);
    else if (isLenient && !isCancelled) skipped.push(toSkipped(name, staged));
    else {
      discardStaged(skills, context);
      return staged;
    }
  }
  return { ok: true, skills, skipped };
}

function describeRepository(
  { commit, notices }: Repository,
  { skills, diagnostics }: RepositorySkills,
): Pick<InstallPreview, 'commit' | 'notices' | 'diagnostics'> {
  const files = new Set(skills.map(({ file }) => file));
  return { commit, notices, diagnostics: diagnostics.filter(({ path }) => !files.has(path)) };
}

async function putInPlace(
  staged: readonly StagedSkill[],
  context: InstallContext,
): Promise<Outcome<{ readonly skills: readonly InstalledSkill[] }>> {
  context.decisions.onProgress?.({ phase: 'write', percent: 100 });
  const changes = staged.map(({ dir, entry }) => ({ name: entry.name, before: undefined, after: { entry, dir } }));
  const changed = await changeSkills(changes, context);
  if (!changed.ok) return changed;
  const { root } = context.place;
  return {
    ok: true,
    skills: staged.map(({ entry: { name, digest } }) => ({ name, path: join(root, name), digest })),
  };
}
