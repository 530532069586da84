import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parseJson } from '../../model/json.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { now, uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { exists, isTaken, listDirectory, readOwnText } from './files.ts';
import { rename } from './folders.ts';
import { withLocks, type LockOptions } from './lock.ts';
import { removeFile, removeTree } from './remove-tree.ts';
import { replaceFile } from './replace-file.ts';

/**
 * One step of a change. Only this change uses one of its two paths, `from` of a file that goes `in` or `to` of one that
 * goes `out`, so that a process that finishes the change later can tell whether the step was made.
 */
export interface Move {
  readonly kind: 'in' | 'out';
  readonly from: string;
  readonly to: string;
  /**
   * `inodeAndCtime` of the other path, when the change was planned. If others have changed it since, the step is left out: what is
   * there is theirs. Absent where only this program changes the path.
   */
  readonly found?: string | undefined;
}

/** Says what is at a path, so that any change is noticed: a file, link or folder with its inode and last change, or nothing. */
export function inodeAndCtime(path: string): string {
  const stats = attempt(() => lstatSync(path));
  return stats.ok ? `${stats.value.ino} ${stats.value.ctimeMs}` : VACANT;
}

/** The stamp of a path where there is nothing. */
export const VACANT = 'nothing';

/** A change of several files and folders. Everything that needs disk space was written before. */
export interface PlannedChange {
  /** The files whose locks guard the change, in the order in which to take them. */
  readonly guards: readonly string[];
  readonly moves: readonly Move[];
  /** Paths to remove after the change. */
  readonly discard: readonly string[];
  /** Paths to remove if the change is not made. */
  readonly prepared: readonly string[];
}

/**
 * Makes a change completely or not at all: once its record is written, this process or a later one finishes it. If the
 * record cannot be written, nothing changes. The caller holds the locks of the guards; `check` says whether it still does.
 */
export function makeChange(agentHome: string, change: PlannedChange, check?: () => Outcome): Outcome {
  const record = join(pendingFolder(agentHome), `${uniqueName()}.json`);
  const written = replaceFile(record, JSON.stringify({ version: FORMAT, ...change }), { isPrivate: true, check });
  if (!written.ok) {
    removeAll(change.prepared);
    return written;
  }
  const { done, fault, isLost } = makeMoves(change.moves, check);
  if (fault === undefined) return finish(record, change.discard);
  // The process that took over the lock finishes the change.
  if (isLost === true || !takeBack(done)) return fail('STORE_FAILED', `${fault}; the next command will try again`);
  finish(record, change.prepared);
  return fail('STORE_FAILED', `${fault}; nothing was changed`);
}

/** Files that were replaced are gone: then the change can only be finished. */
function takeBack(done: readonly MadeMove[]): boolean {
  if (done.some(({ hasReplaced }) => hasReplaced)) return false;
  return done.toReversed().every(({ from, to }) => rename(to, from).ok);
}

/**
 * Are there unfinished changes, of the files that `guard` guards or of any? Reads one folder: cheap enough for every start.
 */
export function hasPendingChanges(agentHome: string, guard?: string): boolean {
  const pending = listPending(agentHome);
  if (guard === undefined) return pending.length > 0;
  return pending.map(readChange).some((change) => change === 'unknown' || change?.guards.includes(guard));
}

/** Finishes the changes of killed processes; waits for processes that are still running. */
export async function finishPendingChanges(agentHome: string, options: LockOptions = {}): Promise<Outcome> {
  for (const record of listPending(agentHome)) {
    const change = readChange(record);
    // Its own process has finished it.
    if (change === undefined) continue;
    if (change === 'unknown') return fail('STORE_FAILED', `${record} cannot be read as a change`, { moveAway: record });
    // Its project or disk is gone: nothing else depends on it.
    if (!change.guards.every((guard) => exists(dirname(guard)))) continue;
    const finished = await withLocks(
      change.guards,
      async ({ check }) => (readChange(record) === undefined ? { ok: true } : carryOut(record, change, check)),
      options,
    );
    if (!finished.ok) return finished;
  }
  return { ok: true };
}

/**
 * Finishes the changes that killed processes left of these files. The caller holds their locks, and calls this before it
 * changes them: an unfinished change would later undo its own.
 */
export function finishHeldChanges(agentHome: string, held: readonly string[], check?: () => Outcome): Outcome {
  for (const record of listPending(agentHome)) {
    const change = readChange(record);
    if (change === undefined || change === 'unknown' || !change.guards.every((guard) => held.includes(guard))) continue;
    const finished = carryOut(record, change, check);
    if (!finished.ok) return finished;
  }
  return { ok: true };
}

const FORMAT = 1;

/** The folder of the records of changes. */
export function pendingFolder(agentHome: string): string {
  return join(agentHome, 'pending');
}

function listPending(agentHome: string): readonly string[] {
  const dir = pendingFolder(agentHome);
  const listing = listDirectory(dir);
  const names = listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
  return names.filter((name) => name.endsWith('.json')).map((name) => join(dir, name));
}

function carryOut(record: string, { moves, discard }: PlannedChange, check?: () => Outcome): Outcome {
  const { fault } = makeMoves(moves, check);
  return fault === undefined ? finish(record, discard) : fail('STORE_FAILED', fault);
}

function finish(record: string, useless: readonly string[]): Outcome {
  removeAll(useless);
  removeFile(record);
  return { ok: true };
}

function removeAll(paths: readonly string[]): void {
  for (const path of paths) removeTree(path);
}

interface MadeMove extends Move {
  readonly hasReplaced: boolean;
}

interface MovesMade {
  readonly done: readonly MadeMove[];
  /** Why it stopped before the last move. */
  readonly fault?: string;
  /** Whether it stopped because another process took the lock over. */
  readonly isLost?: boolean;
}

function makeMoves(moves: readonly Move[], check: () => Outcome = () => ({ ok: true })): MovesMade {
  const done: MadeMove[] = [];
  const checkAgain = spaceOut(check);
  for (const move of moves) {
    const held = checkAgain();
    if (!held.ok) return { done, fault: held.message, isLost: true };
    const { kind, from, to, found } = move;
    const hasReplaced = isTaken(to);
    const isMade = !isTaken(from) || (kind === 'out' && hasReplaced);
    const isDone = isMade || (found !== undefined && found !== inodeAndCtime(kind === 'in' ? to : from));
    const moved = isDone ? undefined : rename(from, to);
    if (moved?.ok === false) return { done, fault: `${to} could not be put in place: ${moved.message}` };
    if (!isDone) done.push({ ...move, hasReplaced });
  }
  return { done };
}

/** A lock is taken over only from a process that stood still for 30 seconds: between two moves without a pause it is held. */
const PAUSE_MS = 50;

function spaceOut(check: () => Outcome): () => Outcome {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const time = now();
    // Also if the clock was set back.
    if (Math.abs(time - last) < PAUSE_MS) return { ok: true };
    last = time;
    return check();
  };
}

function readChange(record: string): PlannedChange | 'unknown' | undefined {
  const read = readOwnText(record);
  if (!read.ok) return 'unknown';
  if (read.text === undefined) return undefined;
  const change = parseJson(read.text);
  return isChange(change) ? change : 'unknown';
}

function isChange(value: unknown): value is PlannedChange {
  if (typeof value !== 'object' || value === null || !('version' in value) || value.version !== FORMAT) return false;
  if (!('guards' in value && 'moves' in value && 'discard' in value && 'prepared' in value)) return false;
  const { guards, moves, discard, prepared } = value;
  return isListOf(moves, isMove) && [guards, discard, prepared].every((list) => isListOf(list, isText));
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isMove(value: unknown): value is Move {
  if (typeof value !== 'object' || value === null || !('kind' in value && 'from' in value && 'to' in value))
    return false;
  const hasStamp = !('found' in value) || isText(value.found);
  return (value.kind === 'in' || value.kind === 'out') && isText(value.from) && isText(value.to) && hasStamp;
}
