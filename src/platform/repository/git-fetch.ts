import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { listDirectory } from '../files/files.ts';
import type { ProcessResult } from '../process/run-process.ts';
import type { FetchOptions, FetchProgress, GitAddress, RepositoryPage } from './git-address.ts';
import { FETCH_TIMEOUT_MS, MAX_FETCH_BYTES, type Git } from './git-command.ts';
import { explainFetch, isMissingRef } from './git-failure.ts';
import { findRefFault, isCommitId, looksLikeCommit } from './git-ref.ts';

const FETCHED = 'refs/skillplane/fetched';
const ALL_REFS = ['+refs/heads/*:refs/skillplane/heads/*', '+refs/tags/*:refs/skillplane/tags/*'];
/** How far back to search for a commit if the server does not offer single commits. */
export const MAX_DEPTH = 500;
const SIZE_CHECK_MS = 200;

/** A commit in our repository. */
export interface FetchedCommit {
  readonly commit: string;
  readonly notices: readonly string[];
}

/** Fetches the wanted ref and returns its commit. */
export async function fetchCommit(
  git: Git,
  address: GitAddress,
  options: FetchOptions,
): Promise<Outcome<FetchedCommit>> {
  const { ref, url } = address;
  const single = await fetchRefs(git, address, options, { depth: 1, refspecs: [`+${ref ?? 'HEAD'}:${FETCHED}`] });
  if (single.ok) return checkCommit(await resolveName(git, FETCHED), ref);
  if (single.isMissing !== true || ref === undefined || !looksLikeCommit(ref)) return single;
  const deep = await fetchRefs(git, address, options, { depth: MAX_DEPTH, refspecs: ALL_REFS });
  if (!deep.ok) return deep;
  const found = await resolveName(git, ref);
  if (found?.startsWith(ref.toLowerCase()) === true) return { ok: true, commit: found, notices: [wholeHistory(ref)] };
  const where = `the last ${MAX_DEPTH} commits of its branches and tags`;
  return fail('INSTALL_FAILED', `${url} has no commit ${ref} in ${where}`);
}

async function resolveName(git: Git, name: string): Promise<string | undefined> {
  const resolved = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  const commit = resolved.stdout.trim();
  return resolved.exitCode === 0 && isCommitId(commit) ? commit : undefined;
}

function checkCommit(commit: string | undefined, ref: string | undefined): Outcome<FetchedCommit> {
  if (commit === undefined) return fail('INSTALL_FAILED', `${ref ?? 'HEAD'} is not a commit`);
  return ref === undefined || !isCommitId(ref) || commit === ref.toLowerCase()
    ? { ok: true, commit, notices: [] }
    : fail('INSTALL_FAILED', `the server sent the commit ${commit} instead of ${ref}`);
}

function wholeHistory(ref: string): string {
  const why = isCommitId(ref)
    ? 'the server does not offer single commits'
    : 'servers do not know abbreviated commit ids';
  return `${why}, so up to ${MAX_DEPTH} commits of each branch and tag were fetched`;
}

interface Wanted {
  readonly depth: number;
  readonly refspecs: readonly string[];
}

async function fetchRefs(
  git: Git,
  address: GitAddress,
  options: FetchOptions,
  { depth, refspecs }: Wanted,
): Promise<Outcome<object, Failure & { readonly isMissing?: boolean }>> {
  const { url, ref, credentials } = address;
  const { onProgress, timeoutMs = FETCH_TIMEOUT_MS, useGitCredentials, maxBytes = MAX_FETCH_BYTES } = options;
  // Each percent of each phase is a message that wakes this process. Not `--quiet`, which hides redirects.
  const talk = onProgress === undefined ? '--no-progress' : '--progress';
  const args = [...FETCH, talk, `--depth=${depth}`, '--end-of-options', url, ...refspecs];
  const full = new AbortController();
  const timer = setInterval(() => folderSize(git.dir) > maxBytes && full.abort(), SIZE_CHECK_MS);
  const result = await git.run(args, {
    signal: options.signal === undefined ? full.signal : AbortSignal.any([options.signal, full.signal]),
    onOutput: (_stream, text) => reportProgress(text, onProgress),
  });
  clearInterval(timer);
  if (full.signal.aborted || folderSize(git.dir) > maxBytes)
    return fail('INSTALL_FAILED', `${url} is too large: more than ${Math.ceil(maxBytes / 1024 ** 2)} MiB`);
  const hasCredentials = useGitCredentials === true || credentials !== undefined;
  if (result.ended !== 'exited' || result.exitCode !== 0)
    return { ...explainFetch(result, { url, ref, timeoutMs, hasCredentials }), isMissing: isMissingRef(result) };
  return checkRedirect(result, url);
}

const FETCH = ['fetch', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--no-auto-maintenance'];

function folderSize(dir: string): number {
  const listing = listDirectory(dir);
  let size = 0;
  for (const { name, kind } of listing.state === 'listed' ? listing.entries : []) {
    const path = join(dir, name);
    const stats = kind === 'file' ? attempt(() => lstatSync(path)) : undefined;
    if (kind === 'directory') size += folderSize(path);
    if (stats?.ok === true) size += stats.value.size;
  }
  return size;
}

/** Git follows the first redirect and reports it. Another host is another repository, which the caller did not ask for. */
function checkRedirect({ stderr }: ProcessResult, url: string): Outcome {
  const target = /redirecting to (\S+)/.exec(stderr)?.[1];
  if (target === undefined) return { ok: true };
  const isSameHost = URL.canParse(target) && new URL(target).origin === new URL(url).origin;
  return isSameHost
    ? { ok: true }
    : fail('INSTALL_FAILED', `${url} redirects to ${target}`, { ask: 'user', to: 'Use that address if you trust it.' });
}

function reportProgress(text: string, onProgress: ((progress: FetchProgress) => void) | undefined): void {
  if (onProgress === undefined) return;
  for (const [, phase = '', percent] of text.matchAll(/(Receiving objects|Resolving deltas): +(\d+)%/g))
    onProgress({ phase, percent: Number(percent) });
}

/** A branch whose name has more parts is not found. */
const MAX_PARTS = 20;

/**
 * Asks the remote where the branch ends and the folder begins: `feature/x/skills` may be the branch `feature/x`. The longest
 * branch or tag counts; undefined if the remote has none of them, or cannot be asked.
 */
export async function findPage(git: Git, { url, ref, path }: GitAddress): Promise<RepositoryPage | undefined> {
  const parts = [ref ?? '', ...(path ?? '').split('/')];
  const candidates = parts
    .slice(0, MAX_PARTS)
    .map((_, at) => ({ ref: parts.slice(0, at + 1).join('/'), path: parts.slice(at + 1).join('/') || undefined }))
    .filter((page) => findRefFault(page.ref) === undefined);
  const names = candidates.flatMap((page) => [`refs/heads/${page.ref}`, `refs/tags/${page.ref}`]);
  if (names.length === 0) return undefined;
  const asked = await git.run(['ls-remote', '--end-of-options', url, ...names]);
  if (asked.ended !== 'exited' || asked.exitCode !== 0) return undefined;
  const known = new Set(asked.stdout.split('\n').map((line) => line.split('\t')[1]));
  return candidates.findLast((page) => known.has(`refs/heads/${page.ref}`) || known.has(`refs/tags/${page.ref}`));
}
