import { expect, test } from 'vitest';

import { commands } from './commands.ts';
import { readPlainLine } from './plain-line.ts';

const read = (line: string): ReturnType<typeof readPlainLine> => readPlainLine(line.split(' '), commands);

test('a command whose options are all spelled out needs no parser', () => {
  expect(read('mcp --http --allow-host a --allow-host b --port 1 --json')).toMatchObject({
    definition: { name: 'mcp' },
    flags: new Set(['http', 'json']),
    values: new Map([
      ['allowHost', ['a', 'b']],
      ['port', ['1']],
    ]),
  });
  expect(read('list --all')?.definition.name).toBe('show');
});

test.each([
  '',
  'no-such-command',
  '--version',
  'mcp --help',
  'mcp --port',
  'mcp --port=1',
  'mcp --port -1',
  'mcp --nonsense',
  'mcp word',
  'mcp --',
  'mcp --cwd /tmp',
  'help mcp',
  'load pdf',
  'search pdf --json',
])('"%s" is left to the parser', (line) => {
  expect(read(line)).toBeUndefined();
});
