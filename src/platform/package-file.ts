import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The path of a file that the package ships; works from the sources and from a bundle. */
export function packageFile(path: string): string {
  let dir = import.meta.dirname;
  while (!existsSync(join(dir, 'package.json')) && dir !== dirname(dir)) dir = dirname(dir);
  return join(dir, path);
}
