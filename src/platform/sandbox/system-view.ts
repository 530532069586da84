import { accessSync, constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { attempt } from '../errors.ts';
import { isInside } from '../files/files.ts';

/** The absolute paths of a sandbox's helpers; undefined if missing. */
export interface SandboxTools {
  readonly bwrap: string | undefined;
  readonly unshare: string | undefined;
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
    setpriv: find('setpriv'),
    sh: find('sh'),
    mkfifo: find('mkfifo'),
  };
}

export function isExecutable(path: string): boolean {
  return attempt(() => accessSync(path, constants.X_OK)).ok;
}

/** Bubblewrap's arguments for the part of the system that a script sees. */
export interface SystemView {
  readonly base: readonly string[];
  /** Additions for host names and certificates. */
  readonly network: readonly string[];
  /** The loader's list of libraries, which is copied in. */
  readonly libraryCache: string | undefined;
}

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

export function readSystemView(): SystemView {
  const etc = attempt(() => readdirSync('/etc'));
  const settings = (etc.ok ? etc.value : []).filter((name) => SETTINGS.test(name)).sort();
  return {
    base: [
      ...SYSTEM_DIRS.flatMap(showAsItIs),
      ...settings.flatMap((name) => show(`/etc/${name}`)),
      ...linkToZone('/etc/localtime'),
    ],
    network: NETWORK_SETTINGS.flatMap((path) => ['--ro-bind-try', path, path]),
    libraryCache: isThere(LIBRARY_CACHE) ? LIBRARY_CACHE : undefined,
  };
}

/** Is the path in a folder that every script sees? */
export function isInSystemView(path: string): boolean {
  return SYSTEM_DIRS.some((dir) => isInside(path, dir));
}

/** `/bin` is a link to `usr/bin` on most systems, and a folder on some. */
function showAsItIs(path: string): readonly string[] {
  const target = attempt(() => readlinkSync(path));
  if (target.ok) return ['--symlink', target.value, path];
  return isThere(path) ? show(path) : [];
}

function show(path: string): readonly string[] {
  return ['--ro-bind', path, path];
}

function linkToZone(path: string): readonly string[] {
  const target = attempt(() => readlinkSync(path));
  return target.ok ? ['--symlink', target.value, path] : [];
}

function isThere(path: string): boolean {
  return attempt(() => lstatSync(path)).ok;
}
