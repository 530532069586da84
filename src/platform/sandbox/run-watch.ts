import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { attempt } from '../errors.ts';
import { listDirectory } from '../files/files.ts';
import { findDescendants } from '../process/process-tree.ts';
import type { ResourceLimits } from './resource-limits.ts';

/** Watches the disk and the memory that all processes of a run take together: the kernel limits each process only. */
export interface RunWatch {
  /** Aborts when the run takes too much. */
  readonly signal: AbortSignal;
  /** Starts watching, with the id of the first process. */
  readonly begin: (pid: number) => void;
  /** The resource that the run exceeded; undefined if it exceeded none. */
  readonly excess: () => string | undefined;
  readonly stop: () => void;
}

const INTERVAL_MS = 100;
/** The share of the time that measuring may take. */
const SHARE = 0.1;

/** Disk usage counts only the growth of these folders. */
export function watchRun(dirs: readonly string[], limits: ResourceLimits): RunWatch {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let excess: string | undefined;
  const measure = (): number => dirs.reduce((sum, dir) => sum + measureDisk(dir), 0);
  const before = measure();
  const look = (pid: number): void => {
    const start = performance.now();
    if (measureMemory(findDescendants(pid)) > limits.totalMemoryBytes)
      excess = `its processes used more than ${mebibytes(limits.totalMemoryBytes)} of memory together`;
    if (measure() - before > limits.totalFileBytes)
      excess = `it wrote too many files, or more than ${mebibytes(limits.totalFileBytes)} in all`;
    if (excess === undefined) plan(pid, Math.max(INTERVAL_MS, (performance.now() - start) / SHARE));
    else controller.abort();
  };
  const plan = (pid: number, waitMs: number): void => {
    timer = setTimeout(() => look(pid), waitMs).unref();
  };
  return {
    signal: controller.signal,
    begin: (pid) => plan(pid, INTERVAL_MS),
    excess: () => excess,
    stop: () => clearTimeout(timer),
  };
}

/** Memory that is not in files, in bytes. Pages that processes share count once for each of them. 0 without Linux. */
export function measureMemory(processes: readonly number[]): number {
  let kibibytes = 0;
  for (const pid of processes) {
    const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'latin1'));
    const sizes = status.ok ? status.value.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm) : [];
    for (const [, size] of sizes) kibibytes += Number(size);
  }
  return kibibytes * 1024;
}

/** More entries count as more than any limit: looking at them all would take too long. */
const MAX_ENTRIES = 50_000;

/** The space that the files in a folder take; holes in them take none. */
export function measureDisk(root: string): number {
  let [blocks, seen] = [0, 0];
  const pending = [root];
  for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
    const listing = listDirectory(dir);
    const entries = listing.state === 'listed' ? listing.entries : [];
    seen += entries.length;
    if (seen > MAX_ENTRIES) return Number.POSITIVE_INFINITY;
    for (const { name, kind } of entries) {
      const path = join(dir, name);
      const stats = attempt(() => lstatSync(path));
      blocks += stats.ok ? stats.value.blocks : 0;
      if (kind === 'directory') pending.push(path);
    }
  }
  return blocks * 512;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
