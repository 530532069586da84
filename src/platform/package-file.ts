import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { parseJson } from '../model/json.ts';
import { once } from '../model/once.ts';
import { VERSION } from '../model/version.ts';
import { attempt } from './errors.ts';
import { realPath } from './files/files.ts';

/**
 * The command with which other programs start us: `skillplane` if it is on the PATH, or else this program's absolute
 * path.
 */
export function ownCommand(isOnPath: boolean): readonly string[] {
  return isOnPath ? ['skillplane'] : [process.execPath, packageFile('bin/skillplane.mjs')];
}

/** The path of a file that the package ships. There is no such file in a bundle without the package beside it. */
export function packageFile(path: string): string {
  return join(packageFolder() ?? moduleFolder(), path);
}

/**
 * The folder of this package. A bundle has the package's code in another program's file: then the package of the same version that
 * is installed where Node.js finds it from there, or undefined.
 */
export const packageFolder: () => string | undefined = once(() => {
  for (let dir = moduleFolder(); ; dir = dirname(dir)) {
    if (existsSync(join(dir, 'bin/skillplane.mjs'))) return dir;
    if (dir === dirname(dir)) break;
  }
  const manifest = findManifest('skillplane', moduleFolder());
  if (manifest === undefined) return undefined;
  // Its files are made for the code of their own version.
  const found = parseJson(readFileSync(manifest, 'utf8'));
  const isSame = typeof found === 'object' && found !== null && 'version' in found && found.version === VERSION;
  return isSame ? dirname(manifest) : undefined;
});

/** The step for whoever lacks a file of the package in a bundle. */
export const INSTALL_BESIDE = `Install skillplane ${VERSION} where Node.js finds it from the bundle: npm install skillplane@${VERSION}`;

/** The real folder of a package that ours depends on; undefined if it is not installed, as beside some bundles. */
export function dependencyFolder(name: string): string | undefined {
  const manifest = findManifest(name, packageFolder() ?? moduleFolder());
  return manifest === undefined ? undefined : realPath(dirname(manifest));
}

/** A module of ours that runs by itself, such as `activate/toolsets/toolset-thread`: in the sources or as it is built. */
export function ownProgram(module: string): string | undefined {
  const folder = packageFolder();
  if (folder === undefined) return undefined;
  return join(folder, META.filename?.endsWith('.ts') === true ? `src/${module}.ts` : `dist/${basename(module)}.js`);
}

function findManifest(name: string, from: string): string | undefined {
  const found = attempt(() => findPackageJSON(name, pathToFileURL(join(from, 'program.js'))));
  return found.ok ? found.value : undefined;
}

/** Empty in a bundle of CommonJS, which has `__dirname`. The types know neither. */
const META: { readonly dirname?: string; readonly filename?: string } = import.meta;

function moduleFolder(): string {
  return META.dirname ?? (typeof __dirname === 'string' ? __dirname : process.cwd());
}
