import { spawnSync } from 'node:child_process';

export function nodeVersion(): string {
  return process.versions.node;
}

/** The first line of `<command> --version`; undefined if the command cannot be run. */
export function readToolVersion(path: string): string | undefined {
  const child = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 5_000, env: { PATH: '/usr/bin:/bin' } });
  return child.status === 0 ? child.stdout.split('\n', 1)[0]?.trim() : undefined;
}
