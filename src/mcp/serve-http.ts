import { once } from 'node:events';
import { createServer } from 'node:http';

import { getRequestListener, RequestError } from '@hono/node-server';

import { fail, type Outcome } from '../model/outcome.ts';
import { isLoopback, LOOPBACK_HOSTS } from '../platform/http/guard.ts';
import { openHttpHandler, type HttpLimits } from './http-handler.ts';
import { refuse } from './refusal.ts';
import type { SkillServer } from './skill-server.ts';

export const DEFAULT_PORT = 7411;
export const DEFAULT_HOST = '127.0.0.1';

export interface HttpOptions extends HttpLimits {
  /** 7411; 0 for any free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1. An address that other machines can reach requires a token. */
  readonly host?: string | undefined;
  /** Clients must send it as `Authorization: Bearer …`. */
  readonly token?: string | undefined;
  /** More host names that clients may use for the server. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** More web pages that may send requests, as origins or hosts. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface HttpService {
  /** `http://127.0.0.1:7411/mcp` */
  readonly url: string;
  /** Accepts no more requests, finishes running ones, and ends. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 256;
/** For a client to send a whole request. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long `close` waits for written answers to reach their clients. */
const FLUSH_MS = 1_000;

/** Serves any number of clients over Streamable HTTP at `/mcp`. */
export async function serveHttp(
  skillServer: SkillServer,
  options: HttpOptions = {},
): Promise<Outcome<{ readonly service: HttpService }>> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, token, onError = () => undefined } = options;
  if (!isLoopback(host) && token === undefined)
    return fail(
      'CONFIG_INVALID',
      `serving at ${host} requires a token, because other machines can reach it`,
      `Set \`token\`, or serve at ${DEFAULT_HOST}.`,
    );
  const handler = openHttpHandler(skillServer, {
    ...options,
    hosts: [...LOOPBACK_HOSTS, inBrackets(host), ...(options.allowedHosts ?? [])],
    origins: [...LOOPBACK_HOSTS, ...(options.allowedOrigins ?? [])],
    token,
    onError,
  });
  const errorHandler = (error: unknown): Response => {
    if (error instanceof RequestError) return refuse(400, 'Bad request');
    onError(error);
    return refuse(500, 'Internal error');
  };
  const listener = getRequestListener((request) => handler.fetch(request), {
    overrideGlobalObjects: false,
    errorHandler,
  });
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (incoming, outgoing) => {
    void listener(incoming, outgoing).catch(onError);
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    server.listen(port, host.replaceAll(/[[\]]/g, ''));
    await once(server, 'listening');
  } catch (error) {
    await handler.close();
    return fail('CONFIG_INVALID', `cannot listen at ${host}:${port}: ${error instanceof Error ? error.message : ''}`);
  }
  server.on('error', onError);
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  const service: HttpService = {
    url: `http://${inBrackets(host)}:${taken}/mcp`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      await handler.close();
      setTimeout(() => server.closeAllConnections(), FLUSH_MS).unref();
      server.closeIdleConnections();
      await closed;
    },
  };
  return { ok: true, service };
}

function inBrackets(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
