import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Doors } from './other-user.ts';
import { buildSystemCallFilter, type FilterOptions } from './seccomp.ts';
import {
  buildView,
  ETC_FILES,
  MEMORY_FOLDER_BYTES,
  SCRIPT_USER,
  type ScriptFolders,
  type SystemView,
  type ViewStep,
} from './system-view.ts';

export interface BubblewrapJob extends ScriptFolders {
  /** Becomes the first process of the namespace. */
  readonly command: readonly string[];
  /** Where it starts. */
  readonly workDir: string;
}

export interface Bubblewrap {
  readonly path: string;
  readonly view: SystemView;
  /** Version 0.8 or later, which knows `--size` and `--disable-userns`. */
  readonly isModern: boolean;
  /** Are system calls filtered? */
  readonly hasFilter: boolean;
  readonly content: SandboxContent;
}

/**
 * Builds a command that runs in its own namespaces, without capabilities. It can write only to the given folders and to two
 * small folders in memory. Start bubblewrap itself with a clean environment: the first process in the namespace keeps
 * it, and the script can read it there.
 */
export function buildBubblewrap(bubblewrap: Bubblewrap, job: BubblewrapJob, files: SandboxFiles): readonly string[] {
  const { path, view, isModern, hasFilter } = bubblewrap;
  return [
    [path, '--unshare-all', '--unshare-user', '--uid', SCRIPT_USER, '--gid', SCRIPT_USER, '--hostname', 'skill'],
    ['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--as-pid-1'],
    // The filter refuses the same at no cost.
    !hasFilter && isModern ? ['--disable-userns'] : [],
    files.args,
    job.network ? ['--share-net'] : [],
    buildView(view, job).flatMap((step) => renderStep(step, isModern)),
    ['--remount-ro', '/', '--chdir', job.workDir, '--'],
    job.command,
  ].flat();
}

function renderStep(step: ViewStep, isModern: boolean): readonly string[] {
  if (step.kind === 'link') return ['--symlink', step.target, step.at];
  if (step.kind === 'processes') return ['--proc', step.at];
  if (step.kind === 'memory') return [...(isModern ? ['--size', String(MEMORY_FOLDER_BYTES)] : []), '--tmpfs', step.at];
  return [BINDS[step.kind], step.path, step.at];
}

const BINDS = { read: '--ro-bind', write: '--bind', device: '--dev-bind' } as const;

/** Files that bubblewrap reads from open descriptors while it builds the sandbox. */
export interface SandboxFiles {
  readonly args: readonly string[];
  /** Pass them to the process in this order, from descriptor 3 on. */
  readonly descriptors: readonly number[];
  readonly close: () => void;
}

/** File content for bubblewrap's options, the same for every script. */
export interface SandboxContent {
  /** Opens new descriptors: each can be read only once. */
  readonly open: (options: FilterOptions) => SandboxFiles;
  readonly close: () => void;
}

export function holdSandboxContent(view: SystemView, architecture: string): SandboxContent {
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-sandbox-'));
  const hold = (name: string, content: string | Buffer): number => {
    writeFileSync(join(dir, name), content, { mode: 0o600 });
    return openSync(join(dir, name), 'r');
  };
  try {
    const held = Object.entries(ETC_FILES).map(([name, text]) => hold(name, text));
    const args = Object.keys(ETC_FILES).flatMap((name, at) => ['--file', String(3 + at), `/etc/${name}`]);
    const paths = held.map(pathOfHeld);
    if (view.libraryCache !== undefined)
      args.push('--file', String(2 + paths.push(view.libraryCache)), view.libraryCache);
    const holdFilter = (network: boolean): number | undefined => {
      const filter = buildSystemCallFilter(architecture, { network });
      return filter === undefined ? undefined : hold(`filter-${network}`, filter);
    };
    const filters = { open: holdFilter(true), closed: holdFilter(false) };
    held.push(...Object.values(filters).filter((filter) => filter !== undefined));
    return {
      open({ network }) {
        const filter = network ? filters.open : filters.closed;
        if (filter === undefined) return openAll(paths, args);
        return openAll([...paths, pathOfHeld(filter)], [...args, '--seccomp', String(3 + paths.length)]);
      },
      close: () => closeAll(held),
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function pathOfHeld(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function openAll(paths: readonly string[], args: readonly string[]): SandboxFiles {
  const descriptors: number[] = [];
  const close = (): void => closeAll(descriptors);
  try {
    for (const path of paths) descriptors.push(openSync(path, 'r'));
  } catch (error) {
    close();
    throw error;
  }
  return { args, descriptors, close };
}

function closeAll(descriptors: readonly number[]): void {
  for (const descriptor of descriptors) closeSync(descriptor);
}

export interface Opener {
  readonly bwrap: string;
  readonly setpriv: string;
}

/**
 * Builds a command that root starts as another user. That user sees the needed folders even below a folder that is closed
 * to others, such as `/root`: in a mount namespace an empty folder replaces each closed one.
 */
export function withOpenFolders(command: readonly string[], options: Opener & Doors): readonly string[] {
  const { bwrap, setpriv, user, closed, needed } = options;
  return [
    // Everything dies with the first process, which is root's: another user's would miss the signal when root's dies.
    [bwrap, '--dev-bind', '/', '/', '--unshare-pid', '--die-with-parent'],
    closed.flatMap((dir) => ['--tmpfs', dir]),
    // Otherwise bubblewrap creates the folders between, closed to others.
    needed.flatMap((path) => foldersBetween(closed, path).flatMap((dir) => ['--dir', dir])),
    needed.flatMap((path) => ['--bind', path, path]),
    ['--', setpriv, `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'],
    command,
  ].flat();
}

/** The folders from a closed one down to the parent of `path`. */
function foldersBetween(closed: readonly string[], path: string): readonly string[] {
  const folders: string[] = [];
  for (let dir = dirname(path); !closed.includes(dir) && dir !== dirname(dir); dir = dirname(dir)) folders.unshift(dir);
  return folders;
}
