import { resolve } from 'node:path';

import type { Failure } from '../model/outcome.ts';
import type { Output } from './output.ts';

/** 0 done; 1 it could not be done, or problems were found; 2 wrong usage; 70 a bug; of `run` the script's own. */
export type ExitCode = number;

/** What a command is given: its words, its switches, where it runs, where it speaks. */
export interface Invocation {
  readonly args: readonly string[];
  readonly flags: ReadonlySet<string>;
  /** What was given to options that take a value, by name; each time it was given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly cwd: string;
  readonly isJson: boolean;
  readonly out: Output;
}

export interface CommandModule {
  run(invocation: Invocation): Promise<ExitCode>;
}

/** One row of the command table; the code behind it is loaded when the command runs. */
export interface CommandDefinition {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  /** Help by argument, in commander's notation: `<path...>`, `[args...]`. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** In commander's notation; `--tag <tag>` takes a value and may be given several times. */
  readonly flags: Readonly<Record<string, string>>;
  /** Words that begin with a dash and are no flag are arguments. */
  readonly takesDashes?: boolean;
  readonly load: () => Promise<CommandModule>;
}

/** Says why something could not be done, in the form that was asked for. */
export function reportFailure(
  { out, isJson }: Pick<Invocation, 'out' | 'isJson'>,
  { code, message }: Omit<Failure, 'code'> & { code: string },
): ExitCode {
  if (isJson) out.json({ ok: false, code, message });
  else out.note({ text: 'skillplane: ', style: 'red' }, message);
  return 1;
}

/** Says that the command line itself is wrong. */
export function reportUsage(context: Pick<Invocation, 'out' | 'isJson'>, message: string): ExitCode {
  reportFailure(context, { ok: false, code: 'USAGE', message });
  return 2;
}

/** Paths on the command line count from `--cwd`. */
export function resolvePaths({ args, cwd }: Invocation): readonly string[] {
  return args.map((path) => resolve(cwd, path));
}
