import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a process is running; a zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) [ZX] /.test(readProcess(pid, 'stat'));
}

/** The running processes of this machine whose command line contains a text. */
export function findByCommandLine(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => readProcess(pid, 'cmdline').includes(text) && isAlive(pid));
}

/** Like `findByCommandLine`, after giving the processes up to 20 seconds to end. */
export async function findSurvivors(text: string): Promise<readonly number[]> {
  for (let waited = 0; waited < 20_000 && findByCommandLine(text).length > 0; waited += 20) await sleep(20);
  return findByCommandLine(text);
}

/** Kills the processes that `findByCommandLine` finds: those that a test left on purpose. */
export function endAll(text: string): void {
  for (const pid of findByCommandLine(text)) process.kill(pid, 'SIGKILL');
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** A number of seconds to sleep, about 30, unique on this machine, so that the process can be found by it. */
export function oddSeconds(): string {
  return `30.0${process.pid}${process.hrtime.bigint().toString().slice(-9)}`;
}
