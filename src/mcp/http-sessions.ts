import { randomUUID } from 'node:crypto';

import { WebStandardStreamableHTTPServerTransport, type McpServer } from '@modelcontextprotocol/server';

import { watchResponse } from './http-exchanges.ts';
import { refuse } from './refusal.ts';
import { openSessionTable, type SessionLimits } from './session-table.ts';

/** Clients of the older protocol. Each has a connection that spans many requests. */
export interface HttpSessions {
  /** `parsedBody` is undefined if the request has no body. */
  handle(request: Request, parsedBody: unknown): Promise<Response>;
  /** The servers of all sessions, to announce changes to. */
  servers(): readonly McpServer[];
  close(): Promise<void>;
}

export interface SessionOptions extends SessionLimits {
  readonly connect: () => Promise<McpServer>;
  readonly maxBodyBytes: number;
  readonly onError: (error: unknown) => void;
}

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

export function openSessions({ connect, maxBodyBytes, onError, ...limits }: SessionOptions): HttpSessions {
  const table = openSessionTable<Session>({
    ...limits,
    now: () => performance.now(),
    onEnd: ({ server }) => void server.close().catch(onError),
  });
  const timer = setInterval(() => table.sweep(), Math.max(1_000, limits.idleMs / 4)).unref();

  const begin = async (request: Request, parsedBody: unknown): Promise<Response> => {
    if (!table.makeRoom()) return refuse(503, 'Too many sessions; try again later', { 'retry-after': '10' });
    const server = await connect();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => table.add(id, { server, transport }),
      onsessionclosed: (id) => table.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody });
    // The request was no handshake, so no session began.
    if (transport.sessionId === undefined) await server.close();
    return response;
  };
  const proceed = async (id: string, request: Request, parsedBody: unknown): Promise<Response> => {
    const session = table.get(id);
    if (session === undefined) return refuse(404, 'Session not found');
    const finish = table.open(id);
    try {
      return watchResponse(await session.transport.handleRequest(request, { parsedBody }), finish);
    } catch (error) {
      finish();
      throw error;
    }
  };

  return {
    handle(request, parsedBody) {
      const id = request.headers.get('mcp-session-id');
      return id === null ? begin(request, parsedBody) : proceed(id, request, parsedBody);
    },
    servers: () => table.values().map(({ server }) => server),
    async close() {
      clearInterval(timer);
      await Promise.allSettled(table.values().map(({ server }) => server.close()));
    },
  };
}
