import { COMMAND_GROUPS, COMMON_OPTIONS, SHORT_OPTIONS, type CommandDefinition } from '../command.ts';
import { usageLine } from '../input/parse-line.ts';
import type { Output } from './output.ts';
import { wrap } from './wrap.ts';

type Rows = readonly (readonly [term: string, text: string])[];

/** Prints the list of commands. */
export function printOverview(commands: readonly CommandDefinition[], out: Output): void {
  const groups = COMMAND_GROUPS.map((group) => [group, commands.filter((command) => command.group === group)] as const);
  const common = optionRows({ ...COMMON_OPTIONS, '--version': 'Print the version' });
  const terms = new Map(commands.map((command) => [command, [command.name, ...oneWord(command.alias)].join(', ')]));
  const width = widest([...terms.values(), ...common.map(([term]) => term)]);
  out.line('Skillplane: the skills engine for AI agents.');
  out.line();
  out.line({ text: 'Usage: ', style: 'bold' }, 'skillplane <command> [arguments] [options]');
  for (const [group, members] of groups)
    printRows(
      group,
      members.map((command) => [terms.get(command) ?? '', command.summary]),
      { out, width },
    );
  printRows('Options of every command', common, { out, width });
  out.line();
  out.line('Run "skillplane help <command>" for its arguments, options and examples.');
}

function oneWord(alias = ' '): readonly string[] {
  return alias.includes(' ') ? [] : [alias];
}

/** Prints the help of one command. */
export function printCommandHelp(command: CommandDefinition, out: Output): void {
  const { alias, summary, details } = command;
  const sections = describeCommand(command);
  const width = widest(sections.flatMap(({ rows }) => rows.map(([term]) => term)));
  out.line({ text: 'Usage: ', style: 'bold' }, usageLine(command));
  out.line();
  const alsoCalled = alias === undefined ? '' : ` Also called ${alias}.`;
  const about = [`${summary}.`, details].filter((text) => text !== undefined).join(' ');
  for (const line of wrap(`${about}${alsoCalled}`, out.columns)) out.line(line);
  for (const { title, rows } of sections) printRows(title, rows, { out, width });
  out.line();
  out.line({ text: 'Examples', style: 'bold' });
  for (const example of command.examples) out.exactLine(`${INDENT}skillplane ${example}`);
  out.line();
  out.line(`More: docs/reference/commands.md#${command.name}`);
}

interface Section {
  readonly title: string;
  readonly rows: Rows;
}

function describeCommand(command: CommandDefinition): readonly Section[] {
  const { arguments: args = {}, actions = {}, options = {} } = command;
  const sections = [
    { title: 'Actions', rows: Object.entries(actions) },
    { title: 'Arguments', rows: Object.entries(args) },
    { title: 'Options', rows: optionRows({ ...options, ...COMMON_OPTIONS }) },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** Options with their short forms: `-y, --yes`. */
function optionRows(options: Readonly<Record<string, string>>): Rows {
  const flags = new Set(Object.keys(options).map((notation) => notation.split(' ', 1)[0] ?? ''));
  const shorts = new Map(
    Object.entries(SHORT_OPTIONS).map(([short, longs]) => [longs.find((long) => flags.has(long)), short]),
  );
  return Object.entries(options).map(([notation, text]) => {
    const short = shorts.get(notation.split(' ', 1)[0]);
    return [short === undefined ? notation : `${short}, ${notation}`, text];
  });
}

/** The help as data, for `--json`. */
export function describeHelp(commands: readonly CommandDefinition[]): object {
  return {
    ok: true,
    commands: commands.map((command) => {
      const {
        load: _load,
        takesDashes: _dashes,
        isPaged: _paged,
        arguments: args = {},
        options = {},
        ...rest
      } = command;
      return { ...rest, usage: usageLine(command), arguments: args, options };
    }),
    options: COMMON_OPTIONS,
  };
}

const INDENT = '  ';
const GAP = '  ';
const NARROWEST_TEXT = 20;

interface Layout {
  readonly out: Output;
  /** Of the column of terms. */
  readonly width: number;
}

/** A heading and two aligned columns; the second is wrapped between words. */
function printRows(title: string, rows: Rows, { out, width }: Layout): void {
  out.line();
  out.line({ text: title, style: 'bold' });
  const room = Math.max(NARROWEST_TEXT, out.columns - INDENT.length - width - GAP.length);
  for (const [term, text] of rows) {
    const [first = '', ...others] = wrap(text, room);
    out.line(INDENT, { text: term, style: 'cyan' }, `${' '.repeat(width - term.length)}${GAP}${first}`);
    for (const line of others) out.line(' '.repeat(INDENT.length + width + GAP.length), line);
  }
}

function widest(terms: readonly string[]): number {
  return Math.max(0, ...terms.map((term) => term.length));
}
