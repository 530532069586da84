import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure } from '../../model/outcome.ts';
import type { ProcessResult } from '../process/run-process.ts';

export interface FetchContext {
  readonly url: string;
  readonly ref: string | undefined;
  readonly timeoutMs: number;
  readonly hasCredentials: boolean;
}

/** Does the server lack, or refuse to send, the wanted ref? */
export function isMissingRef({ stderr }: ProcessResult): boolean {
  return NO_SUCH_REF.test(stderr);
}

const NO_SUCH_REF = /couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i;

/** Why git could not fetch, with a step to take if there is one. */
export function explainFetch(result: ProcessResult, context: FetchContext): Failure {
  const [reason, next] = explain(result, context);
  return fail('INSTALL_FAILED', `${context.url} could not be fetched: ${reason}`, next);
}

type Explanation = readonly [reason: string, next?: NextStep];

function explain({ ended, stderr, startError }: ProcessResult, context: FetchContext): Explanation {
  if (ended === 'timeout') return [`it took longer than ${Math.ceil(context.timeoutMs / 1_000)} s`];
  if (ended === 'cancelled') return ['it was cancelled'];
  if (ended === 'output') return ['the server sends too many messages'];
  if (ended === 'not-started') return [`git could not be started (${startError})`];
  if (NO_SUCH_REF.test(stderr)) return explainRef(context);
  if (DENIED.test(stderr)) return explainDenial(context);
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(stderr));
  return known?.[1] ?? [lastComplaint(stderr)];
}

function explainRef({ ref }: FetchContext): Explanation {
  if (ref === undefined) return ['it has no commits yet'];
  return [`it has no branch, tag or commit ${ref}`];
}

const DENIED = /terminal prompts disabled|Authentication failed|Permission denied|returned error: 40[134]|not found/i;

function explainDenial({ hasCredentials }: FetchContext): Explanation {
  if (hasCredentials) return ['it does not exist, or your credentials do not give access to it'];
  return ['it does not exist or is private', { give: 'useGitCredentials', aim: "use git's credentials" }];
}

const EXPLANATIONS: readonly (readonly [pattern: RegExp, explanation: Explanation])[] = [
  [
    /Host key verification failed/,
    ['your ssh does not know the host', { ask: 'user', to: 'Connect to it once with ssh.' }],
  ],
  [
    /returned error: 30\d/,
    ['the server redirects to another address', { advice: 'Use that address; it often ends in .git.' }],
  ],
  [/unable to update url base/, ['the server redirects to another address']],
  [/Could not resolve host/i, ['host not found, or no network']],
  [/Connection refused|Failed to connect|Connection timed out/i, ['the host does not answer']],
  [/transport '.*' not allowed|Protocol ".*" .*(?:disabled|not supported)/i, ['the server requires another protocol']],
  [/attempting to allocate .* over limit/, ['an object is too large to be unpacked']],
  [/dubious ownership/, ['it belongs to another user of this machine']],
  [/does not appear to be a git repository/, ['it is not a git repository']],
  [/mismatched algorithms/, ['it uses SHA-256 object names, which are not supported']],
];

/** The last complaint of git itself, not of the server. */
function lastComplaint(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => /^(?:fatal|error): /.test(line));
  const line = lines.find((text) => text.includes('fsck error')) ?? lines.at(-1) ?? 'git failed without a message';
  const text = line.replace(/^(?:fatal|error): /, '').slice(0, 300);
  return line.includes('fsck error') ? `it contains broken or dangerous objects (${text})` : text;
}
