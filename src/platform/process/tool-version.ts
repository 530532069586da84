import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { attempt } from '../errors.ts';

export function nodeVersion(): string {
  return process.versions.node;
}

/** What `<command> --version` says in its first line; undefined where it cannot be run. */
export function readToolVersion(path: string): string | undefined {
  const child = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 5_000, env: { PATH: '/usr/bin:/bin' } });
  return child.status === 0 ? child.stdout.split('\n', 1)[0]?.trim() : undefined;
}

/** How many files a folder holds and their size together; zero where there is none. */
export function measureFolder(path: string): { readonly files: number; readonly bytes: number } {
  const names = attempt(() => readdirSync(path));
  if (!names.ok) return { files: 0, bytes: 0 };
  const sizes = names.value.map((name) => attempt(() => statSync(join(path, name)).size));
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + (size.ok ? size.value : 0), 0) };
}
