import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

import { attempt } from '../errors.ts';

/** Names one process among all pid namespaces and boots, even after its id was given to another process. */
export interface ProcessIdentity {
  /** For messages; machines may share a name. */
  readonly host: string;
  /** The kernel's id of the boot; empty if the system has none. */
  readonly boot: string;
  /** Its pid namespace; `0` if the system has none. */
  readonly namespace: string;
  /** Its id in that namespace. */
  readonly pid: number;
  /** Clock ticks from the boot to its start; empty if the system does not tell. */
  readonly started: string;
}

/** `unknown`: this process cannot see it, because it is in another container or on another machine. */
export type ProcessState = 'running' | 'suspended' | 'gone' | 'unknown';

export function ownIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    boot: readSystemText('/proc/sys/kernel/random/boot_id')?.trim() ?? '',
    namespace: pidNamespace(),
    pid: process.pid,
    started: readStat('self')?.started ?? '',
  };
}

/** The pid namespace of this process in base 36; `0` if the system has none. */
export function pidNamespace(): string {
  const link = attempt(() => readlinkSync('/proc/self/ns/pid'));
  return Number(/\d+/.exec(link.ok ? link.value : '')?.[0] ?? 0).toString(36);
}

/** The state of a process as far as this one can see it. */
export function judgeProcess(identity: ProcessIdentity): ProcessState {
  const own = ownIdentity();
  if (identity.boot !== own.boot) return 'unknown';
  if (own.boot === '') return judgeById(identity, own);
  if (identity.namespace === own.namespace) return judgeStat(identity, readStat(String(identity.pid)));
  return judgeForeign(identity);
}

/** Is there a process with this id in this pid namespace? */
export function isAlive(pid: number): boolean {
  const signalled = attempt(() => process.kill(pid, 0));
  return signalled.ok || signalled.errno !== 'ESRCH';
}

/** Without `/proc`, an id may belong to another process by now. */
function judgeById({ host, pid }: ProcessIdentity, own: ProcessIdentity): ProcessState {
  return host === own.host && !isAlive(pid) ? 'gone' : 'unknown';
}

interface ProcessStat {
  readonly letter: string;
  readonly started: string;
}

function judgeStat({ started }: ProcessIdentity, stat: ProcessStat | undefined): ProcessState {
  if (stat === undefined || stat.started !== started || /[ZXx]/.test(stat.letter)) return 'gone';
  return /[Tt]/.test(stat.letter) ? 'suspended' : 'running';
}

/** The kernel's number of the first pid namespace, from which all processes can be seen. */
const FIRST_NAMESPACE = (0xeffffffc).toString(36);

/** Finds a process of another namespace under the id that it has in ours. */
function judgeForeign(identity: ProcessIdentity): ProcessState {
  const names = attempt(() => readdirSync('/proc'));
  const ids = (names.ok ? names.value : []).filter((name) => /^\d+$/.test(name));
  for (const id of ids) {
    const stat = readStat(id);
    if (stat?.started === identity.started && innermostId(id) === identity.pid) return judgeStat(identity, stat);
  }
  // Some systems hide the processes of other users.
  const seesAll = pidNamespace() === FIRST_NAMESPACE && ids.includes('1');
  return seesAll ? 'gone' : 'unknown';
}

/** The id that a process has in its own namespace. */
function innermostId(id: string): number | undefined {
  const ids = /^NSpid:(.*)$/m.exec(readSystemText(`/proc/${id}/status`) ?? '')?.[1];
  return ids === undefined ? undefined : Number(ids.trim().split(/\s+/).at(-1));
}

function readStat(id: string): ProcessStat | undefined {
  const text = readSystemText(`/proc/${id}/stat`);
  // The second field is the program's name in parentheses; it may contain both blanks and parentheses.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [letter, started] = [fields?.[0], fields?.[19]];
  return letter === undefined || started === undefined ? undefined : { letter, started };
}

function readSystemText(path: string): string | undefined {
  const read = attempt(() => readFileSync(path, 'utf8'));
  return read.ok ? read.value : undefined;
}
