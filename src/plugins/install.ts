import { join } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { expandPath } from '../platform/environment.ts';
import { auditFolder } from './audit-folder.ts';
import { summariseAudit, type AuditSummary } from './audit-summary.ts';
import { changeSkills, discardStaged, type ChangeContext } from './change-skills.ts';
import { fetchSkills, type FetchedSkills } from './fetch-skills.ts';
import type { FoundSkill } from './find-skills.ts';
import { recordDirectory } from './install-place.ts';
import { nameSkills, type Rename, type SkippedSkill } from './name-skills.ts';
import { pickSkills } from './pick-skills.ts';
import { parseRepositoryUrl, type RepositoryAddress } from './repository-url.ts';
import { stageSkills } from './stage-skills.ts';
import type { StagedVersion } from './stage-version.ts';

export interface InstallRequest {
  /** A repository in any form that people write it in, or a directory. */
  readonly url: string;
  /** A branch, tag or commit. */
  readonly ref?: string | undefined;
  /** What the skill is to be called, in place of what it calls itself. */
  readonly name?: string | undefined;
  /** These of several. */
  readonly skills?: readonly string[] | undefined;
  /** Every one that can be installed; the others are skipped, and why is said. */
  readonly all?: boolean | undefined;
  readonly useGitCredentials?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What installing is doing, for whoever waits. */
export interface InstallProgress {
  readonly phase: 'fetch' | 'check' | 'write';
  readonly percent: number;
}

/** What somebody is asked, where somebody can be; without an answer the safe thing is done. */
export interface InstallDecisions {
  /** Which of several skills; undefined for none. */
  readonly pick?: ((skills: readonly FoundSkill[]) => Promise<readonly FoundSkill[] | undefined>) | undefined;
  /** Another name for a skill whose name is taken; undefined leaves it out. */
  readonly rename?: Rename | undefined;
  /** Shall it be done? Without this it is. */
  readonly confirm?: ((preview: InstallPreview) => Promise<boolean>) | undefined;
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined;
}

/** What would be installed: written out, checked, and not yet in its place. */
export interface InstallPreview {
  /** The address with ref and path. */
  readonly from: string;
  readonly commit: string | undefined;
  readonly skills: readonly PreviewedSkill[];
  readonly skipped: readonly SkippedSkill[];
  /** What else there is to know of the repository. */
  readonly notices: readonly string[];
  /** About what in it is no skill that could be installed. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface PreviewedSkill extends StagedVersion {
  /** What somebody should look at before they say yes. */
  readonly audit: AuditSummary;
}

export interface InstalledSkill {
  readonly name: string;
  readonly path: string;
  readonly digest: string;
}

export interface InstallReport extends Omit<InstallPreview, 'skills'> {
  readonly installed: readonly InstalledSkill[];
}

/** Installs skills of a repository: fetched, judged, written beside their place, and put there all at once. */
export async function installSkills(
  request: InstallRequest,
  decisions: InstallDecisions,
  context: ChangeContext,
): Promise<Outcome<InstallReport>> {
  const address = resolveAddress(request.url, context);
  if (!address.ok) return address;
  const { environment, state } = context;
  decisions.onProgress?.({ phase: 'fetch', percent: 0 });
  const fetched = await fetchSkills(address, {
    environment,
    into: state.dir,
    ref: request.ref,
    useGitCredentials: request.useGitCredentials,
    signal: request.signal,
    onProgress: ({ percent }) => decisions.onProgress?.({ phase: 'fetch', percent }),
  });
  if (!fetched.ok) return fetched;
  try {
    return await installFetched({ ...fetched, address }, request, { ...context, decisions });
  } finally {
    await fetched.repository.close();
  }
}

function resolveAddress(url: string, { environment }: ChangeContext): Outcome<RepositoryAddress> {
  const address = parseRepositoryUrl(url);
  if (!address.ok || address.kind !== 'directory') return address;
  const expanded = expandPath(address.url, environment, environment.cwd);
  return expanded.ok ? { ...address, url: expanded.path } : fail('INSTALL_FAILED', expanded.message);
}

interface InstallContext extends ChangeContext {
  readonly decisions: InstallDecisions;
}

type Fetched = FetchedSkills & { readonly address: RepositoryAddress };

async function installFetched(
  fetched: Fetched,
  request: InstallRequest,
  context: InstallContext,
): Promise<Outcome<InstallReport>> {
  const { decisions, place } = context;
  const { address, repository } = fetched;
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
  const facts = { from: address.display, ...describeRepository(fetched), skipped };
  try {
    const confirmed = await confirm(staged.versions, facts, decisions);
    const installed = confirmed.ok ? await putInPlace(staged.versions, context) : confirmed;
    return installed.ok ? { ok: true, ...facts, installed: installed.skills } : installed;
  } finally {
    discardStaged(staged.versions, context);
  }
}

function describeRepository({
  repository: { commit, notices },
  skills,
  diagnostics,
}: Fetched): Pick<InstallPreview, 'commit' | 'notices' | 'diagnostics'> {
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
): Promise<Outcome<object>> {
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
