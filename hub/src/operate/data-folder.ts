import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the folder of an embedded database, which only its user can read, and keeps other processes out of it. */
export function claimDataFolder(dir: string): Disposable {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = join(dir, 'hub.lock');
  for (;;) {
    try {
      const file = openSync(lock, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return { [Symbol.dispose]: () => rmSync(lock, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
      const holder = Number(readFileSync(lock, 'utf8'));
      if (isRunning(holder))
        throw new Error(
          `another hub (process ${holder}) uses ${dir}; stop it, name another folder, or use a PostgreSQL server`,
          { cause: error },
        );
      rmSync(lock, { force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
