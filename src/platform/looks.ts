import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';

import type { FileStamp } from '../model/skill.ts';
import { now } from './clock.ts';
import { systemCode } from './errors.ts';

/**
 * A look at the machine, and what was seen: which kind of thing is at a path; the stamp of a path, of the link itself or of its
 * target; the path without links; a variable of the environment. Plain data; nothing is `null`.
 */
export type NotedLook =
  | { readonly at: 'kind'; readonly path: string; readonly seen: Kind }
  | { readonly at: 'stamp' | 'link-stamp'; readonly path: string; readonly seen: FileStamp | null }
  | { readonly at: 'real-path'; readonly path: string; readonly seen: string }
  | { readonly at: 'variable'; readonly path: string; readonly seen: string | null };

type Kind = 'nothing' | 'file' | 'directory' | 'other';

/**
 * Everything that this process looks at from now on. An answer that was made meanwhile is the same in another process for
 * which all of it looks the same.
 */
export interface LookNotes extends Disposable {
  /** Undefined if one of them cannot be checked later: it failed, or it saw a change so recent that another one may leave the same stamp. */
  list(): readonly NotedLook[] | undefined;
}

/** The coarsest times of a file system: FAT counts in steps of two seconds. */
export const COARSE_MS = 2_500;

/** Of the process, as the file system is. Nothing is noted unless a command asks for it. */
let notes: { readonly looks: NotedLook[]; isCheckable: boolean } | undefined;

export function takeNotes(): LookNotes {
  const own = { looks: [] as NotedLook[], isCheckable: true };
  const before = notes;
  notes = own;
  return {
    list: () => (own.isCheckable ? own.looks : undefined),
    [Symbol.dispose]() {
      notes = before;
    },
  };
}

/** Notes nothing of this work, which no answer depends on: writing files, and reading caches. */
export function withoutNotes<T>(work: () => T): T {
  const before = notes;
  notes = undefined;
  try {
    return work();
  } finally {
    notes = before;
  }
}

/** The thing at a path, links followed; undefined if there is none. Throws as `statSync` does. */
export function lookAt(path: string): Stats | undefined {
  return notes === undefined ? statSync(path, NO_THROW) : noteStats('stamp', path, statSync);
}

/** The same of a link itself. */
export function lookAtLink(path: string): Stats | undefined {
  return notes === undefined ? lstatSync(path, NO_THROW) : noteStats('link-stamp', path, lstatSync);
}

/** Which kind of thing is at a path, links followed. Other changes of it do not count. Throws as `statSync` does. */
export function lookForKind(path: string): Kind {
  const seen = orUncheckable(() => kindOf(statSync(path, NO_THROW)));
  notes?.looks.push({ at: 'kind', path, seen });
  return seen;
}

/** The path without links. Throws if it leads nowhere. */
export function lookForRealPath(path: string): string {
  const seen = orUncheckable(() => realpathSync.native(path));
  notes?.looks.push({ at: 'real-path', path, seen });
  return seen;
}

/** Notes a file that was opened, or that another thread looked at; undefined if there was none. */
export function noteSeen(path: string, stamp: FileStamp | undefined): void {
  noteStamp('link-stamp', path, stamp);
}

/** Notes a file that was opened through a path that may be a link. */
export function noteOpened(path: string, stamp: FileStamp): void {
  noteStamp('stamp', path, stamp);
}

/** Says that something was looked at in a way that cannot be checked later. */
export function noteUncheckable(): void {
  if (notes !== undefined) notes.isCheckable = false;
}

/** The variables of the environment, of which those that are read are noted. Other questions about them cannot be checked later. */
export function noteVariables<T extends Readonly<Record<string, string | undefined>>>(variables: T): T {
  if (notes === undefined) return variables;
  return new Proxy(variables, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name === 'string')
        notes?.looks.push({ at: 'variable', path: name, seen: typeof value === 'string' ? value : null });
      return value;
    },
    has(target, name) {
      noteUncheckable();
      return Reflect.has(target, name);
    },
    ownKeys(target) {
      noteUncheckable();
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor(target, name) {
      noteUncheckable();
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

/** Would this look see the same now? */
export function looksTheSame(look: NotedLook, variables: Readonly<Record<string, string | undefined>>): boolean {
  if (look.at === 'variable') return (variables[look.path] ?? null) === look.seen;
  try {
    if (look.at === 'kind') return kindOf(statSync(look.path, NO_THROW)) === look.seen;
    if (look.at === 'real-path') return realpathSync.native(look.path) === look.seen;
    const stats = look.at === 'stamp' ? statSync(look.path, NO_THROW) : lstatSync(look.path, NO_THROW);
    const { seen } = look;
    if (stats === undefined || seen === null) return stats === undefined && seen === null;
    return (
      stats.mtimeMs === seen.mtimeMs &&
      stats.ctimeMs === seen.ctimeMs &&
      stats.size === seen.size &&
      stats.ino === seen.ino
    );
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Does a file, and no link, have the stamp whose numbers begin here: times of modification and change, size, inode? */
export function isFileStamped(path: string, numbers: Float64Array, from: number): boolean {
  try {
    const stats = lstatSync(path, NO_THROW);
    return (
      stats !== undefined &&
      stats.mtimeMs === numbers[from] &&
      stats.ctimeMs === numbers[from + 1] &&
      stats.size === numbers[from + 2] &&
      stats.ino === numbers[from + 3]
    );
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

const NO_THROW = { throwIfNoEntry: false } as const;

function noteStats(at: 'stamp' | 'link-stamp', path: string, look: typeof statSync): Stats | undefined {
  const stats = orUncheckable(() => look(path, NO_THROW));
  noteStamp(at, path, stats);
  return stats;
}

function noteStamp(at: 'stamp' | 'link-stamp', path: string, stamp: FileStamp | undefined): void {
  if (notes === undefined) return;
  if (stamp === undefined) return void notes.looks.push({ at, path, seen: null });
  const { mtimeMs, ctimeMs, size, ino } = stamp;
  // Written so that a time that is not known counts as recent.
  if (!(now() - ctimeMs > COARSE_MS)) notes.isCheckable = false;
  notes.looks.push({ at, path, seen: { mtimeMs, ctimeMs, size, ino } });
}

function orUncheckable<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    noteUncheckable();
    throw error;
  }
}

function kindOf(stats: Stats | undefined): Kind {
  if (stats === undefined) return 'nothing';
  if (stats.isDirectory()) return 'directory';
  return stats.isFile() ? 'file' : 'other';
}
