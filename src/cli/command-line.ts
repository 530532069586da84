import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { Command, CommanderError } from 'commander';

import { VERSION } from '../model/version.ts';
import { reportUsage, type CommandDefinition, type ExitCode, type Invocation } from './command.ts';
import { commands } from './commands.ts';
import { encodeText } from './encode.ts';
import type { Output } from './output.ts';

/** Runs any command line: arguments, help, and what is wrong with it. */
export async function runCommandLine(argv: readonly string[], out: Output): Promise<ExitCode> {
  const isJson = argv.includes('--json');
  let code: ExitCode = 0;
  const program = buildProgram(isJson, async (definition, invocation) => {
    const command = await definition.load();
    code = await command.run({ ...invocation, out });
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return explainUsage(error, { out, isJson });
    throw error;
  }
}

type Run = (definition: CommandDefinition, invocation: Omit<Invocation, 'out'>) => Promise<void>;

function buildProgram(isJson: boolean, run: Run): Command {
  const program = new Command('skillplane')
    .description('The skills engine for AI agents.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .configureOutput({
      writeErr: (text) => isJson || process.stderr.write(text.split('\n').map(encodeText).join('\n')),
    })
    .showHelpAfterError('Run "skillplane help" to see what there is.');
  for (const definition of commands) addCommand(program, definition, run);
  return program;
}

function addCommand(program: Command, definition: CommandDefinition, run: Run): void {
  const command = program.command(definition.name).description(definition.summary).copyInheritedSettings(program);
  if (definition.alias !== undefined) command.alias(definition.alias);
  if (definition.takesDashes === true) command.allowUnknownOption();
  for (const [notation, help] of Object.entries(definition.arguments ?? {})) command.argument(notation, help);
  for (const [flag, help] of Object.entries(definition.flags)) {
    if (flag.includes('<')) command.option(flag, help, collect);
    else command.option(flag, help);
  }
  command.option('--json', 'answer with one JSON document').option('--cwd <dir>', 'run as if started there');
  command.action(async () => {
    const options = command.opts<{ readonly json?: boolean; readonly cwd?: string }>();
    const entries = Object.entries<unknown>(options);
    const flags = new Set(entries.flatMap(([name, value]) => (value === true ? [name] : [])));
    const values = new Map(
      entries.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.map(String)] as const] : [])),
    );
    const cwd = resolve(options.cwd ?? process.cwd());
    if (!isDirectory(cwd)) command.error(`error: --cwd: ${encodeText(cwd)} is not a directory`);
    await run(definition, { args: command.args, flags, values, cwd, isJson: options.json === true });
  });
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Help and version are answers; any other complaint of the parser is wrong usage. */
function explainUsage(error: CommanderError, context: Pick<Invocation, 'out' | 'isJson'>): ExitCode {
  if (error.exitCode === 0) return 0;
  return context.isJson ? reportUsage(context, error.message.replace(/^error: /, '')) : 2;
}
