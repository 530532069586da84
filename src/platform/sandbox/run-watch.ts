import { findMarked, type ProcessMark } from '../process/marked-processes.ts';
import { findDescendants } from '../process/process-tree.ts';
import type { ResourceLimits } from './resource-limits.ts';
import { measureRun } from './run-usage.ts';

export interface WatchedRun {
  readonly outputDir: string;
  readonly limits: ResourceLimits;
  readonly mark: ProcessMark;
  /** True if every process of the run descends from the first one. */
  readonly hasOwnProcesses: boolean;
}

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

export function watchRun({ outputDir, limits, mark, hasOwnProcesses }: WatchedRun): RunWatch {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let excess: string | undefined;
  const look = (pid: number): void => {
    const start = performance.now();
    const tree = findDescendants(pid);
    // The first process of an isolation always has children, unless the system does not list them.
    const processes = hasOwnProcesses && tree.length > 1 ? tree : [...new Set([...tree, ...findMarked(mark)])];
    const usage = measureRun({ outputDir, processes, enoughBytes: limits.totalMemoryBytes });
    if (usage.memoryBytes > limits.totalMemoryBytes)
      excess = `its processes used more than ${mebibytes(limits.totalMemoryBytes)} of memory together`;
    if (usage.diskBytes > limits.totalFileBytes)
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

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
