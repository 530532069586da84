import { lstatSync, readdirSync, readFileSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

import { attempt } from '../errors.ts';
import { listDirectory } from '../files/files.ts';

/** Disk and memory that a run takes now, in bytes. */
export interface RunUsage {
  readonly diskBytes: number;
  readonly memoryBytes: number;
}

/** More entries count as more than any limit: looking at them all would take too long. */
const MAX_ENTRIES = 50_000;

export interface MeasuredRun {
  readonly outputDir: string;
  readonly processes: readonly number[];
  /** Up to this much memory an estimate will do, which counts shared pages several times. */
  readonly enoughBytes: number;
}

/**
 * Measures a run. Files that were removed but are still open count, too. Memory is what only these processes use; without
 * Linux it is 0.
 */
export function measureRun({ outputDir, processes, enoughBytes }: MeasuredRun): RunUsage {
  const device = statsOf(outputDir)?.dev;
  const removed = findRemovedFiles(processes);
  const sum = (files: readonly Stats[]): number => files.reduce((bytes, file) => bytes + allocated(file), 0);
  const onDisk = removed.filter(({ dev }) => dev === device);
  const inMemory = removed.filter(({ dev }) => dev !== device);
  const rough = measureMemory(processes, readRough);
  const isEnough = rough.own + rough.shared <= enoughBytes;
  const { own, shared } = isEnough ? rough : measureMemory(processes, readExact);
  return {
    diskBytes: measureFolder(outputDir) + sum(onDisk),
    // Mapped files in memory are part of both numbers.
    memoryBytes: own + Math.max(shared, sum(inMemory)),
  };
}

function measureFolder(root: string): number {
  let [bytes, seen] = [0, 0];
  const pending = [root];
  for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
    const listing = listDirectory(dir);
    const entries = listing.state === 'listed' ? listing.entries : [];
    seen += entries.length;
    if (seen > MAX_ENTRIES) return Number.POSITIVE_INFINITY;
    for (const { name, kind } of entries) {
      const path = join(dir, name);
      const stats = statsOf(path);
      bytes += stats === undefined ? 0 : allocated(stats);
      if (kind === 'directory') pending.push(path);
    }
  }
  return bytes;
}

/** Holes in a file take no space. */
function allocated({ blocks }: Stats): number {
  return blocks * 512;
}

function findRemovedFiles(processes: readonly number[]): readonly Stats[] {
  const files = new Map<string, Stats>();
  for (const pid of processes) {
    const names = attempt(() => readdirSync(`/proc/${pid}/fd`));
    for (const name of names.ok ? names.value : []) {
      const stats = attempt(() => statSync(`/proc/${pid}/fd/${name}`));
      if (stats.ok && stats.value.isFile() && stats.value.nlink === 0)
        files.set(`${stats.value.dev} ${stats.value.ino}`, stats.value);
    }
  }
  return [...files.values()];
}

interface Memory {
  readonly own: number;
  readonly shared: number;
}

function measureMemory(processes: readonly number[], read: (pid: number) => readonly number[]): Memory {
  let [own, shared] = [0, 0];
  for (const pid of processes) {
    const [anonymous = 0, memory = 0] = read(pid);
    own += anonymous;
    shared += memory;
  }
  return { own, shared };
}

function readRough(pid: number): readonly number[] {
  return readKibibytes(`/proc/${pid}/status`, ['RssAnon', 'RssShmem']) ?? [];
}

/** Each page counts in part for each process that shares it. Takes milliseconds for gigabytes. */
function readExact(pid: number): readonly number[] {
  return readKibibytes(`/proc/${pid}/smaps_rollup`, ['Pss_Anon', 'Pss_Shmem']) ?? readRough(pid);
}

/** Undefined if the file cannot be read, or lacks one of these lines. */
function readKibibytes(file: string, names: readonly string[]): readonly number[] | undefined {
  const read = attempt(() => readFileSync(file, 'latin1'));
  if (!read.ok) return undefined;
  const values = names.map((name) => new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read.value)?.[1]);
  return values.includes(undefined) ? undefined : values.map((value) => Number(value) * 1024);
}

function statsOf(path: string): Stats | undefined {
  const stats = attempt(() => lstatSync(path));
  return stats.ok ? stats.value : undefined;
}
