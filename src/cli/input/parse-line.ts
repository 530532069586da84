import { findNearest } from '../../model/nearest.ts';
import { COMMON_OPTIONS, OTHER_NAMES, SHORT_OPTIONS, type CommandDefinition } from '../command.ts';
import type { OldSpelling } from '../old-spellings.ts';
import { openOptions, toName, WrongUsage, type Options } from './options.ts';

/** The meaning of a command line. */
export type ParsedLine =
  | CommandLine
  | { readonly kind: 'overview' }
  | { readonly kind: 'help'; readonly command: CommandDefinition | undefined; readonly isAll: boolean }
  | { readonly kind: 'version' };

/** A command to run, with its arguments and options. */
export interface CommandLine {
  readonly kind: 'command';
  readonly command: CommandDefinition;
  readonly args: readonly string[];
  readonly options: Options;
}

/** The commands, and how they were spelled before. */
export interface CommandTable {
  readonly commands: readonly CommandDefinition[];
  readonly oldSpellings: Readonly<Record<string, OldSpelling>>;
}

/**
 * Parses a command line against the command table; throws `WrongUsage` if it does not fit. `--json` and `--cwd` may also
 * stand before the command.
 */
export function parseLine(argv: readonly string[], table: CommandTable): ParsedLine {
  const at = findCommandWord(argv);
  const [name, ...rest] = argv.slice(at);
  const first = readWords(argv.slice(0, at), { ...COMMON_OPTIONS, ...OLD_COMMON_OPTIONS, '--version': '' });
  if (first.given.has('version')) return { kind: 'version' };
  const isHelp = first.given.has('help');
  if (name === undefined) return isHelp ? { kind: 'help', command: undefined, isAll: false } : { kind: 'overview' };
  if (name === 'help') {
    const { args, given } = readWords(rest, { ...COMMON_OPTIONS, ...OLD_COMMON_OPTIONS, '--all': '' });
    const [topic, ...more] = args;
    const isOverview = topic === undefined || topic === 'help';
    const command = isOverview ? undefined : findCommand(topic, table, more).command;
    return { kind: 'help', command, isAll: given.has('all') };
  }
  const { command, old, rest: words } = findCommand(name, table, rest);
  if (isHelp) return { kind: 'help', command, isAll: false };
  const notations = listNotations(command);
  const read = readWords(words, notations, command);
  if (read.given.has('help')) return { kind: 'help', command, isAll: false };
  const { args, given } = old === undefined ? read : applyOldSpelling(read, old, notations);
  checkArguments(args, command);
  checkNeeds(given, command);
  const known = new Set(Object.keys(notations).map((notation) => toName(flagOf(notation))));
  return { kind: 'command', command, args, options: openOptions(new Map([...first.given, ...given]), known) };
}

/** There was a pager once. */
const OLD_COMMON_OPTIONS = { '--no-pager': '' };

function listNotations({ options, oldOptions = [] }: CommandDefinition): Notations {
  const old = Object.fromEntries(oldOptions.map((notation) => [notation, '']));
  return { ...options, ...old, ...COMMON_OPTIONS, ...OLD_COMMON_OPTIONS };
}

function applyOldSpelling(
  { args, given }: Words,
  { implies = [], unless = {} }: OldSpelling,
  notations: Notations,
): Words {
  const all = new Map(given);
  let left = args;
  for (const flag of implies) {
    const takesValue = Object.keys(notations).some((notation) => notation.startsWith(`${flag} <`));
    // Without arguments, the missing value is reported as of the new spelling.
    if (takesValue && args.length === 0) throw new WrongUsage(`missing argument <${flag.slice(2)}...>`);
    if (!all.has(toName(flag))) all.set(toName(flag), [takesValue ? args.join(' ') : '']);
    if (takesValue) left = [];
  }
  for (const [flag, implied] of Object.entries(unless))
    if (!all.has(toName(flag)) && !all.has(toName(implied))) all.set(toName(implied), ['']);
  return { args: left, given: all };
}

/** The ways to call a command: `install [what...] [options]`. */
export function usageLines({ name, usage, arguments: args = {}, options = {} }: CommandDefinition): readonly string[] {
  const hasOptions = Object.keys(options).length > 0;
  return usage ?? [[name, ...Object.keys(args), ...(hasOptions ? ['[options]'] : [])].join(' ')];
}

/** Does the line start the hook of an agent? It must not fail, whatever is wrong with the line. */
export function isHookLine(argv: readonly string[]): boolean {
  const [name, action] = argv.slice(findCommandWord(argv));
  return name === 'hook' || (name === 'agents' && action === 'hook');
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
    const [spelled, inline] = splitOnce(first);
    const flag = values.has(spelled) ? spelled : (command?.renamedOptions?.[spelled] ?? spelled);
    if (!values.has(flag)) {
      if (isOption(word) && command?.takesDashes !== true)
        throw unknownOption(flag, Object.keys({ ...command?.options, ...COMMON_OPTIONS }).map(flagOf), command);
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

interface FoundCommand {
  readonly command: CommandDefinition;
  /** Undefined if the line has the name that the command has now. */
  readonly old?: OldSpelling;
  readonly rest: readonly string[];
}

/** The command that the first two words name, or the first one. */
function findCommand(name: string, { commands, oldSpellings }: CommandTable, rest: readonly string[]): FoundCommand {
  const find = (word: string): Omit<FoundCommand, 'rest'> | undefined => {
    const command = commands.find(({ name: own, alias }) => own === word || alias === word);
    if (command !== undefined) return { command };
    const old = Object.hasOwn(oldSpellings, word) ? oldSpellings[word] : undefined;
    const now = commands.find(({ name: own }) => own === old?.now);
    return now === undefined || old === undefined ? undefined : { command: now, old };
  };
  const action = rest[0] === undefined ? undefined : find(`${name} ${rest[0]}`);
  if (action !== undefined) return { ...action, rest: rest.slice(1) };
  const found = find(name);
  if (found !== undefined) return { ...found, rest };
  const ours = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  if (ours === undefined) throw new WrongUsage(`unknown command "${name}"`, suggestCommand(name, commands));
  const isPlain = rest.every((word) => /^[\w@%+=:,./-]+$/.test(word));
  const line = ['skillplane', ours, ...(isPlain ? rest : [])].join(' ');
  throw new WrongUsage(`unknown command "${name}"`, `Did you mean \`${line}\`?`);
}

function suggestCommand(name: string, commands: readonly CommandDefinition[]): string {
  const names = ['help', ...commands.flatMap(({ name: own, alias = own }) => [own, alias])];
  const near = findNearest(name, names);
  return near === undefined ? 'See all commands with `skillplane help --all`.' : `Did you mean ${near}?`;
}

function unknownOption(flag: string, known: readonly string[], command: CommandDefinition | undefined): WrongUsage {
  const near = findNearest(flag, known);
  const help = command === undefined ? 'skillplane help' : `skillplane help ${command.name}`;
  const isPassedOn = Object.keys(command?.arguments ?? {}).includes('[args...]');
  const rest = isPassedOn ? ' Put options for the script after --.' : '';
  const hint = near === undefined ? `See all options with \`${help}\`.${rest}` : `Did you mean ${near}?${rest}`;
  return new WrongUsage(`unknown option ${flag}`, hint);
}

function checkArguments(args: readonly string[], command: CommandDefinition): void {
  const notations = Object.keys(command.arguments ?? {});
  const missing = notations.find((notation, at) => notation.startsWith('<') && at >= args.length);
  const usage = `Usage: skillplane ${usageLines(command).join(', or skillplane ')}`;
  if (missing !== undefined) throw new WrongUsage(`missing argument ${missing}`, usage);
  const extra = args[notations.length];
  if (extra !== undefined && notations.at(-1)?.includes('...') !== true)
    throw new WrongUsage(`unexpected argument "${extra}"`, usage);
}

/** An option that would be ignored is wrong usage. */
function checkNeeds(given: Words['given'], { needs = {} }: CommandDefinition): void {
  for (const [flag, needed] of Object.entries(needs))
    if (given.has(toName(flag)) && !given.has(toName(needed)))
      throw new WrongUsage(`${flag} only works with ${needed}`);
}
