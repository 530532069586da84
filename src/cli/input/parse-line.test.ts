import { describe, expect, test } from 'vitest';

import { commands } from '../commands.ts';
import { oldSpellings } from '../old-spellings.ts';
import { WrongUsage } from './options.ts';
import { parseLine, type CommandLine, type ParsedLine } from './parse-line.ts';

const parse = (...argv: readonly string[]): ParsedLine => parseLine(argv, { commands, oldSpellings });

function parseCommand(...argv: readonly string[]): CommandLine {
  const line = parse(...argv);
  if (line.kind !== 'command') throw new Error(`this is ${line.kind}`);
  return line;
}

/** Message and advice of a command line that is wrong. */
function faultOf(...argv: readonly string[]): readonly [string, string?] {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof WrongUsage)
      return error.advice === undefined ? [error.message] : [error.message, error.advice];
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
      'See all options with `skillplane help show`.',
    ]);
    expect(faultOf('show', '-x')[0]).toBe('unknown option -x');
    expect(faultOf('--nope')).toEqual(['unknown option --nope', 'See all options with `skillplane help`.']);
    expect(faultOf('run', 'a', 'b', '--dpi=3')).toEqual([
      'unknown option --dpi',
      'See all options with `skillplane help run`. Put options for the script after --.',
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

  test.each([
    'install x',
    'install --from-tools',
    'update',
    'remove x',
    'enable x',
    'disable x',
    'trust x',
    'manage rollback x',
    'rollback x',
    'new x',
    'publish x --to y',
    'run x y',
    'sync',
    'agents connect codex',
    'agents disconnect codex',
    'hosts connect codex',
    'login x',
  ])('-y is accepted by %s, since it may ask', (line) => {
    expect(parseCommand(...line.split(' '), '-y').options.has('yes')).toBe(true);
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
    [['add', 'owner/repo'], 'unknown command "add"', 'Did you mean `skillplane install owner/repo`?'],
    [['ls'], 'unknown command "ls"', 'Did you mean `skillplane show`?'],
    [['find', 'a pdf'], 'unknown command "find"', 'Did you mean `skillplane search`?'],
    [['init', 'x; rm -rf ~'], 'unknown command "init"', 'Did you mean `skillplane new`?'],
  ])('are answered with our name: %j', (argv, message, advice) => {
    expect(faultOf(...argv)).toEqual([message, advice]);
  });
});

test('an option that would be ignored is wrong usage', () => {
  expect(faultOf('mcp', '--allow-origin', 'https://a.b')).toEqual(['--allow-origin only works with --http']);
  expect(faultOf('mcp', '--http', '--write')).toEqual(['--write only works with --print-config']);
  expect(parseCommand('mcp', '--http', '--port', '1').options.text('port')).toBe('1');
});

describe('commands on the command line', () => {
  test('are found by name and alias', () => {
    expect(parseCommand('list', '--all').command.name).toBe('show');
  });

  test('are found by two words, and help shows such an action', () => {
    const { command, args } = parseCommand('manage', 'rollback', 'pdf');
    expect([command.name, args]).toEqual(['manage rollback', ['pdf']]);
    expect(parse('help', 'agents', 'connect')).toMatchObject({ command: { name: 'agents connect' } });
  });

  test.each([
    [['match', 'fill', 'a form', '--max', '2'], 'prompt', [], { message: 'fill a form', max: '2' }],
    [['to-prompt', 'a', 'b'], 'prompt', ['a', 'b'], {}],
    [['tools'], 'run', [], {}],
    [['tools', 'weather'], 'run', ['weather'], {}],
    [['call', 'weather', 'forecast', '--args', '{}'], 'run', ['weather', 'forecast'], { args: '{}' }],
    [['outdated', 'pdf', '--diff'], 'update', ['pdf'], { dryRun: '', diff: '' }],
    [['import', 'pdf', '--yes'], 'install', ['pdf'], { fromTools: '', yes: '' }],
    [['plugins'], 'manage list', [], {}],
    [['manage', 'update', 'pdf', '--diff'], 'update', ['pdf'], { diff: '' }],
    [['verify', 'pdf'], 'manage verify', ['pdf'], {}],
    [['prefer', 'pdf', 'claude-user'], 'manage prefer', ['pdf', 'claude-user'], {}],
    [['fix', 'a'], 'validate', ['a'], { fix: '', dryRun: '' }],
    [['fix', 'a', '--write'], 'validate', ['a'], { fix: '', write: '' }],
    [['read-properties', 'a'], 'validate', ['a'], { properties: '' }],
    [['emit', 'codex', '--check'], 'publish', ['codex'], { manifests: '', check: '' }],
    [['hosts'], 'agents', [], {}],
    [['hosts', 'connect', 'codex', '--no-hook'], 'agents connect', ['codex'], { yes: '', noHook: '' }],
    [['explain', 'codex', 'pdf'], 'agents explain', ['codex', 'pdf'], {}],
    [['hook', 'codex', '--limit', '90'], 'agents hook', ['codex'], { limit: '90' }],
    [['completion', 'bash'], 'config completion', ['bash'], {}],
    [['enable', 'pdf', '--host', 'codex'], 'enable', ['pdf'], { agent: 'codex' }],
    [['enable', 'pdf', '--for', 'codex'], 'enable', ['pdf'], { agent: 'codex' }],
    [['show', '--host=codex', '--no-pager'], 'show', [], { agent: 'codex' }],
    [['mcp', '--print-config', 'codex', '--write'], 'mcp', [], { printConfig: 'codex', write: '' }],
  ])('are found by the names and options that they had before: %j', (argv, name, args, options) => {
    const line = parseCommand(...argv);
    expect([line.command.name, line.args]).toEqual([name, args]);
    for (const [option, value] of Object.entries(options)) expect(line.options.text(option)).toBe(value);
  });

  test('write fixes only with --write if they are spelled fix, as before', () => {
    expect(parseCommand('fix', 'a').options.has('dryRun')).toBe(true);
    expect(parseCommand('fix', 'a', '--write').options.has('dryRun')).toBe(false);
    expect(parseCommand('validate', 'a', '--fix').options.has('dryRun')).toBe(false);
  });

  test.each([
    ['shwo', 'Did you mean show?'],
    ['instal', 'Did you mean install?'],
    ['valid', 'Did you mean validate?'],
    ['zzz', 'See all commands with `skillplane help --all`.'],
    ['constructor', 'See all commands with `skillplane help --all`.'],
  ])('are refused with advice if unknown: %s', (name, advice) => {
    expect(faultOf(name)).toEqual([`unknown command "${name}"`, advice]);
    expect(faultOf('help', name)).toEqual([`unknown command "${name}"`, advice]);
  });

  test('are refused if arguments are missing or superfluous', () => {
    expect(faultOf('load')).toEqual(['missing argument <skill>', 'Usage: skillplane load <skill> [options]']);
    expect(faultOf('match')[0]).toBe('missing argument <message...>');
    expect(faultOf('doctor', 'extra')).toEqual(['unexpected argument "extra"', 'Usage: skillplane doctor']);
    expect(faultOf('ctx', '?s', 'deploy')[0]).toBe('unexpected argument "deploy"');
    expect(parseCommand('tools').args).toEqual([]);
    expect(parseCommand('validate', 'a', 'b', 'c').args).toEqual(['a', 'b', 'c']);
  });
});

test.each([
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

test('an empty command line asks for the overview', () => {
  expect(parse()).toEqual({ kind: 'overview' });
  expect(parse('--json')).toEqual({ kind: 'overview' });
});

test('the command line option --version asks for the version', () => {
  expect(parse('--version', '--json')).toEqual({ kind: 'version' });
});
