import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join, resolve } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import type { Io } from '../../src/cli/io.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** The user's home; skills of this machine do not show. */
  readonly home: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Text for stdin; none by default. */
  readonly input?: string;
}

const BIN = resolve('bin', 'skillplane.mjs');
/** The words that start the command line. */
export const SKILLPLANE: readonly string[] = [process.execPath, BIN];
const PATH = process.env['PATH'] ?? '';
const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
/** The built command line, which `bin/skillplane.mjs` runs. */
const BUILT = pathToFileURL(resolve('dist', 'cli.js')).href;

/** Runs the built command line in this process. Paths that it prints with `~` are whole again. */
export async function skillplane(
  args: readonly string[],
  { input = '', ...options }: CommandOptions,
): Promise<CommandResult> {
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false });
  const [stdout, stderr] = [openCapture(), openCapture()];
  const streams = { stdin, stdout: stdout.stream, stderr: stderr.stream };
  const code = await runInside(args, { ...options, ...streams, signals: new EventEmitter() });
  const { home } = options;
  return { code, stdout: expandHome(stdout.text(), home), stderr: expandHome(stderr.text(), home) };
}

/** A command that runs inside this process until its input ends, or until it gets a signal. */
export interface RunningCommand {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  /** The text on stderr so far. */
  readonly stderr: () => string;
  /** Resolves to its exit code. */
  readonly ended: Promise<number>;
  /** Sends it a signal. */
  readonly signal: (name: NodeJS.Signals) => void;
}

/** Starts the built command line in this process, for commands that serve: a process would take longer than most tests of it. */
export function startInside(args: readonly string[], options: Omit<CommandOptions, 'input'>): RunningCommand {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), openCapture()];
  const signals = new EventEmitter();
  const written = { isTTY: false, write: (chunk: string | Uint8Array) => stdout.write(chunk), isClosed: () => false };
  const streams = { stdin, stdout: written, stderr: stderr.stream };
  const ended = runInside(args, { ...options, ...streams, signals }).finally(() => stdout.end());
  return { stdin, stdout, stderr: stderr.text, ended, signal: (name) => void signals.emit(name, name) };
}

type InsideOptions = Omit<CommandOptions, 'input'> & Pick<Io, 'stdin' | 'stdout' | 'stderr' | 'signals'>;

async function runInside(args: readonly string[], { home, cwd = home, env = {}, ...streams }: InsideOptions) {
  const { main } = (await import(BUILT)) as typeof import('../../src/cli/main.ts');
  const startMs = performance.now();
  const exited = Promise.withResolvers<never>();
  const io: Io = {
    ...streams,
    terminal: undefined,
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, ...env },
    cwd,
    program: SKILLPLANE,
    elapsedMs: () => performance.now() - startMs,
    takeOutput: async () =>
      new Writable({ write: (chunk: Buffer, _encoding, done) => (streams.stdout.write(chunk), done()) }),
    exit: () => exited.reject(new Error('this command ends its process: run it with skillplaneProcess')),
  };
  return Promise.race([main(args, io), exited.promise]);
}

function openCapture(): { readonly stream: Io['stdout']; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = {
    isTTY: false,
    write: (chunk: string | Uint8Array): number => chunks.push(Buffer.from(chunk)),
    isClosed: (): boolean => false,
  };
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** Starts the built command line as a process of its own and waits for it, for tests about the process itself. */
export async function skillplaneProcess(
  args: readonly string[],
  { home, cwd = home, env = {}, input = '' }: CommandOptions,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, ...COMPILED, ...env },
    timeout: 60_000,
  });
  // A command may end without reading its input.
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout: expandHome(stdout, home), stderr: expandHome(stderr, home) };
}

function expandHome(text: string, home: string): string {
  return text.replaceAll(/(?<![^\s(`:=])~(?=\/)/g, () => home);
}

/**
 * Runs the command line on a pseudo terminal of 24 rows and the given width; returns stdout and stderr together. Without
 * `NO_PAGER: ''`, nothing is shown in a pager.
 */
export function skillplaneOnTerminal(args: readonly string[], options: TerminalOptions): string {
  const { command, settings } = describeTerminal([...SKILLPLANE, ...args], options);
  const child = spawnSync('script', command, { ...settings, encoding: 'utf8' });
  return child.stdout.replaceAll('\r\n', '\n');
}

export interface TerminalOptions extends CommandOptions {
  readonly columns: number;
}

/** A question hides the cursor when it appears, and only then. */
const QUESTION = '\u001B[?25l';

/** Text of the next question, and the keys to press then. */
export type Answer = readonly [shown: string, keys: string];

/** Keys as a terminal sends them. */
export const KEYS = {
  enter: '\r',
  space: ' ',
  tab: '\t',
  down: '\u001B[B',
  escape: '\u001B',
  interrupt: '\u0003',
  end: '\u0004',
};

/** Runs it on a terminal and answers its questions; returns plain text. Fails if a question does not come. */
export async function answerOnTerminal(
  args: readonly string[],
  { answers, ...options }: TerminalOptions & { readonly answers: readonly Answer[] },
): Promise<TerminalResult> {
  const quote = (text: string): string => text.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  const steps = answers.map(([shown, keys]) => [new RegExp(`${quote(QUESTION)}[^]*?${quote(shown)}`), keys] as const);
  return typeOnTerminal([...SKILLPLANE, ...args], { ...options, steps });
}

/** Text of the screen to wait for, and the keys to press then. */
export type Step = readonly [shown: RegExp, keys: string];

export interface TerminalResult {
  readonly code: number | null;
  readonly shown: string;
}

/** Runs any program on a terminal and types; returns plain text. Fails if something does not show. */
export async function typeOnTerminal(
  words: readonly string[],
  { steps, ...options }: TerminalOptions & { readonly steps: readonly Step[] },
): Promise<TerminalResult> {
  const { command, settings } = describeTerminal(words, options);
  const child = spawn('script', command, settings);
  const left = [...steps];
  let shown = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    shown += chunk;
    const [next] = left;
    const found = next?.[0].exec(shown.slice(seen));
    if (next === undefined || found === null || found === undefined) return;
    seen += found.index + found[0].length;
    left.shift();
    child.stdin.write(next[1]);
  });
  const [code]: unknown[] = await once(child, 'close');
  if (left.length > 0) throw new Error(`never shown: ${String(left[0]?.[0])}\n${shown}`);
  return { code: typeof code === 'number' ? code : null, shown: toPlain(shown) };
}

/** Without the codes that colour text and move the cursor. */
export function toPlain(shown: string): string {
  // oxlint-disable-next-line no-control-regex
  return shown.replaceAll('\r\n', '\n').replaceAll(/\u001B(?:\[[0-9;?>=]*[ -/]*[A-Za-z]|\][^\u0007]*\u0007|[=>])/g, '');
}

function describeTerminal(words: readonly string[], { home, cwd = home, env = {}, columns }: TerminalOptions) {
  const line = words.map((word) => `'${word}'`).join(' ');
  return {
    command: ['-qec', `stty rows ${ROWS} cols ${columns} && ${line}`, '/dev/null'],
    settings: {
      cwd,
      // A question without an answer would wait forever.
      timeout: 55_000,
      killSignal: 'SIGKILL' as const,
      env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, TERM: 'xterm-256color', NO_PAGER: '1', ...env },
    },
  };
}

const ROWS = 24;
