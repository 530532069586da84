import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { attempt, systemCode } from '../errors.ts';
import { captureOutput, type CapturedOutput, type OutputStream } from './captured-output.ts';
import type { Pipe } from './pipes.ts';

export interface ProcessOptions {
  readonly cwd: string;
  /** All that the process gets of an environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of stdout and stderr together; with one byte more the process is stopped. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** What it reads on stdin; without it, nothing. */
  readonly input?: string | Uint8Array | undefined;
  readonly onOutput?: ((stream: OutputStream, text: string) => void) | undefined;
  /** Between SIGTERM and SIGKILL when time is up or the caller cancels; 0 kills at once. */
  readonly graceMs?: number | undefined;
  /** Id of another user and group to run as; only root can. */
  readonly user?: number | undefined;
  /** Open files that the process gets as descriptors 3, 4 and so on. */
  readonly files?: readonly number[] | undefined;
  /** Descriptors that it would inherit and must not: see inherited-descriptors.ts. */
  readonly withheld?: readonly number[] | undefined;
  /** For its stdout and stderr, in place of Node's sockets; they are closed whatever happens. */
  readonly pipes?: Readonly<Record<OutputStream, Pipe>> | undefined;
  /** Ends what has left the process group; awaited after the process is gone. */
  readonly endRest?: ((wasStopped: boolean) => Promise<void>) | undefined;
}

/** Why it ended: by itself, or because it was stopped. */
export type ProcessEnding = 'exited' | 'timeout' | 'output' | 'cancelled' | 'not-started';

export interface ProcessResult {
  readonly ended: ProcessEnding;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** There was more output than `maxOutputBytes`. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** The system's code where it could not be started: ENOENT, EACCES, E2BIG. */
  readonly startError?: string | undefined;
}

/** How long the pipes may stay open after the process is gone: enough to read what is in them. */
const DRAIN_MS = 300;
/** How long a killed process is waited for; one that hangs in the kernel must not hang us. */
const DEATH_MS = 2_000;
const DEFAULT_GRACE_MS = 250;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs a command without a shell, in a process group of its own, and always resolves. When it does, the process and
 * its group are gone, whatever they did with signals, and no pipe is waited for that somebody else keeps open.
 */
export async function runProcess(command: readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  const start = performance.now();
  const elapsed = (): number => Math.round(performance.now() - start);
  const readers = openReaders(options.pipes);
  const started = attempt(() => (options.signal?.aborted === true ? undefined : startProcess(command, options)));
  for (const pipe of Object.values(options.pipes ?? {})) closeSync(pipe.writer);
  if (!started.ok || started.value === undefined) {
    closeStreams(readers);
    if (started.ok) return { ...NOTHING, ended: 'cancelled', durationMs: 0 };
    return { ...NOTHING, ended: 'not-started', durationMs: elapsed(), startError: started.errno };
  }

  const child = started.value;
  const streams = readers ?? { stdout: child.stdout, stderr: child.stderr };
  const full = Promise.withResolvers<void>();
  const output = capture(streams, { ...options, onFull: full.resolve });
  const exit = waitForExit(child);
  const ending = await firstOf({ exit, full: full.promise, options });
  const wasStopped = ending !== 'exited';
  const graceMs = ending === 'output' ? 0 : (options.graceMs ?? DEFAULT_GRACE_MS);
  if (wasStopped) await stopGroup(child, exit, graceMs);
  const status = await waitAtMost(exit, DEATH_MS);
  if (status?.startError !== undefined) {
    closeStreams(streams);
    return { ...NOTHING, ended: 'not-started', durationMs: elapsed(), startError: status.startError };
  }
  signalGroup(child, 'SIGKILL');
  await options.endRest?.(wasStopped);
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

function startProcess([file = '', ...args]: readonly string[], options: ProcessOptions): ChildProcess {
  const { cwd, env, input, user, pipes } = options;
  const nothing = openSync(devNull, 'r+');
  try {
    const child = spawn(file, args, {
      cwd,
      // Node passes NODE_V8_COVERAGE on by itself, unless it is named here.
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
    // A process that does not read its input closes it, which is no failure.
    child.stdin?.on('error', ignoreSystemError).end(input);
    return child;
  } finally {
    closeSync(nothing);
  }
}

/** The given files, and nothing in place of each that is withheld. */
function passFiles({ files = [], withheld = [] }: ProcessOptions, nothing: number): readonly (number | 'ignore')[] {
  const count = Math.max(files.length, ...withheld.map((descriptor) => descriptor - 2));
  return Array.from({ length: count }, (_, at) => files[at] ?? (withheld.includes(at + 3) ? nothing : 'ignore'));
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

async function stopGroup(child: ChildProcess, exit: Promise<ExitStatus>, graceMs: number): Promise<void> {
  if (graceMs > 0) {
    signalGroup(child, 'SIGTERM');
    await waitAtMost(exit, graceMs);
  }
  signalGroup(child, 'SIGKILL');
}

/** A group lives on under its leader's id after the leader is gone; nobody else can get that id meanwhile. */
function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (process.platform !== 'win32') attempt(() => process.kill(-pid, signal));
  else if (signal === 'SIGKILL') killWindowsTree(pid);
}

/** Windows has no process groups; its own tool follows the children. */
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
