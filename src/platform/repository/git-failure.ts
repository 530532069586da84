import { fail, type Failure } from '../../model/outcome.ts';
import type { ProcessResult } from '../process/run-process.ts';

export interface FetchContext {
  readonly url: string;
  readonly ref: string | undefined;
  /** A path was named along with the ref. */
  readonly hasPath: boolean;
  readonly timeoutMs: number;
  readonly hasCredentials: boolean;
}

export type FetchTrouble = 'no-such-ref' | 'other';

/** Does the server not have, or not give, what was asked for? */
export function findTrouble({ stderr }: ProcessResult): FetchTrouble {
  return NO_SUCH_REF.test(stderr) ? 'no-such-ref' : 'other';
}

const NO_SUCH_REF = /couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i;

/** Why git could not fetch, in words that say what to do. */
export function explainFetch(result: ProcessResult, context: FetchContext): Failure {
  return fail('INSTALL_FAILED', `${context.url} could not be fetched: ${explain(result, context)}`);
}

function explain({ ended, stderr, startError }: ProcessResult, context: FetchContext): string {
  if (ended === 'timeout') return `it was not there after ${Math.ceil(context.timeoutMs / 1_000)} s`;
  if (ended === 'cancelled') return 'it was cancelled';
  if (ended === 'output') return 'the server sends far too many messages';
  if (ended === 'not-started') return `git could not be started (${startError})`;
  if (NO_SUCH_REF.test(stderr)) return explainRef(context);
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(stderr));
  if (known === undefined) return lastComplaint(stderr);
  return known[1] === DENIED && context.hasCredentials ? DENIED_WITH_CREDENTIALS : known[1];
}

function explainRef({ ref, hasPath }: FetchContext): string {
  if (ref === undefined) return 'it has no commit yet';
  const missing = `it has no branch, tag or commit ${ref}`;
  return hasPath ? `${missing}; a branch with a slash in its name is given as <url>#<branch>` : missing;
}

const DENIED = 'it does not exist or is private; --use-git-credentials uses the credentials of your git';
const DENIED_WITH_CREDENTIALS = 'it does not exist, or these credentials do not open it';

const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/terminal prompts disabled|Authentication failed|Permission denied|returned error: 40[134]|not found/i, DENIED],
  [/Host key verification failed/, 'the host is not known to your ssh; connect to it once by hand'],
  [/returned error: 30\d/, 'the server wants to send us to another address; give that one (often it ends in .git)'],
  [/unable to update url base/, 'the server wants to send us to another address'],
  [/Could not resolve host/i, 'there is no such host, or no network'],
  [/Connection refused|Failed to connect|Connection timed out/i, 'the host does not answer'],
  [/transport '.*' not allowed|Protocol ".*" .*(?:disabled|not supported)/i, 'the server wants another protocol'],
  [/dubious ownership/, 'it belongs to another user of this machine'],
  [/does not appear to be a git repository/, 'there is no git repository'],
  [/mismatched algorithms/, 'it uses SHA-256 object names, which are not supported'],
];

/** The last thing that git itself, not the server, complains of. */
function lastComplaint(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => /^(?:fatal|error): /.test(line));
  const line = lines.find((text) => text.includes('fsck error')) ?? lines.at(-1) ?? 'git failed without a word';
  const text = line.replace(/^(?:fatal|error): /, '').slice(0, 300);
  return line.includes('fsck error') ? `it holds broken or dangerous objects (${text})` : text;
}
