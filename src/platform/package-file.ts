import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file that the package ships, by its path in the package: found from the sources and from a bundle alike. */
export function packageFile(path: string): string {
  let dir = import.meta.dirname;
  while (!existsSync(join(dir, 'package.json')) && dir !== dirname(dir)) dir = dirname(dir);
  return join(dir, path);
}
