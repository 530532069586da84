import { describe, expect, test } from 'vitest';

import { commands } from '../commands.ts';
import { WrongUsage } from './options.ts';
import { parseLine, type CommandLine, type ParsedLine } from './parse-line.ts';

const parse = (...argv: readonly string[]): ParsedLine => parseLine(argv, commands);

function parseCommand(...argv: readonly string[]): CommandLine {
  const line = parse(...argv);
  if (line.kind !== 'command') throw new Error(`this is ${line.kind}`);
  return line;
}

/** Message and hint of a command line that is wrong. */
function faultOf(...argv: readonly string[]): readonly [string, string?] {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof WrongUsage) return error.hint === undefined ? [error.message] : [error.message, error.hint];
    throw error;
  }
  throw new Error('nothing is wrong');
}

describe('options on the command line', () => {
  test('take their value from the next word or after an equals sign, and may be repeated', () => {
    const { command, options } = parseCommand('mcp', '--http', '--allow-host', 'a', '--allow-host=b', '--port=1');
    expect(command.name).toBe('mcp');
    expect(options.has('http')).toBe(true);
    expect(options.has('write')).toBe(false);
    expect(options.all('allowHost')).toEqual(['a', 'b']);
    expect(options.text('allowHost')).toBe('b');
    expect(options.text('port')).toBe('1');
  });

  test('may stand before, between and after the arguments', () => {
    const { args, options } = parseCommand('--cwd', 'x', 'search', 'fill', '--limit', '3', 'forms', '--json');
    expect(args).toEqual(['fill', 'forms']);
    expect([options.text('cwd'), options.text('limit'), options.has('json')]).toEqual(['x', '3', true]);
  });

  test('take any value but another option of the command', () => {
    expect(parseCommand('prompt', '--top', '-1').options.text('top')).toBe('-1');
    expect(parseCommand('new', 'a', '--description=--json').options.text('description')).toBe('--json');
    expect(parseCommand('new', 'a', '--description', '').options.text('description')).toBe('');
    expect(faultOf('new', 'a', '--description', '--json')).toEqual([
      '--description needs a value: --description <text>',
    ]);
    expect(faultOf('install', 'a', '--ref')).toEqual(['--ref needs a value: --ref <ref>']);
    expect(faultOf('show', '--all=yes')).toEqual(['--all takes no value']);
  });

  test('end at two dashes', () => {
    const { args, options } = parseCommand('run', 'pdf', 'fill.py', '--network', '--', '--json', '--', '-x');
    expect(args).toEqual(['pdf', 'fill.py', '--json', '--', '-x']);
    expect(options.has('json')).toBe(false);
    expect(options.has('network')).toBe(true);
  });

  test('that a command does not have are refused with the most similar one', () => {
    expect(faultOf('show', '--vebose')).toEqual(['unknown option --vebose', 'Did you mean --verbose?']);
    expect(faultOf('show', '--nope')).toEqual([
      'unknown option --nope',
      'Run `skillplane help show` to list the options.',
    ]);
    expect(faultOf('show', '-x')[0]).toBe('unknown option -x');
    expect(faultOf('--nope')).toEqual(['unknown option --nope', 'Run `skillplane help` to list the options.']);
    expect(faultOf('run', 'a', 'b', '--dpi=3')).toEqual([
      'unknown option --dpi',
      'Run `skillplane help run` to list the options. Put options for the script after --.',
    ]);
  });

  test('are arguments for a command that takes dashes, unless it declares them', () => {
    expect(parseCommand('ctx', '-s pdf', '--json')).toMatchObject({ args: ['-s pdf'] });
    expect(parseCommand('ctx', '-').args).toEqual(['-']);
    expect(parseCommand('ctx', '-h').args).toEqual(['-h']);
  });
});

describe('short options', () => {
  test('have the meaning of the long ones', () => {
    const { options, args } = parseCommand('-C', 'x', 'install', 'a/b', '-y', '-j');
    expect([options.text('cwd'), options.has('yes'), options.has('json'), args]).toEqual(['x', true, true, ['a/b']]);
    expect(parseCommand('search', 'x', '-n', '3').options.text('limit')).toBe('3');
    expect(parseCommand('show', '-v').options.has('verbose')).toBe(true);
    expect(parse('-V')).toEqual({ kind: 'version' });
  });

  test('can be combined in one word', () => {
    const { options } = parseCommand('install', 'a/b', '-yqj');
    expect(['yes', 'quiet', 'json'].map((name) => options.has(name))).toEqual([true, true, true]);
  });

  test('are refused if the command lacks the long one', () => {
    expect(faultOf('load', 'pdf', '-y')[0]).toBe('unknown option -y');
    expect(faultOf('load', 'pdf', '-jy')[0]).toBe('unknown option -jy');
  });

  test('after two dashes are arguments', () => {
    expect(parseCommand('run', 'pdf', 'x.py', '--', '-y').args).toEqual(['pdf', 'x.py', '-y']);
  });
});

describe('names that other tools use for a command', () => {
  test.each([
    [['add', 'owner/repo'], '"add" is called "install"', 'Run `skillplane install owner/repo`.'],
    [['ls'], '"ls" is called "show"', 'Run `skillplane show`.'],
    [['find', 'a pdf'], '"find" is called "search"', 'Run `skillplane search`.'],
    [['init', 'x; rm -rf ~'], '"init" is called "new"', 'Run `skillplane new`.'],
  ])('are answered with our name: %j', (argv, message, hint) => {
    expect(faultOf(...argv)).toEqual([message, hint]);
  });
});

test('an option that would be ignored is wrong usage', () => {
  expect(faultOf('mcp', '--allow-origin', 'https://a.b')).toEqual(['--allow-origin means nothing without --http']);
  expect(faultOf('mcp', '--http', '--write')).toEqual(['--write means nothing without --print-config']);
  expect(parseCommand('mcp', '--http', '--port', '1').options.text('port')).toBe('1');
});

describe('commands on the command line', () => {
  test('are found by name and alias', () => {
    expect(parseCommand('list', '--all').command.name).toBe('show');
  });

  test('are also found as actions of manage', () => {
    const { command, args, options } = parseCommand('manage', 'update', 'pdf', '--diff');
    expect([command.name, args, options.has('diff')]).toEqual(['update', ['pdf'], true]);
    expect(parseCommand('manage', 'list').command.name).toBe('plugins');
    expect(parse('help', 'manage', 'enable')).toMatchObject({ command: { name: 'enable' } });
    expect(parseCommand('manage').command.actions).toHaveProperty('enable <name...>');
  });

  test.each([
    ['shwo', 'Did you mean show?'],
    ['instal', 'Did you mean install?'],
    ['valid', 'Did you mean validate?'],
    ['zzz', 'Run `skillplane help` to list the commands.'],
    ['constructor', 'Run `skillplane help` to list the commands.'],
  ])('are refused with a hint if unknown: %s', (name, hint) => {
    expect(faultOf(name)).toEqual([`unknown command "${name}"`, hint]);
    expect(faultOf('help', name)).toEqual([`unknown command "${name}"`, hint]);
  });

  test('are refused if arguments are missing or superfluous', () => {
    expect(faultOf('call', 'pdf')).toEqual([
      'missing argument <tool>',
      'Usage: skillplane call <name> <tool> [options]',
    ]);
    expect(faultOf('doctor', 'extra')).toEqual(['unexpected argument "extra"', 'Usage: skillplane doctor [options]']);
    expect(faultOf('ctx', '?s', 'deploy')[0]).toBe('unexpected argument "deploy"');
    expect(parseCommand('tools').args).toEqual([]);
    expect(parseCommand('validate', 'a', 'b', 'c').args).toEqual(['a', 'b', 'c']);
  });
});

test.each([
  [[], undefined],
  [['help'], undefined],
  [['help', 'help'], undefined],
  [['--help'], undefined],
  [['-h', '--json'], undefined],
  [['help', 'list'], 'show'],
  [['show', '--help'], 'show'],
  [['--help', 'show'], 'show'],
  [['validate', '-h'], 'validate'],
])('the command line %j asks for help', (argv, name) => {
  const line = parse(...argv);
  expect(line.kind).toBe('help');
  expect(line.kind === 'help' ? line.command?.name : '').toBe(name);
});

test('the command line option --version asks for the version', () => {
  expect(parse('--version', '--json')).toEqual({ kind: 'version' });
});
