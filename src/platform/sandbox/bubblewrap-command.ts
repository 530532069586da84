import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { buildSystemCallFilter, type FilterOptions } from './seccomp.ts';
import { isInSystemView, type SystemView } from './system-view.ts';

export interface BubblewrapJob {
  /** Becomes the first process of the namespace. */
  readonly command: readonly string[];
  /** Where the script sees its skill, read-only; also its working directory. */
  readonly skillDir: string;
  /** The folder to show there: the skill's own, or a copy. */
  readonly skillContent: string;
  /** Where it may write. */
  readonly outputDir: string;
  /** Interpreters outside the system's own, and their folders, read-only. */
  readonly toolPaths: readonly string[];
  /** Files and folders to show at their paths, read-only. */
  readonly inputs: readonly { readonly path: string; readonly realPath: string }[];
  readonly network: boolean;
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

/** The user inside the namespace; outside it is the user who started bubblewrap. */
const USER = '1000';
const MEMORY_FOLDER_BYTES = String(64 * 1024 * 1024);
/** Bubblewrap's own `/dev` would include terminals, which need another user namespace. */
const DEVICES: readonly string[] = [
  ['null', 'zero', 'full', 'random', 'urandom'].flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
  ['--symlink', '/proc/self/fd', '/dev/fd'],
  ['stdin', 'stdout', 'stderr'].flatMap((name, at) => ['--symlink', `/proc/self/fd/${at}`, `/dev/${name}`]),
].flat();

/**
 * Builds a command that runs in its own namespaces, without capabilities. It can write only to its output folder and to two
 * small folders in memory. Start bubblewrap itself with a clean environment: the first process in the namespace keeps
 * it, and the script can read it there.
 */
export function buildBubblewrap(bubblewrap: Bubblewrap, job: BubblewrapJob, files: SandboxFiles): readonly string[] {
  const { path, view, isModern, hasFilter } = bubblewrap;
  const size = isModern ? ['--size', MEMORY_FOLDER_BYTES] : [];
  return [
    [path, '--unshare-all', '--unshare-user', '--uid', USER, '--gid', USER, '--hostname', 'skill'],
    ['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--as-pid-1'],
    // The filter refuses the same at no cost.
    !hasFilter && isModern ? ['--disable-userns'] : [],
    view.base,
    files.args,
    job.network ? ['--share-net', ...view.network] : [],
    ['--proc', '/proc', ...DEVICES],
    [...size, '--tmpfs', '/dev/shm', ...size, '--tmpfs', '/tmp'],
    job.toolPaths.flatMap((tool) => (isInSystemView(tool) ? [] : ['--ro-bind', tool, tool])),
    job.inputs.flatMap(({ path, realPath }) => (isInSystemView(path) ? [] : ['--ro-bind', realPath, path])),
    ['--ro-bind', job.skillContent, job.skillDir, '--bind', job.outputDir, job.outputDir],
    ['--remount-ro', '/', '--chdir', job.skillDir, '--'],
    job.command,
  ].flat();
}

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

const PASSWD = `root:x:0:0:root:/:/bin/sh\nskill:x:${USER}:${USER}:skill:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n`;
const HOSTS = '127.0.0.1 localhost\n::1 localhost\n';
const GROUP = `root:x:0:\nskill:x:${USER}:\nnogroup:x:65534:\n`;

export function holdSandboxContent(view: SystemView, architecture: string): SandboxContent {
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-sandbox-'));
  const hold = (name: string, content: string | Buffer): number => {
    writeFileSync(join(dir, name), content, { mode: 0o600 });
    return openSync(join(dir, name), 'r');
  };
  try {
    const held = [hold('passwd', PASSWD), hold('group', GROUP), hold('hosts', HOSTS)];
    const args = ['--file', '3', '/etc/passwd', '--file', '4', '/etc/group', '--file', '5', '/etc/hosts'];
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

export interface OpenerOptions extends Opener {
  readonly user: number;
  /** Folders that the other user cannot enter. */
  readonly closed: readonly string[];
  /** The paths below them that it needs. */
  readonly needed: readonly string[];
}

/**
 * Builds a command that root starts as another user. That user sees the needed folders even below a folder that is closed
 * to others, such as `/root`: in a mount namespace an empty folder replaces each closed one.
 */
export function withOpenFolders(command: readonly string[], options: OpenerOptions): readonly string[] {
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
