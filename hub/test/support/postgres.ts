import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL server of Debian's package, on a socket in a temporary folder, that listens on no port. */
export interface TestPostgres extends Disposable {
  readonly dir: string;
  stop(): void;
  start(): void;
}

const ROOT = '/usr/lib/postgresql';

function findPrograms(): string | undefined {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(ROOT, version, 'bin')).find((dir) => existsSync(join(dir, 'initdb')));
}

export const HAS_POSTGRES: boolean = findPrograms() !== undefined && process.platform === 'linux';

/** Why tests that need a server are skipped. */
export const NO_POSTGRES = 'PostgreSQL is not installed on this machine.';

/** PostgreSQL refuses to run as root. */
const AS_NOBODY = ['--reuid=nobody', '--regid=nogroup', '--clear-groups'];

/** Tests need no synced disk; a bench does. */
export function startPostgres({ isDurable = false } = {}): TestPostgres {
  const programs = findPrograms() ?? '';
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-hub-postgres-'));
  const run = (program: string, args: readonly string[]): void => {
    const command = [join(programs, program), ...args];
    const words = process.getuid?.() === 0 ? ['setpriv', ...AS_NOBODY, ...command] : command;
    execFileSync(words[0] ?? '', words.slice(1), {
      stdio: 'pipe',
      cwd: dir,
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    });
  };
  if (process.getuid?.() === 0) {
    const nobody = Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout);
    chownSync(dir, nobody, nobody);
  }
  chmodSync(dir, 0o755);
  const data = join(dir, 'data');
  run('initdb', ['-D', data, '-U', 'hub', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8']);
  let isRunning = false;
  const start = (): void => {
    run('pg_ctl', [
      '-D',
      data,
      '-w',
      '-l',
      join(dir, 'log'),
      '-o',
      `-k ${dir} -c listen_addresses= -c fsync=${isDurable ? 'on' : 'off'} -c max_connections=200`,
      'start',
    ]);
    isRunning = true;
  };
  const stop = (): void => {
    if (isRunning) run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
    isRunning = false;
  };
  start();
  return {
    dir,
    start,
    stop,
    [Symbol.dispose]() {
      stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The address of a new, empty database of a server. */
export function createDatabase(dir: string): string {
  const name = `hub_${randomUUID().replaceAll('-', '')}`;
  execFileSync(join(findPrograms() ?? '', 'createdb'), ['-h', dir, '-U', 'hub', name], { stdio: 'pipe' });
  return `postgres://hub@/${name}?host=${encodeURIComponent(dir)}`;
}
