import { join } from 'node:path';

import { auditFolder } from '../audit/audit-folder.ts';
import { summariseAudit } from '../audit/summary.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Repository } from '../platform/repository/repository.ts';
import { changeSkills, discardStaged } from './changes/change-skills.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import { recordDirectory } from './install-place.ts';
import type {
  InstallDecisions,
  InstalledSkill,
  InstallPreview,
  InstallReport,
  InstallRequest,
  PreviewedSkill,
} from './install-request.ts';
import { findInRepository, type RepositorySkills } from './origins/find-in-repository.ts';
import { pickSkills } from './origins/pick-skills.ts';
import type { RepositoryAddress } from './origins/repository-url.ts';
import { nameSkills } from './staging/name-skills.ts';
import { stageSkills } from './staging/stage-picked.ts';
import type { StagedVersion } from './staging/stage-version.ts';

export interface FetchedRepository {
  readonly address: RepositoryAddress;
  readonly repository: Repository;
}

export interface InstallContext extends ChangeContext {
  readonly decisions: InstallDecisions;
}

/** From what was fetched to what is installed. */
export async function installFetched(
  { address, repository }: FetchedRepository,
  request: InstallRequest,
  context: InstallContext,
): Promise<Outcome<InstallReport>> {
  const { decisions, place } = context;
  const fetched = await findInRepository(repository, address);
  if (!fetched.ok) return fetched;
  const isLenient = request.all === true;
  const picked = await pickSkills(fetched.skills, { wanted: request.skills, all: request.all, ask: decisions.pick });
  if (!picked.ok) return picked;
  const { name, ref, signal } = request;
  const named = await nameSkills(picked.picked, { ...context, name, rename: decisions.rename, isLenient });
  if (!named.ok) return named;
  const url = address.kind === 'directory' ? recordDirectory(address.url, place) : address.url;
  const origin = { url, ref: ref ?? address.ref };
  const staged = await stageSkills(named.skills, { ...context, repository, origin, isLenient, signal });
  if (!staged.ok) return staged;
  const skipped = [...named.skipped, ...staged.skipped];
  const facts = { from: address.display, ...describeRepository(repository, fetched), skipped };
  try {
    const confirmed = await confirm(staged.versions, facts, decisions);
    const installed = confirmed.ok ? await putInPlace(staged.versions, context) : confirmed;
    return installed.ok ? { ok: true, ...facts, installed: installed.skills } : installed;
  } finally {
    discardStaged(staged.versions, context);
  }
}

function describeRepository(
  { commit, notices }: Repository,
  { skills, diagnostics }: RepositorySkills,
): Pick<InstallPreview, 'commit' | 'notices' | 'diagnostics'> {
  const files = new Set(skills.map(({ file }) => file));
  return { commit, notices, diagnostics: diagnostics.filter(({ path }) => !files.has(path)) };
}

async function putInPlace(
  versions: readonly StagedVersion[],
  context: InstallContext,
): Promise<Outcome<{ readonly skills: readonly InstalledSkill[] }>> {
  context.decisions.onProgress?.({ phase: 'write', percent: 100 });
  const changes = versions.map(({ dir, entry }) => ({ name: entry.name, before: undefined, after: { entry, dir } }));
  const changed = await changeSkills(changes, context);
  if (!changed.ok) return changed;
  const { root } = context.place;
  return {
    ok: true,
    skills: versions.map(({ entry: { name, digest } }) => ({ name, path: join(root, name), digest })),
  };
}

/** Whoever is asked has to say yes: an answer that is none, from code without types, is no. */
async function confirm(
  versions: readonly StagedVersion[],
  facts: Omit<InstallPreview, 'skills'>,
  { confirm: ask }: InstallDecisions,
): Promise<Outcome> {
  const [skipped] = facts.skipped;
  if (versions.length === 0) return skipped === undefined ? NOTHING : fail(skipped.code, skipped.message);
  if (ask === undefined) return { ok: true };
  const skills: PreviewedSkill[] = [];
  for (const version of versions) {
    const audited = await auditFolder(version.dir);
    if (!audited.ok) return audited;
    skills.push({ ...version, audit: summariseAudit(audited.audit, { lines: 3 }) });
  }
  const answer: unknown = await ask({ ...facts, skills });
  return answer === true ? { ok: true } : NOTHING;
}

const NOTHING: Failure = fail('INSTALL_FAILED', 'nothing was installed');
