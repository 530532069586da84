import { findNearest } from '../../model/nearest.ts';
import { COMMON_OPTIONS, OTHER_NAMES, SHORT_OPTIONS, type CommandDefinition } from '../command.ts';
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
    const [topic, ...more] = readWords(rest, COMMON_OPTIONS).args;
    const isOverview = topic === undefined || topic === 'help';
    return { kind: 'help', command: isOverview ? undefined : findCommand(topic, commands, more).command };
  }
  const { command, rest: words } = findCommand(name, commands, rest);
  if (first.given.has('help')) return { kind: 'help', command };
  const notations = { ...command.options, ...COMMON_OPTIONS };
  const { args, given } = readWords(words, notations, command);
  if (given.has('help')) return { kind: 'help', command };
  checkArguments(args, command);
  checkNeeds(given, command);
  const known = new Set(Object.keys(notations).map((notation) => toName(flagOf(notation))));
  return { kind: 'command', command, args, options: openOptions(new Map([...first.given, ...given]), known) };
}

/** `skillplane install [url] [options]` */
export function usageLine({ name, arguments: args = {} }: CommandDefinition): string {
  return ['skillplane', name, ...Object.keys(args), '[options]'].join(' ');
}

/** The name of the command, as it was typed. */
export function commandWord(argv: readonly string[]): string | undefined {
  return argv[findCommandWord(argv)];
}

/** The position of the first word that is neither an option nor the value of `--cwd`. */
function findCommandWord(argv: readonly string[]): number {
  let at = 0;
  while (argv[at]?.startsWith('-') === true) at += argv[at] === '--cwd' || argv[at] === '-C' ? 2 : 1;
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
  const expand = command?.takesDashes === true ? (word: string) => [word] : openShortOptions(values);
  const pending = [...words];
  for (let word = pending.shift(); word !== undefined; word = pending.shift()) {
    if (word === '--') {
      args.push(...pending);
      break;
    }
    const [first = word, ...others] = expand(word);
    pending.unshift(...others);
    const [flag, inline] = splitOnce(first);
    if (!values.has(flag)) {
      if (isOption(word) && command?.takesDashes !== true) throw unknownOption(flag, [...values.keys()], command);
      args.push(word);
      continue;
    }
    const placeholder = values.get(flag);
    if (placeholder === undefined && inline !== undefined) throw new WrongUsage(`${flag} takes no value`);
    let value = inline ?? '';
    if (placeholder !== undefined && inline === undefined) {
      const next = pending.shift();
      if (next === undefined || values.has(splitOnce(next)[0]))
        throw new WrongUsage(`${flag} needs a value: ${flag} ${placeholder}`);
      value = next;
    }
    const key = toName(flag);
    given.set(key, [...(given.get(key) ?? []), value]);
  }
  return { args, given };
}

/** Expands `-y` to `--yes`, and `-jq` to two options. Other words stay. */
function openShortOptions(known: ReadonlyMap<string, unknown>): (word: string) => readonly string[] {
  const longOf = (short: string): string | undefined => SHORT_OPTIONS[short]?.find((long) => known.has(long));
  return (word) => {
    if (!/^-[A-Za-z]+$/.test(word)) return [word];
    const longs = Array.from(word.slice(1), (letter) => longOf(`-${letter}`));
    return longs.every((long) => long !== undefined) ? longs : [word];
  };
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

/** The command that the first word names, or the first two: `manage update`. */
function findCommand(
  name: string,
  commands: readonly CommandDefinition[],
  rest: readonly string[],
): { readonly command: CommandDefinition; readonly rest: readonly string[] } {
  const action = `${name} ${rest[0]}`;
  const managed = commands.find(({ alias }) => alias === action);
  if (managed !== undefined) return { command: managed, rest: rest.slice(1) };
  const command = commands.find(({ name: own, alias }) => own === name || alias === name);
  if (command !== undefined) return { command, rest };
  const ours = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  if (ours === undefined) throw new WrongUsage(`unknown command "${name}"`, suggestCommand(name, commands));
  const isPlain = rest.every((word) => /^[\w@%+=:,./-]+$/.test(word));
  const line = ['skillplane', ours, ...(isPlain ? rest : [])].join(' ');
  throw new WrongUsage(`"${name}" is called "${ours}"`, `Run \`${line}\`.`);
}

function suggestCommand(name: string, commands: readonly CommandDefinition[]): string {
  const names = ['help', ...commands.flatMap(({ name: own, alias = own }) => [own, alias])];
  const near = findNearest(name, names);
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

/** An option that would be ignored is wrong usage. */
function checkNeeds(given: Words['given'], { needs = {} }: CommandDefinition): void {
  for (const [flag, needed] of Object.entries(needs))
    if (given.has(toName(flag)) && !given.has(toName(needed)))
      throw new WrongUsage(`${flag} means nothing without ${needed}`);
}
