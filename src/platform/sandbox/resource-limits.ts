import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, release } from 'node:os';

import { attempt } from '../errors.ts';

export interface ResourceLimits {
  /** Processes and threads. */
  readonly processes: number;
  /** Per process. */
  readonly memoryBytes: number;
  /** Per written file. */
  readonly fileBytes: number;
  readonly openFiles: number;
  /** Of all processes together; watched, so that a run can exceed it for a moment. */
  readonly totalMemoryBytes: number;
  /** Of all files in the output folder together; watched. */
  readonly totalFileBytes: number;
}

export const DEFAULT_LIMITS: ResourceLimits = {
  processes: 256,
  memoryBytes: 1024 * 1024 * 1024,
  fileBytes: 64 * 1024 * 1024,
  openFiles: 1024,
  totalMemoryBytes: 2 * 1024 * 1024 * 1024,
  totalFileBytes: 256 * 1024 * 1024,
};

export interface LimitOptions {
  readonly limits: ResourceLimits;
  readonly timeoutMs: number;
  readonly shell: string;
  /**
   * Keep the shell as the first process of a namespace. That process receives only signals that it handles, and all
   * others end with it. It passes the exit code on, or 128 plus the number of the signal.
   */
  readonly staysFirst: boolean;
  /** How many other processes of the same user the kernel counts too. */
  readonly others: number;
}

/**
 * Wraps a command in resource limits, set by a shell because Node cannot. Limits memory as data, because Node does not
 * start under a limit on address space. A limit that cannot be set was already lower.
 */
export function withLimits(command: readonly string[], options: LimitOptions): readonly string[] {
  const { limits, timeoutMs, shell, others } = options;
  const values = [
    // CPU time counts all threads together.
    Math.ceil(timeoutMs / 1_000 + 1) * availableParallelism(),
    Math.ceil(limits.fileBytes / 512),
    limits.openFiles,
    Math.ceil(limits.memoryBytes / 1024),
    // Elsewhere all processes of the user count, and their number is unknown.
    process.platform === 'linux' ? limits.processes + others : 'unlimited',
  ];
  const script = `${SET_LIMITS}\n${options.staysFirst ? RUN : 'exec "$@"'}`;
  return [shell, '-c', script, 'sh', ...values.map(String), ...command];
}

/** The number of processes is `-u` in bash and zsh, `-p` in dash and busybox. */
const SET_LIMITS = `{
ulimit -c 0; ulimit -t "$1"; ulimit -f "$2"; ulimit -n "$3"; ulimit -d "$4"
ulimit -u "$5" || ulimit -p "$5"
} 2>/dev/null
shift 5`;

/** Silences the shell, which would report on stderr that its child was killed. */
const RUN = `exec 3>&2 2>/dev/null
(exec "$@" 2>&3 3>&-)
exit $?`;

/** Linux counts processes per user namespace since 5.14; before, or without one, all of the user's count. */
export function countOthers(user: number | undefined, hasUserNamespace: boolean): number {
  if (process.platform !== 'linux' || user === undefined) return 0;
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const isPerNamespace = major > 5 || (major === 5 && minor >= 14);
  return hasUserNamespace && isPerNamespace ? 0 : countThreads(user);
}

function countThreads(user: number): number {
  const names = attempt(() => readdirSync('/proc'));
  if (!names.ok) return 0;
  let threads = 0;
  for (const name of names.value) {
    if (!/^\d+$/.test(name)) continue;
    const stat = attempt(() =>
      statSync(`/proc/${name}`).uid === user ? readFileSync(`/proc/${name}/stat`, 'latin1') : '',
    );
    // Field 20 of proc(5); the second field is a name in parentheses that may hold blanks.
    if (stat.ok) threads += Number(stat.value.slice(stat.value.lastIndexOf(')') + 2).split(' ')[17] ?? 0);
  }
  return threads;
}
