import { describe, expect, test } from 'vitest';

import { actionsOf, COMMON_OPTIONS } from '../command.ts';
import { commands } from '../commands.ts';
import { describeHelp, printAllCommands, printCommandHelp, printDailyCommands } from './help.ts';
import type { Output, Piece } from './output.ts';

function print(columns: number, draw: (out: Output) => void): readonly string[] {
  const lines: string[] = [];
  const line = (...pieces: readonly Piece[]): void =>
    void lines.push(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''));
  // Of an output no more than this is used.
  draw({ line, exactLine: line, columns } as Output);
  return lines;
}

const listed = commands.filter(({ name }) => !name.includes(' '));

test('help --all lists thirty commands, one line each, within 80 columns', () => {
  const lines = print(80, (out) => printAllCommands(commands, out));
  expect(listed).toHaveLength(30);
  for (const { name, alias, summary } of listed) {
    const term = alias === undefined ? name : `${name}, ${alias}`;
    expect(lines).toContain(`  ${term.padEnd(15)}  ${summary}`);
  }
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

test('the short help names the commands of every day in at most 15 lines of 80 columns', () => {
  const lines = print(80, (out) => printDailyCommands(commands, out));
  expect(lines.length).toBeLessThanOrEqual(15);
  expect(lines[0]).toMatch(/^Find {5}show {13}\S/);
  expect(lines).toContainEqual(expect.stringMatching(/^Get {6}install {10}\S/));
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

describe.each(commands.map((command) => [command.name, command] as const))('the help of %s', (_name, command) => {
  test.each([60, 80, 120])('fits %i columns and breaks no word', (columns) => {
    const lines = print(columns, (out) => printCommandHelp(command, commands, out));
    for (const line of lines.filter((text) => !text.startsWith('  skillplane ')))
      expect(line.length).toBeLessThanOrEqual(columns);
    const words = new Set(lines.flatMap((line) => line.split(' ')));
    const helps = Object.values({ ...command.arguments, ...command.options });
    for (const word of helps.flatMap((help) => help.split(' '))) expect(words).toContain(word);
  });

  test('aligns its columns', () => {
    const lines = print(200, (out) => printCommandHelp(command, commands, out));
    const actions = actionsOf(command, commands).map(
      (action) => [action.name.split(' ').at(-1) ?? '', action.summary] as const,
    );
    const rows = [...Object.entries({ ...command.arguments, ...command.options }), ...actions];
    const starts = rows.map(([term, help]) => {
      const isRow = (text: string): boolean => text.replace(/^  -\w, /, '  ').startsWith(`  ${term} `);
      const line = lines.find((text) => isRow(text) && text.endsWith(`  ${help}`)) ?? '';
      return line.length - help.length;
    });
    expect(new Set(starts).size).toBeLessThanOrEqual(1);
  });
});

test('the help as JSON is the command table', () => {
  expect(describeHelp(commands)).toMatchObject({ ok: true, options: COMMON_OPTIONS });
  expect(describeHelp(commands.filter(({ name }) => name === 'load'))).toEqual({
    ok: true,
    commands: [
      {
        name: 'load',
        group: 'Use',
        summary: "Print a skill's instructions",
        usage: ['load <skill> [options]'],
        arguments: { '<skill>': 'Name of a skill' },
        options: { '--body': 'Leave out the frontmatter' },
        examples: ['load pdf', 'load pdf --body'],
      },
    ],
    options: COMMON_OPTIONS,
  });
});

test('the help lists short options beside the long ones', () => {
  const helpOf = (name: string): string =>
    commands
      .filter((command) => command.name === name)
      .flatMap((command) => print(80, (out) => printCommandHelp(command, commands, out)))
      .join('\n');
  expect(helpOf('install')).toContain('  -y, --yes ');
  expect(helpOf('search')).toContain('  -n, --limit <n> ');
  expect(helpOf('show')).toContain('  -v, --verbose ');
});

test('the help of every command has two examples and names the page that says more', () => {
  for (const command of commands) {
    const lines = print(80, (out) => printCommandHelp(command, commands, out));
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    for (const example of command.examples) expect(lines).toContain(`  skillplane ${example}`);
    expect(lines.at(-1)).toMatch(/^(?:Guide|More): docs\/[\w/-]+\.md/);
  }
});
