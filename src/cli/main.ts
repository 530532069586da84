import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

import { describeNext } from '../model/next-step.ts';
import { VERSION } from '../model/version.ts';
import type { ExitCode, Invocation } from './command.ts';
import { commands } from './commands.ts';
import { WrongUsage } from './input/options.ts';
import { isHookLine, parseLine, type CommandLine, type ParsedLine } from './input/parse-line.ts';
import type { Io } from './io.ts';
import { oldSpellings } from './old-spellings.ts';
import { openDialect, reportFailure } from './output/failure.ts';
import { openOutput, type Streams } from './output/output.ts';
import { openProcess } from './process-io.ts';
import { reportUseLater } from './report-later.ts';

/** Runs one command line and returns its exit code. A bug is reported in one sentence, without a stack trace. */
export async function main(argv: readonly string[], io: Io = openProcess()): Promise<ExitCode> {
  const isJson = isGiven(argv, '--json', 'j');
  const isQuiet = isGiven(argv, '--quiet', 'q');
  const { stdout, stderr, env } = io;
  const streams: Streams = { stdout, stderr, env, isQuiet };
  const out = openOutput(streams);
  const report = (failure: Parameters<typeof reportFailure>[1]): ExitCode =>
    reportFailure({ out, isJson, sayNext: describeNext }, failure);
  try {
    return await answer(parseLine(argv, { commands, oldSpellings }), { argv, io, isJson, out });
  } catch (error) {
    // Agents discard the user's message if a hook exits with any other code.
    const fails = (code: ExitCode): ExitCode => (isHookLine(argv) ? 0 : code);
    if (error instanceof WrongUsage) {
      report({
        code: 'USAGE',
        message: error.message,
        ...(error.advice === undefined ? {} : { next: { advice: error.advice } }),
      });
      return fails(2);
    }
    if (env['SKILLPLANE_DEBUG']) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    report({ code: 'BUG', message: `internal error in Skillplane ${VERSION}: ${reason}` });
    return fails(70);
  }
}

/** A command line as it was given, before it is taken apart. */
type Asked = Pick<Invocation, 'argv' | 'io' | 'isJson' | 'out'>;

async function answer(line: ParsedLine, asked: Asked): Promise<ExitCode> {
  const { isJson, out } = asked;
  if (line.kind === 'command') return runCommand(line, asked);
  if (line.kind === 'version') {
    if (isJson) out.json({ ok: true, version: VERSION });
    else out.line(VERSION);
    return 0;
  }
  if (line.kind === 'overview') return (await import('./use/overview.ts')).run({ ...asked, commands });
  const { describeHelp, printAllCommands, printCommandHelp, printDailyCommands } = await import('./output/help.ts');
  const { command, isAll } = line;
  if (isJson) out.json(describeHelp(command === undefined ? commands : [command]));
  else if (command !== undefined) printCommandHelp(command, commands, out);
  else if (isAll) printAllCommands(commands, out);
  else {
    out.line({ text: 'Usage: ', style: 'bold' }, 'skillplane <command> [arguments] [options]');
    out.line();
    printDailyCommands(commands, out);
  }
  return 0;
}

async function runCommand({ command, args, options }: CommandLine, asked: Asked): Promise<ExitCode> {
  const { io } = asked;
  const cwd = cwdOf({ options }, io);
  const loaded = await command.load();
  const dialect = openDialect(command);
  let isInterrupted = false;
  const noteInterrupt = (): void => {
    isInterrupted = true;
  };
  const invocation: Invocation = {
    ...asked,
    command,
    commands,
    args,
    options,
    cwd,
    env: io.env,
    sayNext: (step) => describeNext(step, dialect),
    noteInterrupt,
  };
  await reportUseLater(invocation);
  const code = await loaded.run(invocation);
  return isInterrupted ? INTERRUPTED : code;
}

/** As of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

function cwdOf({ options }: Pick<CommandLine, 'options'>, io: Io): string {
  const given = options.text('cwd') ?? '';
  const cwd = isAbsolute(given) ? resolve(given) : resolve(currentDirectory(io), given);
  if (!mayBeDirectory(cwd)) throw new WrongUsage(`--cwd: ${cwd} is not a directory`);
  return cwd;
}

function currentDirectory(io: Io): string {
  try {
    return io.cwd;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new WrongUsage('the working directory no longer exists', 'Change to another one, or name one with --cwd.');
  }
}

/** True also of a directory that we may not look at: the engine reports what it cannot read there. */
function mayBeDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return codeOf(error) === 'EACCES';
  }
}

/** The code of a system error; undefined for anything else. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Looks for a switch before the line is parsed: what is wrong with it is reported as asked for, too. */
function isGiven(argv: readonly string[], long: string, short?: string): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.some(
    (word) => word === long || (short !== undefined && /^-[A-Za-z]+$/.test(word) && word.includes(short)),
  );
}
