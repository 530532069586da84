import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { readAddresses, type IdentitySettings } from './access/identify.ts';

/** A line of the command line, understood. */
export interface Settings extends IdentitySettings {
  readonly command: CommandName;
  readonly operands: readonly string[];
  readonly databaseUrl: string | undefined;
  /** The folder of the embedded database. */
  readonly dataDir: string;
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string | undefined;
  /** More names that clients may use for the hub. */
  readonly allowedHosts: readonly string[];
  readonly scope: string | undefined;
  /** A hub that runs, for commands that can ask one. */
  readonly url: string | undefined;
  readonly token: string | undefined;
}

export const COMMANDS = ['serve', 'backup', 'restore', 'import', 'help', 'version'] as const;
export type CommandName = (typeof COMMANDS)[number];

const DEFAULT_PORT = 8470;

export type ReadSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly message: string };

/** Options of the line win over variables. */
export function readSettings(args: readonly string[], env: Readonly<Record<string, string | undefined>>): ReadSettings {
  const parsed = parseLine(args);
  if (typeof parsed === 'string') return { ok: false, message: parsed };
  const { values, positionals } = parsed;
  const [word = 'serve', ...operands] = positionals;
  const command =
    values.help === true ? 'help' : values.version === true ? 'version' : COMMANDS.find((name) => name === word);
  if (command === undefined)
    return { ok: false, message: `there is no command ${word}; there are ${COMMANDS.join(', ')}` };
  const port = Number(values.port ?? env['HUB_PORT'] ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    return { ok: false, message: 'a port is a number up to 65535' };
  const proxy = readProxy(
    values['proxy-header'] ?? env['HUB_PROXY_HEADER'],
    values['proxy-addresses'] ?? env['HUB_PROXY_ADDRESSES'],
  );
  if (typeof proxy === 'string') return { ok: false, message: proxy };
  const publicUrl = (values['public-url'] ?? env['HUB_PUBLIC_URL'])?.replace(/\/+$/, '');
  const url = values.url?.replace(/\/+$/, '');
  if (![publicUrl, url].every((given) => given === undefined || isPlainUrl(given)))
    return { ok: false, message: 'the URL of a hub begins with https:// or http://, and has no name or password' };
  const allowedHosts = values['allow-host'] ?? (env['HUB_ALLOWED_HOSTS'] ?? '').split(/[\s,]+/).filter(Boolean);
  if (allowedHosts.some((name) => !isHostName(name)))
    return { ok: false, message: 'an allowed host is a name such as hub.example, without protocol and port' };
  const databaseUrl = env['DATABASE_URL'] === '' ? undefined : env['DATABASE_URL'];
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:\/\//.test(databaseUrl))
    return { ok: false, message: 'DATABASE_URL is an address such as postgres://user:password@host/database' };
  return {
    ok: true,
    settings: {
      command,
      operands,
      databaseUrl,
      dataDir: values.data ?? env['HUB_DATA'] ?? join(env['HOME'] ?? homedir(), '.skillplane-hub'),
      port,
      host: values.host ?? env['HUB_HOST'] ?? '127.0.0.1',
      publicUrl,
      allowedHosts,
      anonymousRead: values['anonymous-read'] ?? env['HUB_ANONYMOUS_READ'] === 'true',
      proxy,
      scope: values.scope?.replace(/^@/, ''),
      url,
      token: env['HUB_TOKEN'],
    },
  };
}

function parseLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        data: { type: 'string' },
        'public-url': { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        'anonymous-read': { type: 'boolean' },
        'proxy-header': { type: 'string' },
        'proxy-addresses': { type: 'string' },
        scope: { type: 'string' },
        url: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'V' },
      },
    });
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function isPlainUrl(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

function isHostName(text: string): boolean {
  return /^[\w.-]+$|^\[?[\da-f:]+\]?$/i.test(text);
}

/** A header counts only with the addresses of the proxy that sets it: everyone else could send it, too. */
function readProxy(header: string | undefined, addresses: string | undefined): IdentitySettings['proxy'] | string {
  if (header === undefined && addresses === undefined) return undefined;
  if (header === undefined || addresses === undefined)
    return 'a proxy that signs people in needs both its header and its addresses';
  const list = readAddresses(addresses);
  if (list === undefined) return `"${addresses}" are not addresses such as 10.0.0.5 or 10.0.0.0/8`;
  return { header, addresses: list };
}
