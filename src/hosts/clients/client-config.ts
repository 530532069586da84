import { join } from 'node:path';

import { editForeignFile, type ForeignEdit } from '../../config/edit-foreign-file.ts';
import { AGENTS, type ClientName, type McpClient } from '../../model/agents.ts';
import type { NextStep } from '../../model/next-step.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { systemName, type Environment } from '../../platform/environment.ts';
import { projectDirectories } from '../../platform/project.ts';
import { agentFolder } from '../../sources/agent-folders.ts';
import { takeJsonEntry } from '../editing/json-entries.ts';
import { findJsonObject, setJsonObject } from '../editing/json-object.ts';
import { findTomlTable, removeTomlTable, renderTomlTable, setTomlTable } from '../editing/toml-tables.ts';
import { itemsAt } from '../history/json-value.ts';

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

/** The configuration that connects a client to this server. */
export interface ClientConfig {
  /** The client's configuration file. */
  readonly file: string;
  /** The text to paste into the file. */
  readonly snippet: string;
  /** Writes the entry into the file and keeps the rest of it. */
  write(): Promise<Outcome<ForeignEdit>>;
}

export interface ConfigRequest {
  readonly connection: Connection;
  readonly place: ClientPlace;
  /** True for the project's file instead of the user's. */
  readonly isProject: boolean;
}

/** Under this name clients know our server. */
export const SERVER_NAME = 'skillplane';

export function configureClient(
  client: ClientName,
  { connection, place, isProject }: ConfigRequest,
): Outcome<ClientConfig> {
  const { format, section, projectFile } = mcpClient(client);
  if (isProject && projectFile === undefined)
    return fail('CONFIG_INVALID', `${client} has no settings for a project`, FOR_USER);
  const file = isProject ? join(place.cwd, projectFile ?? '') : clientFile(client, place);
  const options = { project: isProject ? projectDirectories(place.cwd).at(-1) : undefined };
  const entry = serverEntry(client);
  const value = serverValue(client, connection);
  return {
    ok: true,
    file,
    snippet:
      format === 'toml'
        ? renderTomlTable({ section, name: SERVER_NAME, entry: value })
        : `${JSON.stringify({ [section]: { [SERVER_NAME]: value } }, undefined, 2)}\n`,
    write: () => editForeignFile(file, async (text) => entry.put(text, connection), options),
  };
}

/** The settings of its user count in every project. */
const FOR_USER: NextStep = { leaveOut: 'project' };

function mcpClient(client: ClientName): McpClient {
  const { mcp } = AGENTS[client];
  if (mcp === undefined) throw new Error(`${client} has no MCP client`);
  return mcp;
}

/** The file of the user in which a client lists its servers. */
function clientFile(client: ClientName, place: ClientPlace): string {
  const { home, env } = place;
  const { movable } = AGENTS[client];
  const [start = '', ...path] = mcpClient(client).userFile.split('/');
  const dirs: Readonly<Record<string, () => string>> = {
    '~': () => home,
    '{folder}': () => agentFolder(client, { home, variables: env }),
    '{variable}': () => env[movable?.variable ?? ''] || home,
    '{applications}': () => applicationFolder(place),
  };
  return join(dirs[start]?.() ?? home, ...path);
}

type Entry = Readonly<Record<string, unknown>>;

/** Our server in the settings of a client. */
export interface ServerEntry {
  /** The settings of the client's user. */
  file(place: Pick<Environment, 'cwd' | 'home' | 'variables'>): string;
  /** The settings of the projects around the working directory, existing or not. */
  projectFiles(cwd: string): readonly string[];
  find(text: string): Entry | undefined;
  /** Adds the entry. A person's additions to the `present` entry, such as more permissions, stay. */
  put(text: string, connection: Connection, present?: Entry): Outcome<{ readonly text: string }>;
  take(text: string): Outcome<{ readonly text: string }>;
}

export function serverEntry(client: ClientName): ServerEntry {
  const { section, format, projectFile } = mcpClient(client);
  const place = { section, name: SERVER_NAME };
  const find = (text: string): Entry | undefined =>
    format === 'toml' ? findTomlTable(text, place) : findJsonObject(text, place);
  return {
    file: ({ cwd, home, variables: env }) => clientFile(client, { cwd, home, env, platform: systemName() }),
    projectFiles: (cwd) =>
      projectFile === undefined ? [] : projectDirectories(cwd).map((dir) => join(dir, projectFile)),
    find,
    put(text, connection, present) {
      const wanted = serverValue(client, connection);
      const kept = present === undefined ? wanted : keepGiven(present, wanted);
      const edit = { ...place, entry: kept, ownKeys: ENTRY_KEYS };
      return format === 'toml' ? setTomlTable(text, edit) : setJsonObject(text, edit);
    },
    take(text) {
      if (format === 'toml') return removeTomlTable(text, place);
      const value = find(text);
      return value === undefined
        ? { ok: true, text }
        : takeJsonEntry(text, { kind: 'key', at: [section, SERVER_NAME], value });
    },
  };
}

/** An entry that starts our server as its person wants it keeps their options; one that names a URL stays as it is. */
function keepGiven(present: Entry, wanted: Entry): Entry {
  const list = Array.isArray(wanted['args']) ? 'args' : 'command';
  const [given, ours] = [itemsAt(present, list), itemsAt(wanted, list)];
  const own = given.slice(given.indexOf('mcp') + 1);
  if (!given.includes('mcp')) return (present['url'] ?? present['httpUrl']) ? present : wanted;
  const options = own.filter((word, at) => word !== '--host' && own[at - 1] !== '--host');
  const start = ours.slice(0, ours.indexOf('mcp') + 1);
  const rest = ours.slice(ours.indexOf('mcp') + 1);
  return { ...wanted, [list]: [...start, ...options, ...rest.filter((word) => !options.includes(word))] };
}

/** The server as an entry of a client's file. */
function serverValue(client: ClientName, connection: Connection): Entry {
  const { type, url = 'url', isOneList = false, also } = mcpClient(client).entry ?? {};
  return { ...(type === undefined ? {} : { type: type[connection.kind] }), ...address(), ...also };

  function address(): Entry {
    if (connection.kind === 'http') return { [url]: connection.url };
    const { command, args } = connection;
    return isOneList ? { command: [command, ...args] } : { command, args };
  }
}

/** Every key that we may write. A new entry removes those of the old connection. */
const ENTRY_KEYS: readonly string[] = ['type', 'command', 'args', 'url', 'httpUrl', 'serverUrl', 'enabled', 'tools'];

/** Where programs with a window keep their settings. */
function applicationFolder({ home, platform, env }: ClientPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}
