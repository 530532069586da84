import { accessSync, constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import type { NextStep } from '../../model/next-step.ts';
import { attempt } from '../errors.ts';
import { exists, isInside } from '../files/files.ts';

/** The absolute paths of a sandbox's helpers; undefined if missing. */
export interface SandboxTools {
  readonly bwrap: string | undefined;
  readonly unshare: string | undefined;
  readonly mount: string | undefined;
  readonly umount: string | undefined;
  readonly pivotRoot: string | undefined;
  readonly setpriv: string | undefined;
  readonly sh: string | undefined;
  readonly mkfifo: string | undefined;
}

/** Never the PATH, the working directory or a skill's folder: a helper found there could be an attacker's. */
const HELPER_DIRS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];

export function findSandboxTools(): SandboxTools {
  const find = (name: string): string | undefined => HELPER_DIRS.map((dir) => join(dir, name)).find(isExecutable);
  return {
    bwrap: find('bwrap'),
    unshare: find('unshare'),
    mount: find('mount'),
    umount: find('umount'),
    pivotRoot: find('pivot_root'),
    setpriv: find('setpriv'),
    sh: find('sh'),
    mkfifo: find('mkfifo'),
  };
}

export function isExecutable(path: string): boolean {
  return attempt(() => accessSync(path, constants.X_OK)).ok;
}

/** How a person lets programs make namespaces. */
export const ALLOW_NAMESPACES: NextStep = {
  ask: 'user',
  to: 'Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, on Ubuntu sysctl kernel.apparmor_restrict_unprivileged_userns=0. Start a container with more privileges.',
};

/** One mount of the file system that a script sees; later ones cover earlier ones. */
export type ViewStep =
  | { readonly kind: 'read' | 'write' | 'device'; readonly path: string; readonly at: string }
  | { readonly kind: 'link'; readonly at: string; readonly target: string }
  /** A small folder in memory. */
  | { readonly kind: 'memory'; readonly at: string }
  /** The processes of the script's own namespace. */
  | { readonly kind: 'processes'; readonly at: string };

/** The part of the system that a script sees. */
export interface SystemView {
  readonly base: readonly ViewStep[];
  /** Additions for host names and certificates. */
  readonly network: readonly ViewStep[];
  /** The loader's list of libraries, which is copied in. */
  readonly libraryCache: string | undefined;
}

/** The files and folders of a script. */
export interface ScriptFolders {
  /** Where it sees its skill, read-only. */
  readonly skillDir: string;
  /** The folder to show there: the skill's own, or a copy. */
  readonly skillContent: string;
  /** Folders to which it may write. */
  readonly writable: readonly string[];
  /** Paths below these to which it may not. */
  readonly kept: readonly string[];
  /** Interpreters outside the system's own, and their folders, read-only. */
  readonly toolPaths: readonly string[];
  readonly network: boolean;
}

/** Everything that a script sees except a few files in `/etc`. */
export function buildView(
  { base, network }: SystemView,
  { skillDir, skillContent, writable, kept, toolPaths, ...job }: ScriptFolders,
): readonly ViewStep[] {
  return [
    ...base,
    ...(job.network ? network : []),
    { kind: 'processes', at: '/proc' },
    ...DEVICES,
    ...MEMORY_FOLDERS.map((at) => ({ kind: 'memory', at }) as const),
    ...writable.map((dir) => ({ kind: 'write', path: dir, at: dir }) as const),
    ...[...kept, ...toolPaths].filter((path) => !isInSystemView(path)).flatMap(show),
    { kind: 'read', path: skillContent, at: skillDir },
  ];
}

const MEMORY_FOLDERS = ['/dev/shm', '/tmp'];
export const MEMORY_FOLDER_BYTES: number = 64 * 1024 * 1024;
/** No terminals: they would need another user namespace. */
const DEVICES: readonly ViewStep[] = [
  ...['null', 'zero', 'full', 'random', 'urandom'].map(
    (name) => ({ kind: 'device', path: `/dev/${name}`, at: `/dev/${name}` }) as const,
  ),
  { kind: 'link', at: '/dev/fd', target: '/proc/self/fd' },
  ...['stdin', 'stdout', 'stderr'].map(
    (name, at) => ({ kind: 'link', at: `/dev/${name}`, target: `/proc/self/fd/${at}` }) as const,
  ),
];

/** The user inside the namespace; outside it is the user who started the sandbox. */
export const SCRIPT_USER = '1000';
/** Files of `/etc` that are the same for every script. */
export const ETC_FILES: Readonly<Record<'passwd' | 'group' | 'hosts', string>> = {
  passwd: `root:x:0:0:root:/:/bin/sh\nskill:x:${SCRIPT_USER}:${SCRIPT_USER}:skill:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n`,
  group: `root:x:0:\nskill:x:${SCRIPT_USER}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
};

const SYSTEM_DIRS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Settings of programs without secrets: links to chosen programs, fonts, Java, ImageMagick. */
const SETTINGS = /^(?:alternatives|fonts|java-.*|ImageMagick-.*)$/;
const NETWORK_SETTINGS = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
];
const LIBRARY_CACHE = '/etc/ld.so.cache';

/** Reads which parts of the system this machine has. */
export function readSystemView(): SystemView {
  const etc = attempt(() => readdirSync('/etc'));
  const settings = (etc.ok ? etc.value : []).filter((name) => SETTINGS.test(name)).sort();
  return {
    base: [
      ...SYSTEM_DIRS.flatMap(showAsItIs),
      ...settings.flatMap((name) => show(`/etc/${name}`)),
      ...showLink('/etc/localtime'),
    ],
    network: NETWORK_SETTINGS.filter(exists).flatMap(show),
    libraryCache: isThere(LIBRARY_CACHE) ? LIBRARY_CACHE : undefined,
  };
}

/** Is the path in a folder that every script sees? */
export function isInSystemView(path: string): boolean {
  return SYSTEM_DIRS.some((dir) => isInside(path, dir));
}

/** `/bin` is a link to `usr/bin` on most systems, and a folder on some. */
function showAsItIs(path: string): readonly ViewStep[] {
  const linked = showLink(path);
  if (linked.length > 0) return linked;
  return isThere(path) ? show(path) : [];
}

function show(path: string): readonly ViewStep[] {
  return [{ kind: 'read', path, at: path }];
}

function showLink(path: string): readonly ViewStep[] {
  const target = attempt(() => readlinkSync(path));
  return target.ok ? [{ kind: 'link', at: path, target: target.value }] : [];
}

function isThere(path: string): boolean {
  return attempt(() => lstatSync(path)).ok;
}
