import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { parseJson } from './cache-file.ts';
import { exists, isTaken, listDirectory, readOwnText, removeFile, writeWhole } from './files.ts';
import { withLocks, type LockOptions } from './lock.ts';

/**
 * One step of a change. At one end of it is a path that nothing but this change uses, so that whoever finishes the
 * change later can tell whether the step was taken: `from` of a file that goes `in`, `to` of one that goes `out`.
 */
export interface Move {
  readonly kind: 'in' | 'out';
  readonly from: string;
  readonly to: string;
}

/** A change of several files and folders; everything that needs space on the disk was written before. */
export interface PlannedChange {
  /** The files whose locks guard what is changed, in the order in which they are taken. */
  readonly guards: readonly string[];
  readonly moves: readonly Move[];
  /** What is of no use afterwards. */
  readonly discard: readonly string[];
  /** What is of no use where the change was not made. */
  readonly prepared: readonly string[];
}

/**
 * Makes a change as a whole: once it is written down, it is finished by this process or by the next one. The caller
 * holds the locks of the guards. Where it could not be written down, nothing was changed.
 */
export function makeChange(agentHome: string, change: PlannedChange): Outcome {
  const record = join(pendingFolder(agentHome), `${uniqueName()}.json`);
  const written = writeWhole(record, JSON.stringify({ version: FORMAT, ...change }), 0o600);
  if (!written.ok) {
    removeAll(change.prepared);
    return written;
  }
  const { done, fault } = makeMoves(change.moves);
  if (fault === undefined) return finish(record, change.discard);
  if (!takeBack(done)) return fail('STORE_FAILED', `${fault}; the next command tries again`);
  finish(record, change.prepared);
  return fail('STORE_FAILED', `${fault}; nothing was changed`);
}

/** What was replaced is gone: from there on a change can only be finished. */
function takeBack(done: readonly MadeMove[]): boolean {
  if (done.some(({ hasReplaced }) => hasReplaced)) return false;
  return done.toReversed().every(({ from, to }) => attempt(() => renameSync(to, from)).ok);
}

/**
 * Are there changes that a process began and did not finish, of what a lock guards or of anything? One look at a folder,
 * cheap enough for every start.
 */
export function hasPendingChanges(agentHome: string, guard?: string): boolean {
  const pending = listPending(agentHome);
  if (guard === undefined) return pending.length > 0;
  return pending.map(readChange).some((change) => change === 'unknown' || change?.guards.includes(guard));
}

/** Finishes what processes that were killed had begun; waits for those that are still at it. */
export async function finishPendingChanges(agentHome: string, options: LockOptions = {}): Promise<Outcome> {
  for (const record of listPending(agentHome)) {
    const change = readChange(record);
    // Finished by its own process in the meantime.
    if (change === undefined) continue;
    if (change === 'unknown') return fail('STORE_FAILED', `${record} cannot be understood; move it away`);
    // The project is gone, or its disk is: it is no matter of anything else.
    if (!change.guards.every((guard) => exists(dirname(guard)))) continue;
    const finished = await withLocks(
      change.guards,
      async () => (readChange(record) === undefined ? { ok: true } : carryOut(record, change)),
      options,
    );
    if (!finished.ok) return finished;
  }
  return { ok: true };
}

const FORMAT = 1;

/** Where changes are written down. */
export function pendingFolder(agentHome: string): string {
  return join(agentHome, 'pending');
}

function listPending(agentHome: string): readonly string[] {
  const dir = pendingFolder(agentHome);
  const listing = listDirectory(dir);
  const names = listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
  return names.filter((name) => name.endsWith('.json')).map((name) => join(dir, name));
}

function carryOut(record: string, { moves, discard }: PlannedChange): Outcome {
  const { fault } = makeMoves(moves);
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
  /** Why it ended before the last one. */
  readonly fault?: string;
}

function makeMoves(moves: readonly Move[]): MovesMade {
  const done: MadeMove[] = [];
  for (const move of moves) {
    const { kind, from, to } = move;
    const hasReplaced = isTaken(to);
    const isDone = !isTaken(from) || (kind === 'out' && hasReplaced);
    const moved = isDone ? undefined : attempt(() => renameSync(from, to));
    if (moved?.ok === false) return { done, fault: `${to} could not be put in place: ${moved.message}` };
    if (!isDone) done.push({ ...move, hasReplaced });
  }
  return { done };
}

/** Removes a file or folder of our own with all that is in it. */
export function removeTree(path: string): void {
  attempt(() => rmSync(path, { recursive: true, force: true, maxRetries: 2 }));
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
  return (value.kind === 'in' || value.kind === 'out') && isText(value.from) && isText(value.to);
}
