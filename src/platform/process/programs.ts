import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';

import type { Environment } from '../environment.ts';
import { attempt } from '../errors.ts';
import { isBelow, realPath } from '../files/files.ts';
import { SYSTEM_COMMAND_DIRS } from '../sandbox/script-environment.ts';

/** A program, and what a script that it runs must be able to read of it besides the system's own folders. */
export interface Program {
  /** Absolute, without links. */
  readonly path: string;
  readonly toolPaths: readonly string[];
}

/** The programs of this machine, as far as scripts may use them. */
export interface ProgramFinder {
  find(name: string): Program | undefined;
  /** The Node.js that runs us. */
  node(): Program;
  /** A file that makes our Node.js run TypeScript of every kind. */
  typeScriptLoader(): Program;
}

/**
 * Looks for programs in the system's own folders, then on the PATH, but never in the folders given: what lies in a
 * skill or a project must not be taken for a program of the machine.
 */
export function openProgramFinder(environment: Environment, avoided: readonly string[]): ProgramFinder {
  const avoid = avoided.map((dir) => realPath(dir) ?? dir).filter((dir) => !isHomeOrAbove(dir, environment.home));
  const onPath = (environment.variables['PATH'] ?? '').split(delimiter).filter((dir) => isAbsolute(dir));
  // A version manager's shims are scripts that look into its own folders, which a sandbox does not show.
  const dirs = [...SYSTEM_COMMAND_DIRS, ...onPath.filter((dir) => basename(dir) !== 'shims'), ...onPath];
  const isAvoided = (path: string): boolean => avoid.some((dir) => isBelow(path, dir));
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
      const lib = dirname(createRequire(import.meta.url).resolve('jiti'));
      return { path: join(lib, 'jiti-cli.mjs'), toolPaths: [dirname(lib)] };
    },
  };
}

/** Where scripts get their private folders. */
export function temporaryFolder(): string {
  return tmpdir();
}

/** Somebody who works in their home directory keeps their programs below it. */
function isHomeOrAbove(dir: string, home: string): boolean {
  return `${home}${sep}`.startsWith(dir.endsWith(sep) ? dir : `${dir}${sep}`);
}

/** What is installed as `<folder>/bin/<program>` needs its folder, unless that is a whole home directory or more. */
function describe(path: string, { home }: Environment): Program {
  const dir = dirname(path);
  if (SYSTEM_COMMAND_DIRS.includes(dir)) return { path, toolPaths: [] };
  const isInstalled = basename(dir) === 'bin' && !isHomeOrAbove(dirname(dir), home);
  return { path, toolPaths: [isInstalled ? dirname(dir) : dir] };
}

function isExecutableFile(path: string): boolean {
  const stats = attempt(() => statSync(path));
  return stats.ok && stats.value.isFile() && attempt(() => accessSync(path, constants.X_OK)).ok;
}
