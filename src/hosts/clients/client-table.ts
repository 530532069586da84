import { join } from 'node:path';

import { agentFolder } from '../../sources/agent-folders.ts';

/** How a client reaches the server: by starting it, or at a URL. */
export type Connection =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string };

/** Where to look for a client's files. */
export interface ClientPlace {
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Entry = Readonly<Record<string, unknown>>;

/** A client's configuration. To support another client, add a row to the table. */
export interface ClientRow {
  readonly format: 'json' | 'toml';
  /** The key that holds the servers. */
  readonly section: string;
  readonly userFile: (place: ClientPlace) => string;
  /** Absent if the client has settings of its user alone. */
  readonly projectFile?: (place: ClientPlace) => string;
  readonly entry: (connection: Connection) => Entry;
}

export const CLIENT_NAMES = [
  'claude-code',
  'claude-desktop',
  'codex',
  'copilot',
  'cursor',
  'gemini',
  'opencode',
  'vscode',
  'windsurf',
] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];

export const CLIENT_TABLE: Readonly<Record<ClientName, ClientRow>> = {
  'claude-code': {
    format: 'json',
    section: 'mcpServers',
    userFile: ({ home, env }) => join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    projectFile: ({ cwd }) => join(cwd, '.mcp.json'),
    entry: withType,
  },
  'claude-desktop': {
    format: 'json',
    section: 'mcpServers',
    userFile: (place) => join(applicationFolder(place, 'Claude'), 'claude_desktop_config.json'),
    entry: plain,
  },
  codex: {
    format: 'toml',
    section: 'mcp_servers',
    userFile: ({ home, env }) => join(agentFolder('codex', { home, variables: env }), 'config.toml'),
    projectFile: ({ cwd }) => join(cwd, '.codex', 'config.toml'),
    entry: plain,
  },
  copilot: {
    format: 'json',
    section: 'mcpServers',
    userFile: ({ home, env }) => join(agentFolder('copilot', { home, variables: env }), 'mcp-config.json'),
    projectFile: ({ cwd }) => join(cwd, '.mcp.json'),
    entry: (connection) => ({
      type: connection.kind === 'http' ? 'http' : 'local',
      ...plain(connection),
      tools: ['*'],
    }),
  },
  cursor: {
    format: 'json',
    section: 'mcpServers',
    userFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: ({ cwd }) => join(cwd, '.cursor', 'mcp.json'),
    entry: plain,
  },
  gemini: {
    format: 'json',
    section: 'mcpServers',
    userFile: ({ home, env }) => join(agentFolder('gemini', { home, variables: env }), 'settings.json'),
    projectFile: ({ cwd }) => join(cwd, '.gemini', 'settings.json'),
    entry: (connection) => (connection.kind === 'http' ? { httpUrl: connection.url } : plain(connection)),
  },
  opencode: {
    format: 'json',
    section: 'mcp',
    userFile: ({ home, env }) => join(agentFolder('opencode', { home, variables: env }), 'opencode.json'),
    projectFile: ({ cwd }) => join(cwd, 'opencode.json'),
    entry: (connection) =>
      connection.kind === 'http'
        ? { type: 'remote', url: connection.url, enabled: true }
        : { type: 'local', command: [connection.command, ...connection.args], enabled: true },
  },
  vscode: {
    format: 'json',
    section: 'servers',
    userFile: (place) => join(applicationFolder(place, 'Code'), 'User', 'mcp.json'),
    projectFile: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
    entry: withType,
  },
  windsurf: {
    format: 'json',
    section: 'mcpServers',
    userFile: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    entry: (connection) => (connection.kind === 'http' ? { serverUrl: connection.url } : plain(connection)),
  },
};

/** Every key that we may write. A new entry removes those of the old connection. */
export const ENTRY_KEYS: readonly string[] = [
  'type',
  'command',
  'args',
  'url',
  'httpUrl',
  'serverUrl',
  'enabled',
  'tools',
];

function plain(connection: Connection): Entry {
  if (connection.kind === 'http') return { url: connection.url };
  return { command: connection.command, args: connection.args };
}

function withType(connection: Connection): Entry {
  return { type: connection.kind, ...plain(connection) };
}

function configFolder({ home, env }: ClientPlace): string {
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}

/** Where an application with a window keeps its settings. */
function applicationFolder(place: ClientPlace, name: string): string {
  const { home, platform, env } = place;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), name);
  return join(configFolder(place), name);
}
