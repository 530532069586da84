import { join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { readOwnText } from '../files/files.ts';
import type { ProcessResult } from '../process/run-process.ts';
import type { FetchJob, FetchProgress } from './git-address.ts';
import { explainFetch, isMissingRef, type FetchContext } from './git-failure.ts';
import { listCommit } from './git-listing.ts';
import { isCommitId, looksLikeCommit } from './git-ref.ts';
import { FETCH_TIMEOUT_MS, MAX_FETCH_BYTES, type Git } from './git-run.ts';

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
  /** Its files, which git is listing. */
  readonly listing: ReturnType<typeof listCommit>;
}

/** Fetches the wanted ref and returns its commit. */
export async function fetchCommit(git: Git, job: FetchJob): Promise<Outcome<FetchedCommit>> {
  const { ref } = job.address;
  const isNamed = ref === undefined || isCommitId(ref) || !looksLikeCommit(ref);
  const target = ref === undefined ? HEAD_BRANCH : FETCHED;
  const single = await fetchRefs(git, job, { depth: 1, refspecs: [`+${ref ?? 'HEAD'}:${target}`] });
  if (single.ok) return ref === undefined ? readHead(git) : resolveCommit(git, ref);
  if (!single.isMissing || ref === undefined || !looksLikeCommit(ref)) return single;
  const deep = await fetchRefs(git, job, { depth: MAX_DEPTH, refspecs: ALL_REFS });
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
}

type FetchOutcome = Outcome & { readonly isMissing?: boolean };

async function fetchRefs(git: Git, job: FetchJob, { depth, refspecs }: Wanted): Promise<FetchOutcome> {
  const { url } = job.address;
  const watched = watchSize(job, (signal) =>
    git.run([...FETCH, `--depth=${depth}`, '--end-of-options', url, ...refspecs], {
      signal,
      onOutput: (_stream, text) => reportProgress(text, job.options.onProgress),
    }),
  );
  job.options.onFetching?.();
  const result = await watched;
  if ('isTooLarge' in result) return fail('INSTALL_FAILED', `${url} is too large: more than ${result.limit} MiB`);
  if (result.ended === 'exited' && result.exitCode === 0) return checkRedirect(result, url);
  return { ...explainFetch(result, describe(job)), isMissing: isMissingRef(result) };
}

const FETCH = [
  'fetch',
  '--progress',
  '--no-tags',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--upload-pack=git-upload-pack',
];

function describe({ address, options }: FetchJob): FetchContext {
  return {
    url: address.url,
    ref: address.ref,
    timeoutMs: options.timeoutMs ?? FETCH_TIMEOUT_MS,
    hasCredentials: options.useGitCredentials === true || address.credentials !== undefined,
  };
}

type Watched = ProcessResult | { readonly isTooLarge: true; readonly limit: number };

/** Runs a fetch and stops it if it writes too much. */
async function watchSize(job: FetchJob, fetch: (signal: AbortSignal) => Promise<ProcessResult>): Promise<Watched> {
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
function checkRedirect({ stderr }: ProcessResult, url: string): FetchOutcome {
  const target = /redirecting to (\S+)/.exec(stderr)?.[1];
  if (target === undefined) return { ok: true };
  const isSameHost = URL.canParse(target) && new URL(target).origin === new URL(url).origin;
  return isSameHost
    ? { ok: true }
    : fail('INSTALL_FAILED', `${url} redirects to ${target}`, 'Use that address if you trust it.');
}

/** Reads what git wrote, without another process. */
async function readHead(git: Git): Promise<Outcome<FetchedCommit>> {
  const written = readOwnText(join(git.repository, HEAD_BRANCH));
  const commit = written.ok ? (written.text ?? '').trim() : '';
  return isCommitId(commit)
    ? { ok: true, commit, notices: [], listing: listCommit(git, commit) }
    : fail('INSTALL_FAILED', 'HEAD is not a commit');
}

async function resolveCommit(git: Git, ref: string): Promise<Outcome<FetchedCommit>> {
  // At the same time: only we write to this repository, so that both see the same commit.
  const listing = listCommit(git, FETCHED);
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
