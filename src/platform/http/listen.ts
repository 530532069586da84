import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';

import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import { fail, type Outcome } from '../../model/outcome.ts';
import { openConnections, type ConnectionLimits, type WholeAnswer } from './connections.ts';
import type { Refuse } from './guard.ts';

export interface ListenOptions extends ConnectionLimits {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** For a client to send the head of a request; 5 seconds. */
  readonly headersTimeoutMs?: number | undefined;
  /** For a client to send a whole request; 15 seconds. */
  readonly requestTimeoutMs?: number | undefined;
  readonly refuse: Refuse;
  readonly onError: (error: unknown) => void;
}

export interface HttpListener {
  readonly port: number;
  /** Accepts no more connections, runs `finish`, lets its last answers go out, and ends. */
  close(finish: () => Promise<void>): Promise<void>;
}

const SWEEP_MS = 250;
/** How long `close` waits for written answers to reach their clients. */
const FLUSH_MS = 1_000;

/** Facts about the client of a request. */
export interface HttpClient {
  /** Undefined if the connection has ended already. */
  readonly address: string | undefined;
}

/** Serves HTTP on an address. An answer is a response, or a whole one, which takes less time. No client can hold up others by sending or reading slowly, or by sending too much. */
export async function listenHttp(
  answer: (request: Request, client: HttpClient) => Promise<Response | WholeAnswer>,
  options: ListenOptions,
): Promise<Outcome<{ readonly listener: HttpListener }>> {
  const { port, host, refuse, onError, headersTimeoutMs = 5_000, requestTimeoutMs = 15_000 } = options;
  const connections = openConnections(options);
  const errorHandler = (error: unknown): Response => {
    if (error instanceof RequestError) return refuse(400, 'Bad request');
    onError(error);
    return refuse(500, 'Internal error');
  };
  const respond = getRequestListener(
    async (request, { incoming: { socket }, outgoing }) => {
      const answered = await answer(request, { address: socket.remoteAddress });
      if (answered instanceof Response) return connections.carry(answered, socket);
      if (!(outgoing instanceof ServerResponse)) throw new Error('only HTTP/1 is served');
      connections.send(answered, outgoing, socket);
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false, errorHandler },
  );
  const timeouts = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: SWEEP_MS,
  };
  const server = createServer(timeouts, (incoming, outgoing) => {
    connections.begin({ incoming, outgoing });
    void respond(incoming, outgoing).catch(onError);
  });
  server.on('connection', (socket) => connections.accept(socket));
  try {
    server.listen(port, host.replaceAll(/[[\]]/g, ''));
    await once(server, 'listening');
  } catch (error) {
    return fail('CONFIG_INVALID', `cannot listen at ${host}:${port}: ${error instanceof Error ? error.message : ''}`);
  }
  server.on('error', onError);
  const sweeping = setInterval(() => connections.sweep(), SWEEP_MS).unref();
  const address = server.address();
  const listener: HttpListener = {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close(finish) {
      const closed = once(server, 'close');
      server.close();
      await finish();
      setTimeout(() => server.closeAllConnections(), FLUSH_MS).unref();
      server.closeIdleConnections();
      await closed;
      clearInterval(sweeping);
    },
  };
  return { ok: true, listener };
}

/** A host as part of a URL: an IPv6 address stands in brackets. */
export function inBrackets(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
