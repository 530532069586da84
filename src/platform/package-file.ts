import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The words by which other programs start us: our name if it is on the PATH, else this program by its absolute path. */
export function ownCommand(isOnPath: boolean): readonly string[] {
  return isOnPath ? ['skillplane'] : [process.execPath, packageFile('bin/skillplane.mjs')];
}

/** The path of a file that the package ships; works from the sources and from a bundle. */
export function packageFile(path: string): string {
  let dir = import.meta.dirname;
  while (!existsSync(join(dir, 'package.json')) && dir !== dirname(dir)) dir = dirname(dir);
  return join(dir, path);
}
