import { execFileSync } from 'node:child_process';

/** Builds the package once, because these tests run what ships. */
export default function setup(): void {
  execFileSync(process.execPath, ['tools/build.ts'], { stdio: 'inherit' });
}
