import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

import { VERSION } from '../model/version.ts';
import type { ExitCode, Invocation } from './command.ts';
import { commands } from './commands.ts';
import { WrongUsage } from './input/options.ts';
import { commandWord, parseLine, type CommandLine, type ParsedLine } from './input/parse-line.ts';
import type { Io } from './io.ts';
import { openHints, reportFailure } from './output/failure.ts';
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
    reportFailure({ out, isJson, renderHint: (hint) => hint }, failure);
  try {
    const isPlain = isJson || isGiven(argv, '--no-pager');
    const line = parseLine(argv, commands);
    const asked = { argv, io, isJson, out };
    return await (isPlain ? answer(line, asked) : answerPaged(line, asked));
  } catch (error) {
    // Of a hook, a host takes any other code as a reason to throw the message away.
    const fails = (code: ExitCode): ExitCode => (commandWord(argv) === 'hook' ? 0 : code);
    if (error instanceof WrongUsage) {
      report({ code: 'USAGE', message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) });
      return fails(2);
    }
    if (env['SKILLPLANE_DEBUG']) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    report({ code: 'BUG', message: `this is a bug in skillplane ${VERSION}: ${reason}` });
    return fails(70);
  }
}

/** A command line as it was given, before it is taken apart. */
type Asked = Pick<Invocation, 'argv' | 'io' | 'isJson' | 'out'>;

/** Shows a long answer in a pager, if stdout is a terminal and the command wants it. */
async function answerPaged(line: ParsedLine, asked: Asked): Promise<ExitCode> {
  const { io, out } = asked;
  const isPaged = line.kind === 'help' || (line.kind === 'command' && line.command.isPaged === true);
  if (!isPaged || !io.stdout.isTTY) return answer(line, asked);
  const { findPager, showHeld } = await import('./output/pager.ts');
  const pager = findPager(io.env);
  if (pager === undefined) return answer(line, asked);
  out.hold();
  try {
    return await answer(line, asked);
  } finally {
    await showHeld(out.release(), pager, io);
  }
}

async function answer(line: ParsedLine, asked: Asked): Promise<ExitCode> {
  const { isJson, out } = asked;
  if (line.kind === 'command') return runCommand(line, asked);
  if (line.kind === 'version') {
    if (isJson) out.json({ ok: true, version: VERSION });
    else out.line(VERSION);
    return 0;
  }
  const { describeHelp, printCommandHelp, printOverview } = await import('./output/help.ts');
  if (isJson) out.json(describeHelp(line.command === undefined ? commands : [line.command]));
  else if (line.command === undefined) printOverview(commands, out);
  else printCommandHelp(line.command, out);
  return 0;
}

async function runCommand({ command, args, options }: CommandLine, asked: Asked): Promise<ExitCode> {
  const { io } = asked;
  const cwd = cwdOf({ options }, io);
  const loaded = await command.load();
  const renderHint = openHints(commands, command);
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
    renderHint,
    noteInterrupt,
  };
  await reportUseLater(invocation);
  const code = await loaded.run(invocation);
  const end = code === 0 && command.changesSkills === true ? await syncAfter(invocation) : code;
  return isInterrupted ? INTERRUPTED : end;
}

/** As of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

async function syncAfter(invocation: Invocation): Promise<ExitCode> {
  const { syncIfWanted } = await import('./auto-sync.ts');
  return syncIfWanted(invocation);
}

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
    throw new WrongUsage(
      'the working directory does not exist any more',
      'Change to another one, or name one with --cwd.',
    );
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
