import { packageFile } from '../package-file.ts';

/** The words by which other programs start us: our name if it is on the PATH, else this program by its absolute path. */
export function ownCommand(isOnPath: boolean): readonly string[] {
  return isOnPath ? ['skillplane'] : [process.execPath, packageFile('bin/skillplane.mjs')];
}
