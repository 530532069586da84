import { fail, type Outcome } from '../model/outcome.ts';
import type { ConnectionLimits } from '../platform/http/connections.ts';
import { isLoopback, LOOPBACK_HOSTS } from '../platform/http/guard.ts';
import { inBrackets, listenHttp } from '../platform/http/listen.ts';
import { makeToken } from '../platform/http/token.ts';
import { openHttpHandler, type HttpLimits } from './http-handler.ts';
import { refuse } from './refusal.ts';
import type { SkillServer } from './skill-server.ts';

export const DEFAULT_PORT = 7411;
export const DEFAULT_HOST = '127.0.0.1';

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
    return fail(
      'CONFIG_INVALID',
      `serving at ${host} requires a token, because other machines can reach it`,
      `Set \`token\`, or serve at ${DEFAULT_HOST}.`,
    );
  // Every user of this machine can connect: without a token, they could act as the one who started the server.
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
