import { once } from 'node:events';
import { createServer } from 'node:http';

import { getRequestListener, RequestError } from '@hono/node-server';

import { fail, type Outcome } from '../../model/outcome.ts';
import { limitConnections, type ConnectionLimits } from './connections.ts';
import type { Refuse } from './guard.ts';

export interface ListenOptions extends ConnectionLimits {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** For a client to send the head of a request; 5 seconds. */
  readonly headersTimeoutMs?: number | undefined;
  /** For a client to send a whole request; 15 seconds. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long `close` waits for clients to read their last answers; 1 second. */
  readonly flushMs?: number | undefined;
  readonly refuse: Refuse;
  readonly onError: (error: unknown) => void;
}

export interface HttpListener {
  readonly port: number;
  /** Accepts no more connections, runs `finish`, lets its last answers go out, and ends. */
  close(finish: () => Promise<void>): Promise<void>;
}

const SWEEP_MS = 250;

/** Facts about the client of a request. */
export interface HttpClient {
  /** Undefined if the connection has ended already. */
  readonly address: string | undefined;
}

/** Serves HTTP on an address. No client can hold up others by sending or reading slowly, or by sending too much. */
export async function listenHttp(
  answer: (request: Request, client: HttpClient) => Promise<Response>,
  options: ListenOptions,
): Promise<Outcome<{ readonly listener: HttpListener }>> {
  const { port, host, refuse, onError } = options;
  const { headersTimeoutMs = 5_000, requestTimeoutMs = 15_000, flushMs = 1_000 } = options;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: SWEEP_MS,
  });
  const { relieve, end } = limitConnections(server, options);
  const respond = getRequestListener(
    (request, { incoming: { socket } }) => answer(request, { address: socket.remoteAddress }),
    {
      overrideGlobalObjects: false,
      errorHandler(error) {
        if (error instanceof RequestError) return refuse(400, 'Bad request');
        onError(error);
        return refuse(500, 'Internal error');
      },
    },
  );
  server.on('request', (incoming, outgoing) => void respond(incoming, outgoing).then(relieve, onError));
  try {
    server.listen(port, host.replaceAll(/[[\]]/g, ''));
    await once(server, 'listening');
  } catch (error) {
    return fail('CONFIG_INVALID', `cannot listen at ${host}:${port}: ${error instanceof Error ? error.message : ''}`);
  }
  server.on('error', onError);
  const sweeping = setInterval(relieve, SWEEP_MS).unref();
  const address = server.address();
  const listener: HttpListener = {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close(finish) {
      const closed = once(server, 'close');
      server.close();
      await finish();
      const cutting = setTimeout(() => server.closeAllConnections(), flushMs).unref();
      end();
      await closed;
      clearTimeout(cutting);
      clearInterval(sweeping);
    },
  };
  return { ok: true, listener };
}

/** A host as part of a URL: an IPv6 address stands in brackets. */
export function inBrackets(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
