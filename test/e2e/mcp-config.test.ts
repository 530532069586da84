import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
import { makeTree } from '../support/tree.ts';

const STDIO = { command: 'skillplane', args: ['mcp'] };
const URL = 'http://127.0.0.1:7411/mcp';

/** A home with `skillplane` on the PATH. */
function makeHome(tree = {}): { home: string; env: { PATH: string } } {
  const home = makeTree({ 'bin/skillplane': '#!/bin/sh\n', ...tree });
  chmodSync(join(home, 'bin/skillplane'), 0o755);
  return { home, env: { PATH: join(home, 'bin') } };
}

test.each<[client: string, files: readonly [user: string, project: string], expected: object]>([
  ['claude-code', ['.claude.json', '.mcp.json'], { mcpServers: { skillplane: { type: 'stdio', ...STDIO } } }],
  ['cursor', ['.cursor/mcp.json', '.cursor/mcp.json'], { mcpServers: { skillplane: STDIO } }],
  [
    'vscode',
    ['.config/Code/User/mcp.json', '.vscode/mcp.json'],
    { servers: { skillplane: { type: 'stdio', ...STDIO } } },
  ],
  ['gemini', ['.gemini/settings.json', '.gemini/settings.json'], { mcpServers: { skillplane: STDIO } }],
  [
    'copilot',
    ['.copilot/mcp-config.json', '.mcp.json'],
    { mcpServers: { skillplane: { type: 'local', ...STDIO, tools: ['*'] } } },
  ],
  [
    'opencode',
    ['.config/opencode/opencode.json', 'opencode.json'],
    { mcp: { skillplane: { type: 'local', command: ['skillplane', 'mcp'], enabled: true } } },
  ],
])(
  'mcp --print-config --write configures %s in its user file or its project file: %j',
  async (client, [userFile, projectFile], expected) => {
    const { home, env } = makeHome({ 'project/': '' });
    const printed = await skillplane(['mcp', '--print-config', client], { home, env });
    expect(JSON.parse(printed.stdout)).toEqual(expected);
    expect(printed.stderr).toContain(userFile);
    const written = await skillplane(['mcp', '--print-config', client, '--write'], { home, env });
    expect(written).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(home, userFile), 'utf8'))).toEqual(expected);
    const cwd = join(home, 'project');
    expect((await skillplane(['mcp', '--print-config', client, '--write', '--project'], { home, cwd, env })).code).toBe(
      0,
    );
    expect(JSON.parse(readFileSync(join(cwd, projectFile), 'utf8'))).toEqual(expected);
  },
);

test.each([
  ['claude-desktop', '.config/Claude/claude_desktop_config.json'],
  ['windsurf', '.codeium/windsurf/mcp_config.json'],
])('mcp --print-config --write configures %s in its user file, and refuses --project', async (client, file) => {
  const { home, env } = makeHome();
  expect((await skillplane(['mcp', '--print-config', client, '--write'], { home, env })).code).toBe(0);
  expect(JSON.parse(readFileSync(join(home, file), 'utf8'))).toEqual({ mcpServers: { skillplane: STDIO } });
  const refused = await skillplane(['mcp', '--print-config', client, '--project'], { home, env });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has no settings for a project') });
});

test('mcp --print-config --write configures codex in TOML', async () => {
  const { home, env } = makeHome({ '.codex/config.toml': '# mine\nmodel = "x"\n' });
  const toml = '[mcp_servers.skillplane]\ncommand = "skillplane"\nargs = [ "mcp" ]\n';
  expect((await skillplane(['mcp', '--print-config', 'codex'], { home, env })).stdout).toBe(toml);
  const written = await skillplane(['mcp', '--print-config', 'codex', '--write', '--json'], { home, env });
  const file = join(home, '.codex/config.toml');
  expect(JSON.parse(written.stdout)).toEqual({ ok: true, path: file, isChanged: true, backup: `${file}.bak` });
  expect(readFileSync(file, 'utf8')).toBe(`# mine\nmodel = "x"\n\n${toml}`);
  expect(readFileSync(`${file}.bak`, 'utf8')).toBe('# mine\nmodel = "x"\n');
  const again = await skillplane(['mcp', '--print-config', 'codex', '--write', '--json'], { home, env });
  expect(JSON.parse(again.stdout)).toMatchObject({ isChanged: false, backup: null });
});

test.each([
  ['claude-code', { type: 'http', url: URL }],
  ['cursor', { url: URL }],
  ['vscode', { type: 'http', url: URL }],
  ['gemini', { httpUrl: URL }],
  ['opencode', { type: 'remote', url: URL, enabled: true }],
])('mcp --print-config --http gives %s the address of the server', async (client, entry) => {
  const { home, env } = makeHome();
  const { stdout } = await skillplane(['mcp', '--http', '--print-config', client, '--json'], { home, env });
  const { snippet } = JSON.parse(stdout) as { snippet: string };
  const [section] = Object.values(JSON.parse(snippet) as Record<string, unknown>);
  expect(section).toEqual({ skillplane: entry });
});

test('mcp --print-config --http mentions the token that a server needs, and never prints it', async () => {
  const { home, env } = makeHome({ token: 'correct-horse-battery-staple' });
  const print = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await skillplane(['mcp', '--http', '--print-config', 'cursor', ...args], { home, env });
    return `${stdout}${stderr}`;
  };
  expect(await print()).not.toContain('Bearer');
  for (const args of [['--allow-write'], ['--token-file', 'token'], ['--host', '0.0.0.0']]) {
    expect(await print(...args)).toContain('Authorization: Bearer <token>');
    expect(await print(...args)).not.toContain('correct-horse');
  }
});

test('mcp --print-config passes on what the server may do, and names this program by its path if it is not on the PATH', async () => {
  const { home } = makeHome();
  const env = { PATH: '/usr/bin:/bin' };
  const { stdout } = await skillplane(['mcp', '--print-config', 'cursor', '--allow-scripts', '--allow-write'], {
    home,
    env,
  });
  const { mcpServers } = JSON.parse(stdout) as { mcpServers: { skillplane: { command: string; args: string[] } } };
  const { command, args } = mcpServers.skillplane;
  expect(existsSync(command) && existsSync(args[0] ?? '')).toBe(true);
  expect(args.slice(1)).toEqual(['mcp', '--allow-scripts', '--allow-write']);
});

test('mcp --print-config --write refuses a broken file, and leaves it unchanged', async () => {
  const { home, env } = makeHome({ '.cursor/mcp.json': '{"mcpServers": {,}}', '.codex/config.toml': 'a = [\n' });
  for (const [client, file, text] of [
    ['cursor', '.cursor/mcp.json', '{"mcpServers": {,}}'],
    ['codex', '.codex/config.toml', 'a = [\n'],
  ] as const) {
    const refused = await skillplane(['mcp', '--print-config', client, '--write', '--json'], { home, env });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
    expect(readFileSync(join(home, file), 'utf8')).toBe(text);
    expect(existsSync(join(home, `${file}.bak`))).toBe(false);
  }
});

test('mcp --print-config refuses an unknown client as wrong usage', async () => {
  const { home, env } = makeHome();
  const wrong = await skillplane(['mcp', '--print-config', 'emacs'], { home, env });
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain(
    'claude-code, claude-desktop, codex, copilot, cursor, gemini, opencode, vscode, windsurf',
  );
});
