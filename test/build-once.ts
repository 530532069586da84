import { execFileSync } from 'node:child_process';

/** Builds the package, because these tests run what ships; once, however many groups of tests need it. */
export default function setup(): void {
  if (process.env['TESTS_BUILT'] !== undefined) return;
  process.env['TESTS_BUILT'] = 'true';
  execFileSync(process.execPath, ['tools/build.ts'], { stdio: 'inherit' });
}
