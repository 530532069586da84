import { resolve } from 'node:path';

import { hideCredentials, looksLikeAddress } from '../model/address.ts';
import type { NextStep } from '../model/next-step.ts';
import { WrongUsage, type Options } from './input/options.ts';
import type { Io } from './io.ts';
import type { Output } from './output/output.ts';

/** 0 done; 1 not done, or problems found; 2 wrong usage; 70 a bug; 130 interrupted at a question. `run` passes on the script's own code. */
export type ExitCode = number;

/** Everything a command receives: arguments and options, working directory, input and output. */
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
  /** Renders a next step for the command line. */
  readonly sayNext: (step: NextStep) => string;
  /** Records a Ctrl-C at a question. The command then ends as if the answer was no, with code 130. */
  readonly noteInterrupt: () => void;
}

export interface CommandModule {
  run(invocation: Invocation): Promise<ExitCode>;
}

/** Headings of the help, in order. */
export const COMMAND_GROUPS = ['Use', 'Get', 'Make', 'Check', 'Connect'] as const;

/** One row of the command table. It is also the help and the command reference. */
export interface CommandDefinition {
  /** One word, or two for an action of another command: `manage rollback`. */
  readonly name: string;
  /** Another name. */
  readonly alias?: string;
  readonly group: (typeof COMMAND_GROUPS)[number];
  readonly summary: string;
  /** More sentences, for `help <command>` alone. */
  readonly details?: string;
  /** Usage lines, if there are several; otherwise derived from the arguments. */
  readonly usage?: readonly string[];
  /** Help by argument: `<path>` is required, `[name]` is optional, `...` takes the rest. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** More tables for `help <command>`, by heading. */
  readonly tables?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Help by option: `--yes` is a switch, `--tag <tag>` takes a value and may be repeated. */
  readonly options?: Readonly<Record<string, string>>;
  /** Accepted options that no help lists: old ones, and `--yes` where there is nothing to ask anymore. */
  readonly oldOptions?: readonly string[];
  /** Old spellings of options: `--host` is `--agent`. */
  readonly renamedOptions?: Readonly<Record<string, string>>;
  /** The words that an argument may be, by argument. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Options that need another one: `--port` without `--http` is wrong usage. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Command lines without the program's name. */
  readonly examples: readonly string[];
  /** The page of the guide that explains it: `installing`. */
  readonly guide?: string;
  /** Called by programs alone; no help lists it. */
  readonly isInternal?: boolean;
  /** Unknown options are arguments. */
  readonly takesDashes?: boolean;
  /** Loads the code when the command runs. */
  readonly load: () => Promise<CommandModule>;
}

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, string>> = {
  '--json': 'Print JSON',
  '--quiet': 'Print only results and errors',
  '--cwd <dir>': 'Run in this directory',
  '--help': 'Show help',
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

/** The actions of a command that people call: `manage rollback` is one of `manage`. */
export function actionsOf(
  { name }: CommandDefinition,
  commands: readonly CommandDefinition[],
): readonly CommandDefinition[] {
  return commands.filter((row) => row.name.startsWith(`${name} `) && row.isInternal !== true);
}

/** Resolves paths from the command line against `--cwd`. An address is wrong usage: it may have a password in it. */
export function resolvePaths({ args, cwd }: Invocation): readonly string[] {
  const address = args.find(looksLikeAddress);
  if (address !== undefined) throw new WrongUsage(`${hideCredentials(address)} is a URL, but a path is needed`);
  return args.map((path) => resolve(cwd, path));
}
