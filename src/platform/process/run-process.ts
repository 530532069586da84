import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { attempt, systemCode } from '../errors.ts';
import { captureOutput, type CapturedOutput, type OutputStream } from './captured-output.ts';
import type { Pipe } from './pipes.ts';
import { findDescendants } from './process-tree.ts';

export interface ProcessOptions {
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** For stdout and stderr together; one more byte stops the process. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Its stdin; empty by default. A stream is read as far as the process reads. */
  readonly input?: string | Uint8Array | Readable | undefined;
  readonly onOutput?: ((stream: OutputStream, text: string) => void) | undefined;
  /** Time between SIGTERM and SIGKILL after a timeout or cancellation; 0 sends SIGKILL right away. */
  readonly graceMs?: number | undefined;
  /** The id of another user and group to run as; only root can. */
  readonly user?: number | undefined;
  /** Open files that the process gets as descriptors 3, 4 and so on. */
  readonly files?: readonly number[] | undefined;
  /** True if everything that it starts is in a pid namespace that its first child leads. */
  readonly hasNamespace?: boolean | undefined;
  /** Descriptors that it must not inherit; see `findInheritedDescriptors`. */
  readonly withheld?: readonly number[] | undefined;
  /** Used for stdout and stderr instead of Node's sockets; always closed. */
  readonly pipes?: Readonly<Record<OutputStream, Pipe>> | undefined;
  /** Called with its id as soon as it runs. */
  readonly onStart?: ((pid: number) => void) | undefined;
}

export type ProcessEnding = 'exited' | 'timeout' | 'output' | 'cancelled' | 'not-started';

export interface ProcessResult {
  readonly ended: ProcessEnding;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True if the output exceeded `maxOutputBytes`. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** The system's error code if it could not be started: ENOENT, EACCES, E2BIG. */
  readonly startError?: string | undefined;
}

/** How long to read from the pipes after the process is gone. */
const DRAIN_MS = 300;
/** How long to wait for a killed process: one that hangs in the kernel must not block us. */
const DEATH_MS = 2_000;
const DEFAULT_GRACE_MS = 250;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs a command without a shell, in its own process group. Always resolves; by then the process and its group are
 * gone, however they handle signals. They also end with us, except after a SIGKILL. Does not wait for pipes held open
 * by other processes.
 */
export async function runProcess(command: readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  // Loading `performance` would delay the start.
  const start = process.hrtime.bigint();
  const elapsed = (): number => Math.round(Number(process.hrtime.bigint() - start) / 1e6);
  const readers = openReaders(options.pipes);
  const started = attempt(() => (options.signal?.aborted === true ? undefined : startProcess(command, options)));
  for (const pipe of Object.values(options.pipes ?? {})) closeSync(pipe.writer);
  if (!started.ok || started.value === undefined) {
    closeStreams(readers);
    if (started.ok) return { ...NOTHING, ended: 'cancelled', durationMs: 0 };
    return { ...NOTHING, ended: 'not-started', durationMs: elapsed(), startError: started.errno };
  }

  const child = started.value;
  const kill = (): void => killAll(child, options.hasNamespace ?? false);
  endWithUs(child, kill);
  if (child.pid !== undefined) options.onStart?.(child.pid);
  const streams = readers ?? { stdout: child.stdout, stderr: child.stderr };
  const full = Promise.withResolvers<void>();
  const output = capture(streams, { ...options, onFull: full.resolve });
  const exit = waitForExit(child);
  const ending = await firstOf({ exit, full: full.promise, options });
  const wasStopped = ending !== 'exited';
  const graceMs = ending === 'output' ? 0 : (options.graceMs ?? DEFAULT_GRACE_MS);
  if (wasStopped && graceMs > 0) {
    signalGroup(child, 'SIGTERM');
    await waitAtMost(exit, graceMs);
  }
  if (wasStopped) kill();
  const status = await waitAtMost(exit, DEATH_MS);
  if (status?.startError !== undefined) {
    closeStreams(streams);
    return { ...NOTHING, ended: 'not-started', durationMs: elapsed(), startError: status.startError };
  }
  signalGroup(child, 'SIGKILL');
  await drain(streams);
  output.end(wasStopped);
  return {
    ended: ending === 'exited' && output.isCut() ? 'output' : ending,
    exitCode: status?.exitCode ?? null,
    signal: status?.signal ?? null,
    stdout: output.text('stdout'),
    stderr: output.text('stderr'),
    truncated: output.isCut(),
    durationMs: elapsed(),
  };
}

const NOTHING = { exitCode: null, signal: null, stdout: '', stderr: '', truncated: false } as const;

function startProcess(command: readonly string[], options: ProcessOptions): ChildProcess {
  const { cwd, env, input, user, pipes } = options;
  const [file = '', ...args] = command;
  const nothing = openSync(devNull, 'r+');
  try {
    const child = spawn(file, args, {
      cwd,
      // Node passes NODE_V8_COVERAGE on unless it is named here.
      env: { NODE_V8_COVERAGE: undefined, ...env },
      stdio: [
        input === undefined ? 'ignore' : 'pipe',
        pipes?.stdout.writer ?? 'pipe',
        pipes?.stderr.writer ?? 'pipe',
        ...passFiles(options, nothing),
      ],
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    // A process may close its stdin without reading it; that is not a failure.
    child.stdin?.on('error', ignoreSystemError);
    if (input instanceof Readable) feed(child, input);
    else child.stdin?.end(input);
    return child;
  } finally {
    closeSync(nothing);
  }
}

/** The given files, and the null device in place of each withheld descriptor. */
function passFiles({ files = [], withheld = [] }: ProcessOptions, nothing: number): readonly (number | 'ignore')[] {
  const count = Math.max(files.length, ...withheld.map((descriptor) => descriptor - 2));
  return Array.from({ length: count }, (_, at) => files[at] ?? (withheld.includes(at + 3) ? nothing : 'ignore'));
}

/** Passes a stream on until it ends or the process does. */
function feed(child: ChildProcess, input: Readable): void {
  if (child.stdin === null) return;
  const { stdin } = child;
  input.on('error', ignoreSystemError).pipe(stdin);
  child.once('exit', () => {
    input.unpipe(stdin).off('error', ignoreSystemError).pause();
    stdin.destroy();
  });
}

function ignoreSystemError(error: Error): void {
  if (systemCode(error) === undefined) throw error;
}

type Streams = Readonly<Record<OutputStream, Readable | null>>;

function openReaders(pipes: ProcessOptions['pipes']): Streams | undefined {
  if (pipes === undefined) return undefined;
  const open = ({ reader }: Pipe): Readable => new Socket({ fd: reader, readable: true, writable: false });
  return { stdout: open(pipes.stdout), stderr: open(pipes.stderr) };
}

function closeStreams(streams: Streams | undefined): void {
  for (const stream of Object.values(streams ?? {})) stream?.destroy();
}

function capture(streams: Streams, options: ProcessOptions & { readonly onFull: () => void }): CapturedOutput {
  const output = captureOutput({
    maxBytes: options.maxOutputBytes,
    onText: options.onOutput,
    onFull: () => {
      closeStreams(streams);
      options.onFull();
    },
  });
  for (const name of ['stdout', 'stderr'] as const) {
    streams[name]?.on('error', ignoreSystemError);
    streams[name]?.on('data', (bytes: Buffer) => output.add(name, bytes));
  }
  return output;
}

interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly startError?: string;
}

function waitForExit(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.on('error', (error) => {
      const startError = systemCode(error);
      if (startError === undefined) throw error;
      resolve({ exitCode: null, signal: null, startError });
    });
  });
}

interface Events {
  readonly exit: Promise<ExitStatus>;
  readonly full: Promise<void>;
  readonly options: ProcessOptions;
}

type RunEnding = Exclude<ProcessEnding, 'not-started'>;

async function firstOf({ exit, full, options: { timeoutMs, signal } }: Events): Promise<RunEnding> {
  const first = Promise.withResolvers<RunEnding>();
  const cancel = (): void => first.resolve('cancelled');
  const timer = setTimeout(() => first.resolve('timeout'), Math.min(timeoutMs, LONGEST_TIMER_MS));
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([
      first.promise,
      exit.then((): RunEnding => 'exited'),
      full.then((): RunEnding => 'output'),
    ]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** Kills a process with its group and with all descendants, also those that left the group. */
function killAll(child: ChildProcess, hasNamespace: boolean): void {
  const { pid, exitCode, signalCode } = child;
  if (pid !== undefined && exitCode === null && signalCode === null && process.platform !== 'win32') {
    // Stopped, it starts no other one meanwhile.
    signalProcess(pid, 'SIGSTOP');
    const [, ...descendants] = findDescendants(pid);
    for (const descendant of descendants) signalProcess(descendant, 'SIGKILL');
    // It ends by itself once everything in the namespace is gone. Killed at its start, it would leave its child behind.
    if (hasNamespace && descendants.length > 0) return signalProcess(pid, 'SIGCONT');
  }
  signalGroup(child, 'SIGKILL');
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  attempt(() => process.kill(pid, signal));
}

/** Process-wide, because signals are: how to kill each process that is running. */
const running = new Map<ChildProcess, () => void>();
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Kills a process if we end before it does. */
function endWithUs(child: ChildProcess, kill: () => void): void {
  if (running.size === 0) {
    process.on('exit', killRunning);
    // First, because a listener that is called once no longer counts after its call.
    for (const signal of ENDINGS) process.prependListener(signal, endBySignal);
  }
  running.set(child, kill);
  const forget = (): void => {
    if (!running.delete(child) || running.size > 0) return;
    process.off('exit', killRunning);
    for (const signal of ENDINGS) process.off(signal, endBySignal);
  };
  child.once('exit', forget).once('error', forget);
}

function killRunning(): void {
  for (const kill of running.values()) kill();
}

/** Does what the signal does by default, unless the program listens to it, too: then the program decides. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killRunning();
  process.off(signal, endBySignal);
  process.kill(process.pid, signal);
}

/** A group keeps its leader's id after the leader is gone, and no other process can get that id meanwhile. */
function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (process.platform !== 'win32') attempt(() => process.kill(-pid, signal));
  else if (signal === 'SIGKILL') killWindowsTree(pid);
}

/** Windows has no process groups; its own tool finds the children. */
function killWindowsTree(pid: number): void {
  const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  spawnSync(taskkill, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
}

async function drain(streams: Streams): Promise<void> {
  const open = Object.values(streams).flatMap((stream) => (stream?.closed === false ? [stream] : []));
  await waitAtMost(Promise.all(open.map(waitForClose)), DRAIN_MS);
  closeStreams(streams);
}

function waitForClose(stream: Readable): Promise<void> {
  return new Promise((resolve) => void stream.once('close', resolve));
}

async function waitAtMost<T>(event: Promise<T>, patienceMs: number): Promise<T | undefined> {
  const over = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), patienceMs);
  try {
    return await Promise.race([event, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** O_CLOEXEC in the flags that Linux shows. */
const CLOSES_ON_EXEC = 0o2_000_000;

/**
 * Descriptors of files and sockets that our own parent left open, and that every process we start would inherit. Those
 * that Node opens are not among them, nor the lowest ones up to the first gap: Node handles these at its start.
 */
export function findInheritedDescriptors(): readonly number[] {
  if (process.platform !== 'linux') return [];
  const names = attempt(() => readdirSync('/proc/self/fdinfo'));
  if (!names.ok) return [];
  return names.value.map(Number).filter((descriptor) => descriptor > 2 && isPassedOn(descriptor));
}

function isPassedOn(descriptor: number): boolean {
  const info = attempt(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
  const flags = info.ok ? /^flags:\s*([0-7]+)/m.exec(info.value)?.[1] : undefined;
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
}
