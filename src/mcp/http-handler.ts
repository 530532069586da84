import { setTimeout as sleep } from 'node:timers/promises';

import { createMcpHandler, isLegacyRequest, readRequestBody } from '@modelcontextprotocol/server';

import { parseJson } from '../model/json.ts';
import { isPreflight, openGuard, openOrigins, type GuardOptions } from '../platform/http/guard.ts';
import { openExchanges, type ExchangeKind } from './http-exchanges.ts';
import { openSessions } from './http-sessions.ts';
import { refuse } from './refusal.ts';
import { announceChange } from './serve-stdio.ts';
import type { SkillServer } from './skill-server.ts';

/** Limits of the server. */
export interface HttpLimits {
  /** Per request; 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Clients of the older protocol; 64. */
  readonly maxSessions?: number | undefined;
  /** Clients of the newer protocol that listen for changes; 64. */
  readonly maxListeners?: number | undefined;
  /** A session without requests for this long is closed; 30 minutes. */
  readonly sessionIdleMs?: number | undefined;
}

export interface HandlerOptions extends GuardOptions, HttpLimits {
  readonly onError: (error: unknown) => void;
}

/** The server as a function from `Request` to `Response`, for any HTTP server. */
export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  /** Waits until all requests are answered, then ends all streams and sessions. */
  close(): Promise<void>;
}

const PATH = '/mcp';
/** How long `close` waits for clients to read the last answers. */
const FLUSH_MS = 1_000;
const MIB: number = 1024 * 1024;

export function openHttpHandler(skillServer: SkillServer, options: HandlerOptions): HttpHandler {
  const { onError, maxBodyBytes = MIB, maxSessions = 64, maxListeners = 64, sessionIdleMs = 30 * 60_000 } = options;
  const guard = openGuard(options, refuse);
  const isAllowed = openOrigins(options.origins);
  const exchanges = openExchanges();
  const connect = (): ReturnType<SkillServer['connect']> => skillServer.connect();
  const modern = createMcpHandler(connect, {
    legacy: 'reject',
    maxSubscriptions: maxListeners,
    maxRequestBodySize: maxBodyBytes,
    onerror: onError,
  });
  const sessions = openSessions({
    connect,
    maxBodyBytes,
    maxSessions,
    idleMs: sessionIdleMs,
    onError,
  });
  const changes = skillServer.onChange(() => {
    modern.notify.toolsChanged();
    modern.notify.promptsChanged();
    modern.notify.resourcesChanged();
    for (const server of sessions.servers()) announceChange(server);
  });

  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== PATH) return refuse(404, `Not found; the MCP server is at ${PATH}`);
    if (isPreflight(request)) return new Response(null, { status: 204 });
    const body = await readJson(request, maxBodyBytes);
    if (body instanceof Response) return body;
    return exchanges.track(kindOf(request, body.value), async () => {
      // The client hung up while it waited for its turn.
      if (request.signal.aborted) return refuse(503, 'The client has gone');
      const isLegacy = await isLegacyRequest(request, body.value);
      if (isLegacy) return sessions.handle(request, body.value);
      return modern.fetch(request, body.value === undefined ? {} : { parsedBody: body.value });
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
      // A cancelled call gets no answer, so its stream would stay open for ever.
      await Promise.race([exchanges.settled(), sleep(FLUSH_MS, undefined, { ref: false })]);
      await Promise.all([modern.close(), sessions.close()]);
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

const UNREADABLE = 'Parse error: the body is not JSON';

/** Reads the body once for all handlers; undefined if there is none. */
async function readJson(request: Request, maxBytes: number): Promise<Response | { readonly value: unknown }> {
  if (request.method !== 'POST') return { value: undefined };
  const body = await readRequestBody(request, maxBytes);
  if (body.tooLarge) return refuse(413, `The body is larger than ${maxBytes} bytes`);
  const value = parseJson(body.text);
  if (value !== undefined) return { value };
  const error = { code: PARSE_ERROR, message: UNREADABLE };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 });
}

const PARSE_ERROR = -32_700;

/** Lets the web page that asks read the answer. */
function allowPage(request: Request, response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', request.headers.get('origin') ?? '');
  headers.set('access-control-expose-headers', 'mcp-session-id, www-authenticate');
  headers.append('vary', 'origin');
  if (isPreflight(request)) {
    headers.set('access-control-allow-methods', 'GET, POST, DELETE');
    headers.set('access-control-allow-headers', request.headers.get('access-control-request-headers') ?? '');
  }
  return new Response(response.body, { status: response.status, headers });
}
