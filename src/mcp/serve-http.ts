import { setTimeout as sleep } from 'node:timers/promises';

import { createMcpHandler, readRequestBody } from '@modelcontextprotocol/server';

import { parseJson } from '../model/json.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { ConnectionLimits } from '../platform/http/connections.ts';
import {
  isLoopback,
  isPreflight,
  LOOPBACK_HOSTS,
  openGuard,
  openOrigins,
  type GuardOptions,
} from '../platform/http/guard.ts';
import { inBrackets, listenHttp } from '../platform/http/listen.ts';
import { makeToken } from '../platform/http/token.ts';
import { clientNameOf } from './client-name.ts';
import { openExchanges, type ExchangeKind } from './http-exchanges.ts';
import type { SkillServer } from './skill-server.ts';

export const DEFAULT_PORT = 7411;
export const DEFAULT_HOST = '127.0.0.1';

/** Limits of the server. */
export interface HttpLimits {
  /** Per request; 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Clients of the newer protocol that listen for changes; 64. */
  readonly maxListeners?: number | undefined;
}

export interface HttpOptions extends HttpLimits, ConnectionLimits {
  /** 7411; 0 for any free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1. An address that other machines can reach requires a token. */
  readonly host?: string | undefined;
  /** Clients must send it as `Authorization: Bearer …`. If tools may do more than read, one is made by default. */
  readonly token?: string | undefined;
  /** More host names that clients may use for the server. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Web pages that may send requests and read answers, as origins or hosts; none by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface HttpService {
  /** `http://127.0.0.1:7411/mcp` */
  readonly url: string;
  /** The token that clients must send; undefined if they need none. */
  readonly token: string | undefined;
  /** Who can use the server, as a sentence. */
  readonly reach: string;
  /** Accepts no more requests, finishes running ones, and ends. */
  close(): Promise<void>;
}

/** Serves any number of clients over Streamable HTTP at `/mcp`. */
export async function serveHttp(
  skillServer: SkillServer,
  options: HttpOptions = {},
): Promise<Outcome<{ readonly service: HttpService }>> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, onError = () => undefined } = options;
  if (!isLoopback(host) && options.token === undefined)
    return fail('CONFIG_INVALID', `serving at ${host} requires a token, because other machines can reach it`, {
      either: [{ give: 'token' }, { give: 'host', as: DEFAULT_HOST }],
    });
  // Every user of this machine can connect; without a token, they could act as the user who started the server.
  const token = options.token ?? (skillServer.allows.length > 0 ? makeToken() : undefined);
  const handler = openHttpHandler(skillServer, {
    ...options,
    hosts: [...LOOPBACK_HOSTS, inBrackets(host), ...(options.allowedHosts ?? [])],
    origins: options.allowedOrigins ?? [],
    token,
    onError,
  });
  const listening = await listenHttp((request) => handler.fetch(request), { ...options, port, host, refuse, onError });
  if (!listening.ok) {
    await handler.close();
    return listening;
  }
  const { listener } = listening;
  const service: HttpService = {
    url: `http://${inBrackets(host)}:${listener.port}/mcp`,
    token,
    reach: describeReach(host, token !== undefined),
    close: () => listener.close(() => handler.close()),
  };
  return { ok: true, service };
}

/** Who can use a server at this address, as a sentence for the person who starts it. */
function describeReach(host: string, hasToken: boolean): string {
  if (!isLoopback(host))
    return `Every machine that can connect to ${host} reaches it; only clients that send the token are answered. The connection is not encrypted.`;
  return hasToken
    ? 'Only programs on this machine reach it, and only those that send the token are answered.'
    : 'Every program of every user on this machine can use it; other machines cannot.';
}

export interface HandlerOptions extends GuardOptions, HttpLimits {
  readonly onError: (error: unknown) => void;
}

/** The server as a function from `Request` to `Response`, for any HTTP server. */
export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  /** Waits until all requests are answered, then ends all streams. */
  close(): Promise<void>;
}

const PATH = '/mcp';
/** How long `close` waits for clients to read the last answers. */
const FLUSH_MS = 1_000;
const MIB: number = 1024 * 1024;

/** Answers each request by itself, in either version of the protocol. */
export function openHttpHandler(skillServer: SkillServer, options: HandlerOptions): HttpHandler {
  const { onError, maxBodyBytes = MIB, maxListeners = 64 } = options;
  const guard = openGuard(options, refuse);
  const isAllowed = openOrigins(options.origins);
  const exchanges = openExchanges();
  const clients = new WeakMap<Request, string | undefined>();
  const mcp = createMcpHandler(
    ({ era, requestInfo }) =>
      skillServer.connect({
        // A client of the older protocol has no stream here on which it could hear of changes.
        announces: era === 'modern',
        client: requestInfo && clients.get(requestInfo),
      }),
    { maxSubscriptions: maxListeners, onerror: onError },
  );
  const changes = skillServer.onChange(() => {
    mcp.notify.toolsChanged();
    mcp.notify.promptsChanged();
    mcp.notify.resourcesChanged();
  });

  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== PATH) return refuse(404, `Not found; the MCP server is at ${PATH}`);
    if (isPreflight(request)) return new Response(null, { status: 204 });
    const body = await readJson(request, maxBodyBytes);
    if (body instanceof Response) return body;
    clients.set(request, clientNameOf(body.parsedBody));
    return exchanges.track(kindOf(request, body.parsedBody), request.signal, async () => {
      // The client hung up while it waited for its turn.
      if (request.signal.aborted) return refuse(503, 'The client has gone');
      return mcp.fetch(request, body);
    });
  };
  return {
    async fetch(request) {
      const refused = guard(request);
      if (refused !== undefined) return refused;
      const response = await answer(request);
      return isAllowed(request.headers.get('origin') ?? '') ? allowPage(request, response) : response;
    },
    async close() {
      changes[Symbol.dispose]();
      await skillServer.idle();
      await Promise.race([exchanges.settled(), sleep(FLUSH_MS, undefined, { ref: false })]);
      await mcp.close();
    },
  };
}

/** A request that only listens for changes is a stream. */
function kindOf({ method }: Request, body: unknown): ExchangeKind {
  if (method !== 'POST') return 'stream';
  const asked = typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
  if (asked === 'subscriptions/listen') return 'stream';
  return asked === 'resources/read' ? 'reading' : 'call';
}

/** Reads the body, which says how to answer; empty if there is none. */
async function readJson(request: Request, maxBytes: number): Promise<Response | { readonly parsedBody?: unknown }> {
  if (request.method !== 'POST') return {};
  const body = await readRequestBody(request, maxBytes);
  if (body.tooLarge) return refuse(413, `The body is larger than ${maxBytes} bytes`);
  const parsedBody = parseJson(body.text);
  if (parsedBody !== undefined) return { parsedBody };
  return refuse(400, 'Parse error: the body is not JSON', {}, PARSE_ERROR);
}

/** JSON-RPC's code, and the one that the SDK uses for refusals that are not faults of a JSON-RPC request. */
const PARSE_ERROR = -32_700;
const REFUSED = -32_000;

/** A refusal as JSON-RPC; it reveals nothing about this machine. */
function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: number = REFUSED,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

/** Lets the web page that asks read the answer. */
function allowPage(request: Request, response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', request.headers.get('origin') ?? '');
  headers.set('access-control-expose-headers', 'www-authenticate');
  headers.append('vary', 'origin');
  if (isPreflight(request)) {
    headers.set('access-control-allow-methods', 'GET, POST, DELETE');
    headers.set('access-control-allow-headers', request.headers.get('access-control-request-headers') ?? '');
  }
  return new Response(response.body, { status: response.status, headers });
}
