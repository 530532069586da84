import { actionsOf, COMMAND_GROUPS, COMMON_OPTIONS, type CommandDefinition } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';
import { usageLines } from '../src/cli/input/parse-line.ts';
import { settingsTable, sourceSwitches, unswitchedSources, type Setting } from '../src/config/settings.ts';
import { AGENTS } from '../src/model/agents.ts';
import { customSource, sourceTable, type SourceRow } from '../src/sources/table.ts';
import { renderConfigSchema } from './config-schema.ts';

/** Renders the pages of docs/reference/ from the tables in code, by path. */
export function renderReference(): Readonly<Record<string, string>> {
  return {
    'docs/reference/commands.md': renderCommands(),
    'docs/reference/sources.md': renderSources(),
    'docs/reference/configuration.md': renderConfiguration(),
    'docs/reference/config.schema.json': renderConfigSchema(),
  };
}

function renderCommands(): string {
  const groups = COMMAND_GROUPS.map((group) => {
    const members = commands.filter((command) => command.group === group);
    const rows = members.map(({ name, summary }) => [`[\`${name}\`](#${name})`, escape(summary)]);
    return joinBlocks(`## ${group}`, renderTable(['command', 'what it does'], rows), ...members.map(renderCommand));
  });
  return joinPage(
    '# Commands',
    generatedFrom('src/cli/command-table/'),
    '`npx skillplane <command>` where the package is installed, `node bin/skillplane.mjs <command>` in a clone. The answer goes to ' +
      'stdout, everything else to stderr. Whatever a skill contains, the output is safe to print.',
    'On a terminal, lines are wrapped between words; a pipe gets whole lines.',
    '![skillplane without a command, in a terminal](../images/terminal-start.svg)',
    '![skillplane help install in a terminal](../images/terminal-help.svg)',
    '`skillplane help <command>` prints the same as this page. Every command takes these options:',
    renderTable(['option', 'meaning'], renderHelp(COMMON_OPTIONS)),
    renderTable(
      ['exit code', 'meaning'],
      [
        ['0', 'Done'],
        ['1', 'It could not be done, or problems were found'],
        ['2', 'The command line is wrong'],
        ['70', 'A bug in Skillplane'],
        ['130', 'Interrupted with Ctrl-C at a question'],
      ],
    ),
    'With `--json` a failure is `{ "ok": false, "code", "message", "next" }`; `next` is the step to take, as data, and may be absent.',
    ...groups,
  );
}

function renderCommand(command: CommandDefinition): string {
  const { name, alias, summary, details, arguments: args = {}, tables = {}, options = {}, examples } = command;
  const actions = Object.fromEntries(actionsOf(command, commands).map((action) => [action.name, action.summary]));
  const about = [`${summary}.`, details, alias === undefined ? undefined : `Also called ${alias}.`];
  return joinBlocks(
    `### ${name}`,
    escape(about.filter((text) => text !== undefined).join(' ')),
    renderCode(usageLines(command).map((line) => `skillplane ${line}`)),
    renderTable(['action', 'what it does'], renderHelp(actions)),
    renderTable(['argument', 'meaning'], renderHelp(args)),
    ...Object.entries(tables).map(([title, rows]) => renderTable([title.toLowerCase(), 'meaning'], renderHelp(rows))),
    renderTable(['option', 'meaning'], renderHelp(options)),
    examples.length === 0 ? '' : joinBlocks('Examples:', renderCode(examples.map((line) => `skillplane ${line}`))),
  );
}

function renderHelp(help: Readonly<Record<string, string>>): readonly Row[] {
  return Object.entries(help).map(([term, text]) => [`\`${term}\``, escape(text)]);
}

function renderSources(): string {
  const custom = { ...customSource(0, 'user'), id: 'custom:<n>', place: '{customDirectories}', isDefault: true };
  const defaults = [...sourceTable.filter((row) => row.isDefault && !isOfOtherAgent(row)), custom];
  const rows = defaults.toSorted((a, b) => b.priority - a.priority);
  return joinPage(
    '# Sources',
    generatedFrom('src/sources/table.ts and src/model/agents.ts'),
    'A source is a place where skills live. `./` is a folder of the project: it is looked for from the working directory up to the ' +
      'root of the repository, and the closest wins. `~/` is in your home folder. A variable in brackets moves the folder, as it does for the program that reads it.',
    '## On by default',
    'Of two skills with one name, the one from the higher row wins; the other stays visible as shadowed (`skillplane show --all`). Turn a ' +
      'source off with `disabledSources` in the [configuration](configuration.md).',
    renderTable(
      ['source', 'group', 'where'],
      rows.map((row) => [`\`${row.id}\``, row.group, describePlace(row)]),
    ),
    '## Other agents',
    'Their folders at home are on, too. Those in a project are off, because a clone can contain any folder: turn one on with `enabledSources`, ' +
      'such as `cursor-project`. In the order above, those in projects come after `codex-project`, those at home after `codex-user`. ' +
      '`skillplane doctor` says which of these folders you have.',
    renderTable(['agent', 'in a project', 'at home'], describeAgents()),
  );
}

function isOfOtherAgent({ agent }: SourceRow): boolean {
  return agent !== undefined && AGENTS[agent].priority === undefined;
}

function describeAgents(): readonly Row[] {
  const agents = Map.groupBy(sourceTable.filter(isOfOtherAgent), ({ group }) => group);
  const describe = (row: SourceRow | undefined): string =>
    row === undefined ? '' : `\`${row.id}\`: ${describePlace(row)}`;
  return Array.from(agents, ([group, rows]) => {
    const find = (level: string): SourceRow | undefined => rows.find((row) => row.level === level);
    return [group, describe(find('project')), describe(find('user'))];
  });
}

function describePlace(row: SourceRow): string {
  const movable = row.agent === undefined || row.level === 'project' ? undefined : AGENTS[row.agent].movable;
  const variable = movable === undefined ? '' : ` (\`${movable.variable}\`)`;
  return `${describeFolder(row)}${variable}`;
}

function describeFolder({ place, layout }: SourceRow): string {
  const setting = /^\{(\w+)\}$/.exec(place)?.[1];
  if (setting === undefined) return layout === 'tree' ? `\`${place}/**/skills\`` : `\`${place}\``;
  if (setting === 'bundled') return 'part of the package';
  const found = SETTINGS.find(([name]) => name === setting)?.[1];
  return typeof found?.default === 'string' ? `\`${found.default}\` (\`${setting}\`)` : `\`${setting}\``;
}

const SETTINGS: readonly (readonly [string, Setting])[] = Object.entries(settingsTable);

const PROJECT_RULES: Readonly<Record<Setting['project'], string>> = {
  adds: 'adds to yours',
  narrows: 'only narrows yours: what both allow counts',
  tightens: 'only tightens yours',
  arranges: "decides only between the project's own copies",
  ignored: 'is ignored',
};

const UNREADABLE_RULES: Readonly<Record<Setting['unreadable'], string>> = {
  'is ignored': 'is ignored',
  'counts as false': 'counts as `false`',
  'counts as require': 'counts as `require`',
  'counts as info': 'counts as `info`',
  'keeps every name': 'every name in it counts',
  'keeps good entries': 'only its good entries count',
  'allows good entries': 'only its good entries are allowed; without any, nothing is',
  'disables bad entries': 'a plugin whose entry is wrong is disabled',
};

function renderConfiguration(): string {
  const rows = SETTINGS.map(([name, { type, default: value, project, unreadable, description }]) => {
    const rules = [PROJECT_RULES[project], UNREADABLE_RULES[unreadable]];
    return [`\`${name}\``, type.name, `\`${renderValue(value)}\``, ...rules, escape(description)];
  });
  return joinPage(
    '# Configuration',
    generatedFrom('src/config/settings.ts'),
    'Settings are in `~/.agent/config.yaml`, under `skills`; `AGENT_HOME` moves `~/.agent`. A project may have its own ' +
      '`./.agent/config.yaml`; the table says what its value does. Every setting is optional. `~`, `$VAR` and `${VAR}` expand in paths.',
    'A wrong value is reported with its line (`CONFIG_INVALID`) and costs its own setting alone. Until you correct it, the strict reading ' +
      'in the table holds: a mistake never allows more than you meant.',
    'Skillplane keeps your comments when it writes the file, and never replaces a wrong value. A file that is not valid YAML is reported ' +
      'with its line, read as far as it can be, and never overwritten.',
    'A file that Skillplane makes begins with `# yaml-language-server: $schema=./config.schema.json`, so that editors complete and check the ' +
      'settings. The [schema](config.schema.json) is copied beside the file and renewed whenever Skillplane changes the file: that works ' +
      'offline, after an upgrade and for everyone who clones the project. Add the line to a file of your own to get the same. ' +
      '`skillplane config path --schema` prints where the schema of the installed version is.',
    renderTable(['setting', 'type', 'default', "a project's value", 'a wrong value', 'meaning'], rows),
    'Switches that other tools write are understood as well. `false` counts as an entry of `disabledSources`, `true` as one of ' +
      '`enabledSources`, and a wrong value as `false`. ' +
      `With all of them \`false\`, ${joinCodes(unswitchedSources)} are off, too.`,
    renderTable(
      ['switch', 'sources'],
      Object.entries(sourceSwitches).map(([name, sources]) => [`\`${name}\``, joinCodes(sources)]),
    ),
    'A setting that does not exist is reported with its line and the setting that you may have meant (`CONFIG_IGNORED`).',
    'All settings with their defaults:',
    renderCode(['skills:', ...SETTINGS.map(([name, { default: value }]) => `  ${name}: ${renderYaml(value)}`)], 'yaml'),
  );
}

function joinCodes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' and ');
}

function renderValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function renderYaml(value: unknown): string {
  return typeof value === 'string' && /^\W/.test(value) ? JSON.stringify(value) : renderValue(value);
}

function generatedFrom(file: string): string {
  return `<!-- Generated from ${file}: change it there, then run node tools/generate-docs.ts. -->`;
}

type Row = readonly string[];

/** Nothing if there are no rows. */
function renderTable(head: Row, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function renderCode(lines: readonly string[], language = 'sh'): string {
  return ['```' + language, ...lines, '```'].join('\n');
}

/** Text that Markdown must not read as HTML; in code spans it reads none. */
function escape(text: string): string {
  return text.replaceAll(/`[^`]*`|</g, (found) => (found === '<' ? '\\<' : found));
}

function joinBlocks(...blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}

function joinPage(...blocks: readonly string[]): string {
  return `${joinBlocks(...blocks)}\n`;
}
