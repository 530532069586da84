import { execFileSync } from 'node:child_process';

/** The command line and the package are tested as they ship: built. */
export default function setup(): void {
  execFileSync(process.execPath, ['tools/build.ts'], { stdio: 'inherit' });
}
