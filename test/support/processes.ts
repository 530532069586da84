import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Is a process still running? One that is dead and that its parent has not asked for its exit code is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) [ZX] /.test(readProcess(pid, 'stat'));
}

/** The living processes of this machine that have a text in their command line. */
export function findByCommandLine(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => readProcess(pid, 'cmdline').includes(text) && isAlive(pid));
}

/** The same once they had a second to go. */
export async function findSurvivors(text: string): Promise<readonly number[]> {
  for (let waited = 0; waited < 1_000 && findByCommandLine(text).length > 0; waited += 20) await sleep(20);
  return findByCommandLine(text);
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** A time to sleep, some 30 s, that no other process on this machine is asked for. */
export function oddSeconds(): string {
  return `30.0${process.pid}${process.hrtime.bigint().toString().slice(-9)}`;
}
