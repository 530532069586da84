import { parseJson } from '../../model/json.ts';
import { uniqueName } from '../clock.ts';
import { judgeProcess, ownIdentity, type ProcessIdentity, type ProcessState } from '../process/process-identity.ts';

/** A lock as it was read. */
export interface LockFile {
  readonly text: string;
  /** Time since its owner's last sign of life. */
  readonly ageMs: number;
}

/** For the lock of a process that cannot be seen from here; it touches the file every few seconds. */
const SILENT_MS = 30_000;
/** For a lock that another version or program wrote. */
const STRANGE_MS = 60_000;
/** For a lock whose owner was killed before it wrote its token. */
const EMPTY_MS = 2_000;

/** The content of a lock of this process; no two are equal. */
export function renderToken(): string {
  return JSON.stringify({ ...ownIdentity(), id: uniqueName() });
}

export function judgeLock({ text, ageMs }: LockFile): 'held' | 'abandoned' {
  const owner = parseToken(text);
  if (owner === undefined) return ageMs > (text === '' ? EMPTY_MS : STRANGE_MS) ? 'abandoned' : 'held';
  const state = judgeProcess(owner);
  return state === 'gone' || (state === 'unknown' && ageMs > SILENT_MS) ? 'abandoned' : 'held';
}

/** The owner of a lock in words, and what to do about it. */
export function findLockOwner({ text }: LockFile): { readonly name: string; readonly hint: string } {
  const owner = parseToken(text);
  if (owner === undefined)
    return { name: 'another program', hint: `Try again in ${STRANGE_MS / 1_000} seconds, or move the lock away.` };
  const state = judgeProcess(owner);
  return { name: `process ${owner.pid}${PLACES[state](owner)}`, hint: HINTS[state] };
}

const PLACES: Readonly<Record<ProcessState, (owner: ProcessIdentity) => string>> = {
  running: () => '',
  suspended: () => ', which is suspended,',
  gone: () => ', which has ended,',
  unknown: ({ host, boot }) =>
    boot === ownIdentity().boot ? ' of another container' : ` of another container or machine${showHost(host)}`,
};

/** The lock may be part of a clone, and then holds any text. */
function showHost(host: string): string {
  return /^[\w.-]{1,64}$/.test(host) ? ` (${host})` : '';
}

const HINTS: Readonly<Record<ProcessState, string>> = {
  running: 'Try again when it has finished, or end it.',
  suspended: 'Resume or end it.',
  gone: 'Try again.',
  unknown: `Try again when it has finished. If it is dead, its lock ends ${SILENT_MS / 1_000} seconds after its last sign of life.`,
};

function parseToken(text: string): ProcessIdentity | undefined {
  const token = parseJson(text);
  return isIdentity(token) ? token : undefined;
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !Number.isSafeInteger(value.pid))
    return false;
  return ['host', 'boot', 'namespace', 'started'].every((key) => typeof Object(value)[key] === 'string');
}
