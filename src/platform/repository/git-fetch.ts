import { join } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { readOwnText } from '../files/files.ts';
import type { ProcessResult } from '../process/run-process.ts';
import type { FetchJob, FetchProgress } from './git-address.ts';
import { explainFetch, isMissingRef, type FetchContext } from './git-failure.ts';
import { listCommit, readListing, type CommitListing } from './git-listing.ts';
import { isCommitId, looksLikeCommit } from './git-ref.ts';
import { checkVersion, FETCH_TIMEOUT_MS, MAX_FETCH_BYTES, type Git, type ListedRun } from './git-run.ts';

const FETCHED = 'refs/skillplane/fetched';
/** Git lets only a commit be a branch. */
const HEAD_BRANCH = 'refs/heads/fetched';
/** How far back to search for a commit if the server does not offer single commits. */
export const MAX_DEPTH = 500;
const SIZE_CHECK_MS = 200;

/** A commit in our repository. */
export interface FetchedCommit {
  readonly commit: string;
  readonly notices: readonly string[];
  /** Its files, which git may still be listing. */
  readonly listing: CommitListing | Promise<CommitListing>;
}

/** Fetches the wanted ref and returns its commit. */
export async function fetchCommit(git: Git, job: FetchJob): Promise<Outcome<FetchedCommit>> {
  const { ref } = job.address;
  const isNamed = ref === undefined || isCommitId(ref) || !looksLikeCommit(ref);
  const target = ref === undefined ? HEAD_BRANCH : FETCHED;
  const single = await fetchRefs(git, job, { depth: 1, refspecs: [`+${ref ?? 'HEAD'}:${target}`], target });
  if (single.ok) {
    const listing = single.listing === undefined ? listCommit(git, target) : readListing(single.listing);
    return ref === undefined ? readHead(git, listing) : resolveCommit(git, ref, listing);
  }
  if (!single.isMissing || ref === undefined || !looksLikeCommit(ref)) return single;
  const deep = await fetchRefs(git, job, { depth: MAX_DEPTH, refspecs: ALL_REFS, target });
  if (!deep.ok) return deep;
  const found = await resolveName(git, `${ref}^{commit}`);
  if (found?.startsWith(ref.toLowerCase()) === true)
    return { ok: true, commit: found, notices: [wholeHistory(isNamed)], listing: listCommit(git, found) };
  const where = `the last ${MAX_DEPTH} commits of its branches and tags`;
  return fail('INSTALL_FAILED', `${job.address.url} has no commit ${ref} in ${where}`);
}

const ALL_REFS = ['+refs/heads/*:refs/skillplane/heads/*', '+refs/tags/*:refs/skillplane/tags/*'];

function wholeHistory(isWholeId: boolean): string {
  const why = isWholeId ? 'the server does not offer single commits' : 'servers do not know abbreviated commit ids';
  return `${why}, so up to ${MAX_DEPTH} commits of each branch and tag were fetched`;
}

interface Wanted {
  readonly depth: number;
  readonly refspecs: readonly string[];
  /** The ref of ours whose files are listed. */
  readonly target: string;
}

type FetchOutcome = Outcome<{ readonly listing?: string | undefined }, Failure & { readonly isMissing?: boolean }>;

async function fetchRefs(git: Git, job: FetchJob, { depth, refspecs, target }: Wanted): Promise<FetchOutcome> {
  const { url, kind } = job.address;
  const { onProgress } = job.options;
  // Each percent of each phase is a message that wakes this process. Not `--quiet`, which hides redirects.
  const talk = onProgress === undefined ? '--no-progress' : '--progress';
  const args = [...FETCH, talk, uploadPack(kind), `--depth=${depth}`, '--end-of-options', url, ...refspecs];
  const watched = watchSize(job, (signal) =>
    git.runAndList(args, target, {
      signal,
      onOutput: (_stream, text) => reportProgress(text, onProgress),
    }),
  );
  job.options.onFetching?.();
  const run = await watched;
  if ('isTooLarge' in run) return fail('INSTALL_FAILED', `${url} is too large: more than ${run.limit} MiB`);
  const { result, version, listing } = run;
  const checked: Outcome = result.ended === 'exited' ? checkVersion(version) : { ok: true };
  if (!checked.ok) return checked;
  if (result.ended !== 'exited' || result.exitCode !== 0)
    return { ...explainFetch(result, describe(job)), isMissing: isMissingRef(result) };
  const redirected = checkRedirect(result, url);
  return redirected.ok ? { ok: true, listing } : redirected;
}

const FETCH = ['fetch', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--no-auto-maintenance'];

/** On the same machine, packing tightly takes longer than it saves. */
function uploadPack(kind: FetchJob['address']['kind']): string {
  const quick = 'git -c pack.window=0 -c pack.threads=1 -c pack.compression=1 upload-pack';
  return `--upload-pack=${kind === 'file' ? quick : 'git-upload-pack'}`;
}

function describe({ address, options }: FetchJob): FetchContext {
  return {
    url: address.url,
    ref: address.ref,
    timeoutMs: options.timeoutMs ?? FETCH_TIMEOUT_MS,
    hasCredentials: options.useGitCredentials === true || address.credentials !== undefined,
  };
}

type Watched = ListedRun | { readonly isTooLarge: true; readonly limit: number };

/** Runs a fetch and stops it if it writes too much. */
async function watchSize(job: FetchJob, fetch: (signal: AbortSignal) => Promise<ListedRun>): Promise<Watched> {
  const { signal, maxBytes = MAX_FETCH_BYTES } = job.options;
  const full = new AbortController();
  const timer = setInterval(() => job.sizeNow() > maxBytes && full.abort(), SIZE_CHECK_MS);
  try {
    const result = await fetch(signal === undefined ? full.signal : AbortSignal.any([signal, full.signal]));
    const isTooLarge = full.signal.aborted || job.sizeNow() > maxBytes;
    return isTooLarge ? { isTooLarge, limit: Math.ceil(maxBytes / 1024 ** 2) } : result;
  } finally {
    clearInterval(timer);
  }
}

/** Git follows the first redirect and reports it. Another host is another repository, which the caller did not ask for. */
function checkRedirect({ stderr }: ProcessResult, url: string): Outcome {
  const target = /redirecting to (\S+)/.exec(stderr)?.[1];
  if (target === undefined) return { ok: true };
  const isSameHost = URL.canParse(target) && new URL(target).origin === new URL(url).origin;
  return isSameHost
    ? { ok: true }
    : fail('INSTALL_FAILED', `${url} redirects to ${target}`, 'Use that address if you trust it.');
}

/** Reads what git wrote, without another process. */
async function readHead(git: Git, listing: FetchedCommit['listing']): Promise<Outcome<FetchedCommit>> {
  const written = readOwnText(join(git.repository, HEAD_BRANCH));
  const commit = written.ok ? (written.text ?? '').trim() : '';
  if (isCommitId(commit)) return { ok: true, commit, notices: [], listing };
  await listing;
  return fail('INSTALL_FAILED', 'HEAD is not a commit');
}

/** Only we write to this repository, so that the listing is of the same commit. */
async function resolveCommit(
  git: Git,
  ref: string,
  listing: FetchedCommit['listing'],
): Promise<Outcome<FetchedCommit>> {
  const commit = await resolveName(git, `${FETCHED}^{commit}`);
  if (commit !== undefined && (!isCommitId(ref) || commit === ref.toLowerCase()))
    return { ok: true, commit, notices: [], listing };
  await listing;
  return commit === undefined
    ? fail('INSTALL_FAILED', `${ref} is not a commit`)
    : fail('INSTALL_FAILED', `the server sent the commit ${commit} instead of ${ref}`);
}

async function resolveName(git: Git, name: string): Promise<string | undefined> {
  const resolved = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
  const commit = resolved.stdout.trim();
  return resolved.exitCode === 0 && isCommitId(commit) ? commit : undefined;
}

function reportProgress(text: string, onProgress: ((progress: FetchProgress) => void) | undefined): void {
  if (onProgress === undefined) return;
  for (const [, phase = '', percent] of text.matchAll(/(Receiving objects|Resolving deltas): +(\d+)%/g))
    onProgress({ phase, percent: Number(percent) });
}
