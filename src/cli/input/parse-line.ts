import { findNearest } from '../../model/nearest.ts';
import { COMMON_OPTIONS, type CommandDefinition } from '../command.ts';
import { openOptions, toName, WrongUsage, type Options } from './options.ts';

/** The meaning of a command line. */
export type ParsedLine =
  | CommandLine
  | { readonly kind: 'help'; readonly command: CommandDefinition | undefined }
  | { readonly kind: 'version' };

/** A command to run, with its arguments and options. */
export interface CommandLine {
  readonly kind: 'command';
  readonly command: CommandDefinition;
  readonly args: readonly string[];
  readonly options: Options;
}

/**
 * Parses a command line against the command table; throws `WrongUsage` if it does not fit. `--json` and `--cwd` may also
 * stand before the command.
 */
export function parseLine(argv: readonly string[], commands: readonly CommandDefinition[]): ParsedLine {
  const at = findCommandWord(argv);
  const [name, ...rest] = argv.slice(at);
  const first = readWords(argv.slice(0, at), { ...COMMON_OPTIONS, '--version': '' });
  if (first.given.has('version')) return { kind: 'version' };
  if (name === undefined) return { kind: 'help', command: undefined };
  if (name === 'help') {
    const [topic] = readWords(rest, COMMON_OPTIONS).args;
    const isOverview = topic === undefined || topic === 'help';
    return { kind: 'help', command: isOverview ? undefined : findCommand(topic, commands) };
  }
  const command = findCommand(name, commands);
  if (first.given.has('help')) return { kind: 'help', command };
  const notations = { ...command.options, ...COMMON_OPTIONS };
  const { args, given } = readWords(rest, notations, command);
  if (given.has('help')) return { kind: 'help', command };
  checkArguments(args, command);
  const known = new Set(Object.keys(notations).map((notation) => toName(flagOf(notation))));
  return { kind: 'command', command, args, options: openOptions(new Map([...first.given, ...given]), known) };
}

/** `skillplane install [url] [options]` */
export function usageLine({ name, arguments: args = {} }: CommandDefinition): string {
  return ['skillplane', name, ...Object.keys(args), '[options]'].join(' ');
}

/** The position of the first word that is neither an option nor the value of `--cwd`. */
function findCommandWord(argv: readonly string[]): number {
  let at = 0;
  while (argv[at]?.startsWith('-') === true) at += argv[at] === '--cwd' ? 2 : 1;
  return at;
}

interface Words {
  readonly args: readonly string[];
  /** Values by option name; a switch has an empty one. */
  readonly given: ReadonlyMap<string, readonly string[]>;
}

type Notations = Readonly<Record<string, string>>;

function readWords(words: readonly string[], notations: Notations, command?: CommandDefinition): Words {
  const values = new Map(Object.keys(notations).map((notation) => [flagOf(notation), notation.split(' ')[1]]));
  const given = new Map<string, readonly string[]>();
  const args: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      args.push(...words.slice(at + 1));
      break;
    }
    const [flag, inline] = splitOnce(word === '-h' && command?.takesDashes !== true ? '--help' : word);
    if (!values.has(flag)) {
      if (isOption(word) && command?.takesDashes !== true) throw unknownOption(flag, [...values.keys()], command);
      args.push(word);
      continue;
    }
    const placeholder = values.get(flag);
    if (placeholder === undefined && inline !== undefined) throw new WrongUsage(`${flag} takes no value`);
    let value = inline ?? '';
    if (placeholder !== undefined && inline === undefined) {
      at += 1;
      const next = words[at];
      if (next === undefined || values.has(splitOnce(next)[0]))
        throw new WrongUsage(`${flag} needs a value: ${flag} ${placeholder}`);
      value = next;
    }
    const key = toName(flag);
    given.set(key, [...(given.get(key) ?? []), value]);
  }
  return { args, given };
}

function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

function flagOf(notation: string): string {
  return notation.split(' ', 1)[0] ?? '';
}

function splitOnce(word: string): readonly [flag: string, value: string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function findCommand(name: string, commands: readonly CommandDefinition[]): CommandDefinition {
  const found = commands.find((command) => command.name === name || command.alias === name);
  if (found !== undefined) return found;
  throw new WrongUsage(`unknown command "${name}"`, suggestCommand(name, commands));
}

function suggestCommand(name: string, commands: readonly CommandDefinition[]): string {
  const owner = commands.find(({ actions = {} }) => Object.keys(actions).some((action) => flagOf(action) === name));
  const names = ['help', ...commands.flatMap(({ name: own, alias }) => (alias === undefined ? [own] : [own, alias]))];
  const near = owner === undefined ? findNearest(name, names) : `${owner.name} ${name}`;
  return near === undefined ? 'Run `skillplane help` to list the commands.' : `Did you mean ${near}?`;
}

function unknownOption(flag: string, known: readonly string[], command: CommandDefinition | undefined): WrongUsage {
  const near = findNearest(flag, known);
  const help = command === undefined ? 'skillplane help' : `skillplane help ${command.name}`;
  const isPassedOn = Object.keys(command?.arguments ?? {}).includes('[args...]');
  const rest = isPassedOn ? ' Put options for the script after --.' : '';
  const hint = near === undefined ? `Run \`${help}\` to list the options.${rest}` : `Did you mean ${near}?${rest}`;
  return new WrongUsage(`unknown option ${flag}`, hint);
}

function checkArguments(args: readonly string[], command: CommandDefinition): void {
  const notations = Object.keys(command.arguments ?? {});
  const missing = notations.find((notation, at) => notation.startsWith('<') && at >= args.length);
  const usage = `Usage: ${usageLine(command)}`;
  if (missing !== undefined) throw new WrongUsage(`missing argument ${missing}`, usage);
  const extra = args[notations.length];
  if (extra !== undefined && notations.at(-1)?.includes('...') !== true)
    throw new WrongUsage(`unexpected argument "${extra}"`, usage);
}
