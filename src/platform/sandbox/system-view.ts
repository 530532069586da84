import { accessSync, constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { attempt } from '../errors.ts';
import { isBelow } from '../files/files.ts';

/** The helpers of a sandbox, by absolute path; undefined where there is none. */
export interface SandboxTools {
  readonly bwrap: string | undefined;
  readonly unshare: string | undefined;
  readonly setpriv: string | undefined;
  readonly sh: string | undefined;
  readonly mkfifo: string | undefined;
}

/** Never the PATH, the working directory or a skill's folder: a helper found there could be anybody's. */
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

/** What a script in bubblewrap sees of the system, as bubblewrap's arguments. */
export interface SystemView {
  readonly base: readonly string[];
  /** More of it, for names and certificates. */
  readonly network: readonly string[];
  /** Copied in: the loader's list of libraries. */
  readonly libraryCache: string | undefined;
}

const SYSTEM_DIRS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Settings of programs, none of which holds a secret: links to chosen programs, fonts, Java, ImageMagick. */
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

/** Is it in one of the folders that every script sees? */
export function isInSystemView(path: string): boolean {
  return SYSTEM_DIRS.some((dir) => path === dir || isBelow(path, dir));
}

/** On most systems `/bin` is a link to `usr/bin`, on some a folder of its own. */
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
