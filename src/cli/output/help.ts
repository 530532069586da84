import { actionsOf, COMMAND_GROUPS, COMMON_OPTIONS, SHORT_OPTIONS, type CommandDefinition } from '../command.ts';
import { usageLines } from '../input/parse-line.ts';
import type { Output } from './output.ts';
import { wrap } from './wrap.ts';

type Rows = readonly (readonly [term: string, text: string])[];
type Commands = readonly CommandDefinition[];

/** The commands of every day, by heading; two that belong together share a line and a summary. */
const DAILY: readonly (readonly [heading: string, ...rows: (readonly [names: string, summary?: string])[]])[] = [
  ['Find', ['show'], ['search'], ['info']],
  [
    'Get',
    ['install'],
    ['update, remove', 'Update or remove installed skills'],
    ['enable, disable', 'Turn skills on or off, for all agents or one'],
  ],
  ['Make', ['new']],
  ['Check', ['audit'], ['doctor']],
  ['Connect', ['agents'], ['console']],
];

/** Prints the commands of every day. */
export function printDailyCommands(commands: Commands, out: Output): void {
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]));
  const width = widest(DAILY.map(([heading]) => heading));
  const names = widest(DAILY.flatMap(([, ...rows]) => rows.map(([name]) => name)));
  for (const [heading, ...rows] of DAILY)
    for (const [at, [name, summary = summaries.get(name) ?? '']] of rows.entries())
      out.line(
        { text: (at === 0 ? heading : '').padEnd(width), style: 'bold' },
        GAP,
        { text: name.padEnd(names), style: 'cyan' },
        `${GAP}${summary}`,
      );
  out.line();
  out.line('Details: skillplane help <command>. All commands: skillplane help --all');
}

/** Prints every command, and the options that all of them have. */
export function printAllCommands(commands: Commands, out: Output): void {
  const listed = commands.filter(({ name }) => !name.includes(' '));
  const common = optionRows({ ...COMMON_OPTIONS, '--version': 'Show the version' });
  const terms = new Map(listed.map(({ name, alias }) => [name, alias === undefined ? name : `${name}, ${alias}`]));
  const width = widest([...terms.values(), ...common.map(([term]) => term)]);
  out.line({ text: 'Usage: ', style: 'bold' }, 'skillplane <command> [arguments] [options]');
  for (const group of COMMAND_GROUPS) {
    const members = listed.filter((command) => command.group === group);
    printRows(
      group,
      members.map(({ name, summary }) => [terms.get(name) ?? '', summary]),
      { out, width },
    );
  }
  printRows('Global options', common, { out, width });
  out.line();
  out.line('Details: skillplane help <command>');
}

/** Prints the help of one command. */
export function printCommandHelp(command: CommandDefinition, commands: Commands, out: Output): void {
  const { name, alias, summary, details, guide } = command;
  const actions = actionsOf(command, commands);
  const sections = describeCommand(command, actions);
  const width = widest(sections.flatMap(({ rows }) => rows.map(([term]) => term)));
  out.line(`${summary}.`);
  out.line();
  out.line({ text: 'Usage', style: 'bold' });
  for (const line of [command, ...actions].flatMap(usageLines)) out.exactLine(`${INDENT}skillplane ${line}`);
  const about = [details, alias === undefined ? undefined : `Also called ${alias}.`];
  const text = about.filter((part) => part !== undefined).join(' ');
  if (text !== '') out.line();
  if (text !== '') for (const line of wrap(text, out.columns)) out.line(line);
  for (const { title, rows } of sections) printRows(title, rows, { out, width });
  out.line();
  out.line({ text: 'Examples', style: 'bold' });
  for (const example of command.examples) out.exactLine(`${INDENT}skillplane ${example}`);
  out.line();
  if (actions.length > 0) out.line(`Options of an action: skillplane help ${name} <action>`);
  out.line(
    guide === undefined
      ? `More: docs/reference/commands.md#${name.replace(' ', '-')}`
      : `Guide: docs/guide/${guide}.md`,
  );
}

interface Section {
  readonly title: string;
  readonly rows: Rows;
}

function describeCommand(command: CommandDefinition, actions: Commands): readonly Section[] {
  const { name, arguments: args = {}, tables = {}, options = {} } = command;
  const sections = [
    { title: 'Actions', rows: actions.map((action) => [action.name.slice(name.length + 1), action.summary] as const) },
    { title: 'Arguments', rows: Object.entries(args) },
    ...Object.entries(tables).map(([title, rows]) => ({ title, rows: Object.entries(rows) })),
    { title: 'Options', rows: optionRows(options) },
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
export function describeHelp(commands: Commands): object {
  const shown = commands.filter(({ isInternal }) => isInternal !== true);
  return {
    ok: true,
    commands: shown.map((command) => {
      const { name, alias, group, summary, details, arguments: args = {}, options = {}, choices, examples } = command;
      return {
        name,
        alias,
        group,
        summary,
        details,
        usage: usageLines(command),
        arguments: args,
        options,
        choices,
        examples,
      };
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
