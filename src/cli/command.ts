import { resolve } from 'node:path';

import type { Options } from './input/options.ts';
import type { Io } from './io.ts';
import type { Output } from './output/output.ts';

/** 0 done; 1 not done, or problems found; 2 wrong usage; 70 a bug; 130 interrupted at a question. `run` passes on the script's own code. */
export type ExitCode = number;

/** Everything a command gets: its arguments and options, where it runs, where it reads and prints. */
export interface Invocation {
  readonly command: CommandDefinition;
  /** Every command. */
  readonly commands: readonly CommandDefinition[];
  /** The whole command line, without the program. */
  readonly argv: readonly string[];
  readonly args: readonly string[];
  readonly options: Options;
  readonly cwd: string;
  readonly env: Io['env'];
  readonly io: Io;
  readonly isJson: boolean;
  readonly out: Output;
  /** Words a hint of the engine for the command line. */
  readonly renderHint: (hint: string) => string;
  /** Says that a person typed Ctrl-C at a question. The command then ends as if the answer was no, with code 130. */
  readonly noteInterrupt: () => void;
}

export interface CommandModule {
  run(invocation: Invocation): Promise<ExitCode>;
}

/** Headings of the help, in order. */
export const COMMAND_GROUPS = ['Use', 'Get', 'Make', 'Check', 'Connect'] as const;

/** One row of the command table. It is also the help and the command reference. */
export interface CommandDefinition {
  readonly name: string;
  /** Another name: one word, or `manage <action>`. */
  readonly alias?: string;
  readonly group: (typeof COMMAND_GROUPS)[number];
  readonly summary: string;
  /** More sentences, for `help <command>` alone. */
  readonly details?: string;
  /** Help by argument: `<path>` is required, `[name]` is optional, `...` takes the rest. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Help by option: `--yes` is a switch, `--tag <tag>` takes a value and may be repeated. */
  readonly options?: Readonly<Record<string, string>>;
  /** Help by action, for commands whose first argument is one: `enable <name>`. */
  readonly actions?: Readonly<Record<string, string>>;
  /** The words that an argument may be, by argument. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Options that mean nothing without another one: `--port` without `--http` is wrong usage. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Command lines without the program's name. */
  readonly examples: readonly string[];
  /** Shows a long answer in a pager. Not for commands that ask, serve, or pass on the output of others. */
  readonly isPaged?: boolean;
  /** Changes which skills there are, or which are enabled: afterwards the hosts are synced, if `autoSync` says so. */
  readonly changesSkills?: boolean;
  /** Words that begin with a dash and are no option of ours are arguments. */
  readonly takesDashes?: boolean;
  /** Loads the code when the command runs. */
  readonly load: () => Promise<CommandModule>;
}

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, string>> = {
  '--json': 'Print one JSON document',
  '--quiet': 'Print only the answer and errors',
  '--cwd <dir>': 'Run as if started in this directory',
  '--no-pager': 'Print long answers at once, without a pager',
  '--help': 'Print this help',
};

/** Short options, and the first of these long ones that the command has. */
export const SHORT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  '-h': ['--help'],
  '-V': ['--version'],
  '-j': ['--json'],
  '-q': ['--quiet'],
  '-C': ['--cwd'],
  '-y': ['--yes'],
  '-n': ['--dry-run', '--limit', '--max'],
  '-v': ['--verbose'],
};

/** Names that other tools have for our commands. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  add: 'install',
  get: 'install',
  i: 'install',
  rm: 'remove',
  uninstall: 'remove',
  delete: 'remove',
  upgrade: 'update',
  ls: 'show',
  find: 'search',
  init: 'new',
  create: 'new',
  why: 'info',
  lint: 'validate',
};

/** Resolves paths from the command line against `--cwd`. */
export function resolvePaths({ args, cwd }: Invocation): readonly string[] {
  return args.map((path) => resolve(cwd, path));
}
