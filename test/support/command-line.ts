import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

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

/** Runs the built command line as a process and waits for it. Paths that it prints with `~` are whole again. */
export function skillplane(
  args: readonly string[],
  { home, cwd = home, env = {}, input = '' }: CommandOptions,
): CommandResult {
  const child = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    input,
    timeout: 60_000,
    encoding: 'utf8',
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, ...COMPILED, ...env },
  });
  return { code: child.status, stdout: expandHome(child.stdout, home), stderr: expandHome(child.stderr, home) };
}

function expandHome(text: string, home: string): string {
  return text.replaceAll(/(?<![^\s(`:=])~(?=\/)/g, () => home);
}

/** Runs the command line without blocking this process, which may be the server that the command calls. */
export async function skillplaneMeanwhile(
  args: readonly string[],
  { home, cwd = home, env = {} }: CommandOptions,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH, ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout: expandHome(stdout, home), stderr: expandHome(stderr, home) };
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
