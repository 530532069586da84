import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';

import type { Environment } from '../environment.ts';
import { attempt } from '../errors.ts';
import { isInside, isFile, listDirectory, realPath } from '../files/files.ts';
import { dependencyFolder } from '../package-file.ts';
import { SYSTEM_COMMAND_DIRS } from '../sandbox/script-environment.ts';

/** A program, with the files and folders it needs outside the system's own. */
export interface Program {
  /** Absolute, without links. */
  readonly path: string;
  readonly toolPaths: readonly string[];
}

/** Finds the programs of this machine that scripts may use. */
export interface ProgramFinder {
  find(name: string): Program | undefined;
  /** The Node.js that runs us. */
  node(): Program;
  /** A file that makes our Node.js run TypeScript of every kind; undefined in a bundle without the package that has it. */
  typeScriptLoader(): Program | undefined;
}

/**
 * Looks for programs in the system's own folders, then on the PATH, but never in the avoided folders: a file in a skill or a
 * project must not pass for a program of the machine.
 */
export function openProgramFinder(environment: Environment, avoided: readonly string[]): ProgramFinder {
  // The home and what is above it are not avoided: users keep their programs below their home directory.
  const avoid = avoided.map((dir) => realPath(dir) ?? dir).filter((dir) => !isInside(environment.home, dir));
  const onPath = (environment.variables['PATH'] ?? '').split(delimiter).filter((dir) => isAbsolute(dir));
  // The shims of version managers read folders that a sandbox does not show: try them last.
  const dirs = [...SYSTEM_COMMAND_DIRS, ...onPath.filter((dir) => basename(dir) !== 'shims'), ...onPath];
  const isAvoided = (path: string): boolean => avoid.some((dir) => isInside(path, dir));
  return {
    find(name) {
      if (name === '' || /[/\\\0]/.test(name)) return undefined;
      for (const dir of new Set(dirs)) {
        const path = realPath(join(dir, name));
        if (path !== undefined && isExecutableFile(path) && !isAvoided(path) && !isAvoided(join(dir, name)))
          return describe(path, environment);
      }
      return undefined;
    },
    node: () => describe(realPath(process.execPath) ?? process.execPath, environment),
    typeScriptLoader() {
      const jiti = dependencyFolder('jiti');
      return jiti === undefined ? undefined : { path: join(jiti, 'lib/jiti-cli.mjs'), toolPaths: [jiti] };
    },
  };
}

/** The program that runs us; undefined if it is not a file. Call it outside the threads, which have programs of their own. */
export function findHostProgram(): string | undefined {
  const [, program] = process.argv;
  return program === undefined || !isFile(program) ? undefined : realPath(program);
}

export function nodeVersion(): string {
  return process.versions.node;
}

/** The first line of `<command> --version`; undefined if the command cannot be run. */
export function readToolVersion(path: string): string | undefined {
  const child = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 5_000, env: { PATH: '/usr/bin:/bin' } });
  return child.status === 0 ? child.stdout.split('\n', 1)[0]?.trim() : undefined;
}

/** The parent of scripts' private folders. */
export function temporaryFolder(): string {
  return tmpdir();
}

/**
 * A folder that belongs to one program is opened whole: one that is named after a version, one outside of all homes, a
 * package. Other folders of a home hold other people's things, such as `~/.cargo` its credentials: of these, only the
 * program itself and its own libraries are opened.
 */
function describe(path: string, { home }: Environment): Program {
  const dir = dirname(path);
  if (SYSTEM_COMMAND_DIRS.includes(dir)) return { path, toolPaths: [] };
  const packageDir = PACKAGE.exec(path)?.[0];
  if (packageDir !== undefined) return { path, toolPaths: [packageDir] };
  const prefix = basename(dir) === 'bin' ? dirname(dir) : undefined;
  const folder = prefix ?? dir;
  const isShared = isInside(home, folder) || dirname(folder) === dirname(dirname(folder));
  if (!isShared && (!isInHome(folder, home) || isVersion(folder, home))) return { path, toolPaths: [folder] };
  return { path, toolPaths: [path, ...(prefix === undefined ? [] : findLibraries(prefix, basename(path)))] };
}

const PACKAGE = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\.][^/\\]*(?=[/\\])/;

function isInHome(path: string, home: string): boolean {
  return isInside(path, home) || /^\/(?:root|home\/[^/]+|Users\/[^/]+)\//.test(path);
}

/** As `3.12.1`, `v22.1.0`, `cpython-3.12.1-linux` or `22`, but not directly in a home. */
function isVersion(folder: string, home: string): boolean {
  return dirname(folder) !== home && /\d\.\d|^v?\d+$/.test(basename(folder));
}

/** Above this number of shared libraries the whole folder is shown. */
const MOST_LIBRARIES = 64;

/** In `<prefix>/lib`: shared libraries, and folders that are named after the program, as `python3.12` or `node_modules`. */
function findLibraries(prefix: string, program: string): readonly string[] {
  const family = program.replace(/[\d.]+$/, '');
  const settings = join(prefix, 'pyvenv.cfg');
  const found = ['lib', 'lib64'].flatMap((name) => {
    const lib = join(prefix, name);
    const listing = listDirectory(lib);
    const entries = listing.state === 'listed' ? listing.entries : [];
    const needed = entries.filter(({ name: entry, kind }) =>
      kind === 'directory' ? family !== '' && entry.startsWith(family) : /^lib.*\.(?:so|dylib)\b/.test(entry),
    );
    return needed.length > MOST_LIBRARIES ? [lib] : needed.map(({ name: entry }) => join(lib, entry));
  });
  return isFile(settings) ? [settings, ...found] : found;
}

function isExecutableFile(path: string): boolean {
  const stats = attempt(() => statSync(path));
  return stats.ok && stats.value.isFile() && attempt(() => accessSync(path, constants.X_OK)).ok;
}
