import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { VERSION } from '../model/version.ts';
import { answerAgain } from './answer-again.ts';
import type { ExitCode } from './command.ts';
import { commands } from './commands.ts';
import { exitCodeOf } from './input/interrupt.ts';
import { WrongUsage } from './input/options.ts';
import { commandWord, parseLine, type CommandLine, type ParsedLine } from './input/parse-line.ts';
import { openHints, reportFailure } from './output/failure.ts';
import { openOutput, type Output, type Streams } from './output/output.ts';
import { openStandardStream, type StandardStream } from './output/standard-stream.ts';
import { reportUseLater } from './report-later.ts';

/** Runs one command line and returns its exit code. A bug is reported in one sentence, without a stack trace. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const isJson = isGiven(argv, '--json', 'j');
  const isQuiet = isGiven(argv, '--quiet', 'q');
  const [stdout, stderr] = [openStandardStream('stdout'), openStandardStream('stderr')];
  const streams: Streams = { stdout, stderr, env: process.env, isQuiet };
  const out = openOutput(streams);
  const report = (failure: Parameters<typeof reportFailure>[1]): ExitCode =>
    reportFailure({ out, isJson, renderHint: (hint) => hint }, failure);
  try {
    const isPlain = isJson || isGiven(argv, '--no-pager');
    const line = parseLine(argv, commands);
    if (isJson && line.kind === 'command' && line.command.isKept?.(line.options) === true)
      return exitCodeOf(
        await answerAgain({ argv, cwd: cwdOf(line) }, streams, (recorded) => runCommand(line, true, recorded)),
      );
    return exitCodeOf(await (isPlain ? answer(line, isJson, out) : answerPaged(line, stdout, out)));
  } catch (error) {
    // Of a hook, a host takes any other code as a reason to throw the message away.
    const fails = (code: ExitCode): ExitCode => (commandWord(argv) === 'hook' ? 0 : code);
    if (error instanceof WrongUsage) {
      report({ code: 'USAGE', message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) });
      return fails(2);
    }
    if (process.env['SKILLPLANE_DEBUG']) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    report({ code: 'BUG', message: `this is a bug in skillplane ${VERSION}: ${reason}` });
    return fails(70);
  }
}

/** Shows a long answer in a pager, if stdout is a terminal and the command wants it. */
async function answerPaged(line: ParsedLine, stdout: StandardStream, out: Output): Promise<ExitCode> {
  const isPaged = line.kind === 'help' || (line.kind === 'command' && line.command.isPaged === true);
  if (!isPaged || !stdout.isTTY) return answer(line, false, out);
  const { findPager, showHeld } = await import('./output/pager.ts');
  const pager = findPager(process.env);
  if (pager === undefined) return answer(line, false, out);
  out.hold();
  try {
    return await answer(line, false, out);
  } finally {
    await showHeld(out.release(), { pager, stdout, env: process.env });
  }
}

async function answer(line: ParsedLine, isJson: boolean, out: Output): Promise<ExitCode> {
  if (line.kind === 'command') return runCommand(line, isJson, out);
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

async function runCommand({ command, args, options }: CommandLine, isJson: boolean, out: Output): Promise<ExitCode> {
  const cwd = cwdOf({ options });
  // Before the first of these threads starts: they flush what is installed.
  if (command.changesSkills === true) process.env['UV_THREADPOOL_SIZE'] ??= '32';
  const loaded = await command.load();
  const invocation = { command, commands, args, options, cwd, isJson, out, renderHint: openHints(commands, command) };
  await reportUseLater(invocation);
  const code = await loaded.run(invocation);
  if (code !== 0 || command.changesSkills !== true) return code;
  const { syncIfWanted } = await import('./auto-sync.ts');
  return syncIfWanted(invocation);
}

function cwdOf({ options }: Pick<CommandLine, 'options'>): string {
  const cwd = resolve(options.text('cwd') ?? process.cwd());
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new WrongUsage(`--cwd: ${cwd} is not a directory`);
  return cwd;
}

/** Looks for a switch before the line is parsed: what is wrong with it is reported as asked for, too. */
function isGiven(argv: readonly string[], long: string, short?: string): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.some(
    (word) => word === long || (short !== undefined && /^-[A-Za-z]+$/.test(word) && word.includes(short)),
  );
}
