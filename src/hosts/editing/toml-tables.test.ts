import { expect, test } from 'vitest';

import { setTomlTable } from './toml-tables.ts';

const EDIT = {
  section: 'mcp_servers',
  name: 'skillplane',
  entry: { command: 'skillplane', args: ['mcp'] },
  ownKeys: ['command', 'args', 'url'],
};
const TABLE = '[mcp_servers.skillplane]\ncommand = "skillplane"\nargs = [ "mcp" ]\n';

function edit(text: string): string {
  const edited = setTomlTable(text, EDIT);
  if (!edited.ok) throw new Error(edited.message);
  return edited.text;
}

test('a server table for a missing TOML settings file is its only content', () => {
  expect(edit('')).toBe(TABLE);
});

test('a server table is added at the end of the TOML settings, and all lines before it stay unchanged', () => {
  const text = '# mine\nmodel = "x"   # the best\n\n[mcp_servers.other]\ncommand = "y"\n';
  expect(edit(text)).toBe(`${text}\n${TABLE}`);
  expect(edit(edit(text))).toBe(edit(text));
});

test('our server table is updated in place in the TOML settings; its comments and other keys stay', () => {
  const text =
    '[mcp_servers.skillplane]\n# tried 20 first\nurl = "http://x"\nstartup_timeout_sec = 30\n\n[mcp_servers.skillplane.env]\nA = "1"\n\n[tools]\nweb = true\n';
  expect(edit(text)).toBe(
    '[mcp_servers.skillplane]\ncommand = "skillplane"\nargs = [ "mcp" ]\n# tried 20 first\nstartup_timeout_sec = 30\n\n[mcp_servers.skillplane.env]\nA = "1"\n\n[tools]\nweb = true\n',
  );
});

test('adding a table to TOML settings keeps Windows line endings', () => {
  expect(edit('a = 1\r\n')).toBe(`a = 1\r\n\r\n${TABLE.replaceAll('\n', '\r\n')}`);
});

test.each([
  ['a = ', 'line 1'],
  ['a = 1\nb = [\n', 'TOML'],
  ['mcp_servers = 1', 'mcp_servers'],
  ['mcp_servers = { other = { command = "x" } }', 'safely'],
  ['[mcp_servers.skillplane]\ncommand = "x"\nargs = [\n  "a",\n]\n', 'safely'],
  ['text = """\n[mcp_servers.skillplane]\n"""\n[mcp_servers.skillplane]\ncommand = "x"', 'safely'],
])('adding a server table to the TOML settings %j is refused with the reason', (text, reason) => {
  expect(setTomlTable(text, EDIT)).toMatchObject({
    ok: false,
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(reason),
  });
});
