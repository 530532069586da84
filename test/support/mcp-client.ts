import { resolve } from 'node:path';

import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ClientOptions,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { startInside } from './command-line.ts';
import { serverEnvironment } from './mcp-process.ts';

/** The SDK's own client, in one era of the protocol. */
export type Era = 'modern' | 'legacy';

export interface ClientWish {
  readonly era: Era;
  readonly options?: ClientOptions;
  /** How the client calls itself; `test` by default. */
  readonly name?: string;
}

const BIN = resolve('bin', 'skillplane.mjs');

export function makeClient({ era, options = {}, name = 'test' }: ClientWish): Client {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  return new Client({ name, version: '1.0.0' }, { ...options, versionNegotiation: { mode } });
}

export type StdioWish = ClientWish & {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** A client of a `skillplane mcp` inside this process, which ends when the client closes. */
export async function connectStdio(home: string, { args = [], env = {}, ...wish }: StdioWish): Promise<Client> {
  const server = startInside(['mcp', ...args], { home, env });
  // It knows two streams, and not which end of them it is.
  const transport = new StdioServerTransport(server.stdout, server.stdin);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    server.stdin.end();
    await server.ended;
    await close();
  };
  const client = makeClient(wish);
  await client.connect(transport);
  return client;
}

/** A client that starts `skillplane mcp` itself, for tests about the process. */
export async function connectStdioProcess(
  home: string,
  wish: StdioWish,
): Promise<{ readonly client: Client; readonly transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...(wish.args ?? [])],
    cwd: home,
    env: { ...serverEnvironment(home), ...wish.env },
    stderr: 'pipe',
  });
  const client = makeClient(wish);
  await client.connect(transport);
  return { client, transport };
}

export async function connectHttp(
  url: string,
  wish: ClientWish & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Client> {
  const client = makeClient(wish);
  const requestInit = wish.headers === undefined ? {} : { headers: { ...wish.headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** The data of an answer, which the server gives to programs and not to models. */
export function dataOf({ _meta }: Pick<CallToolResult, '_meta'>): unknown {
  return _meta?.['skillplane/data'];
}
