import { createHash, timingSafeEqual } from 'node:crypto';

import { LOOPBACK_HOSTS, openGuard, type Guard } from '../platform/http/guard.ts';
import { makeToken } from '../platform/http/token.ts';
import { answerRefusal } from './refusal.ts';
import { TOKEN_HEADER } from './wire/contract.ts';

/** Decides who may use a console. */
export interface ConsoleGuard {
  /** The secret in the address that is opened. */
  readonly openToken: string;
  /** Every change must send it, so that no other page can make one. */
  readonly changeToken: string;
  /** Refuses requests under foreign names, from foreign pages, and changes without the token. */
  readonly check: Guard;
  /** Trades the secret in the address for a cookie; undefined if the address carries none. */
  admit(request: Request): Response | undefined;
  /** Does the request carry the cookie? */
  isKnown(request: Request): boolean;
}

/** `port` is that of the server; undefined before it listens. */
export function openConsoleGuard(port: () => number): ConsoleGuard {
  const [openToken, changeToken, session] = [makeToken(), makeToken(), makeToken()];
  // Cookies do not tell ports apart, and several consoles may be open at once.
  const cookie = (): string => `skillplane-${port()}`;
  const checkNames = (request: Request): Response | undefined => {
    const origins = LOOPBACK_HOSTS.map((host) => `http://${host}:${port()}`);
    return openGuard({ hosts: LOOPBACK_HOSTS, origins, token: undefined }, answerRefusal)(request);
  };
  return {
    openToken,
    changeToken,
    check(request) {
      const refused = checkNames(request);
      if (refused !== undefined) return refused;
      const site = request.headers.get('sec-fetch-site') ?? 'none';
      const isOwn = site === 'same-origin' || site === 'none';
      const isVisit = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';
      if (!isOwn && !isVisit) return answerRefusal(403, 'The request comes from another page');
      if (request.method === 'GET' || request.method === 'HEAD') return undefined;
      const given = request.headers.get(TOKEN_HEADER) ?? '';
      return isEqual(given, changeToken) ? undefined : answerRefusal(403, `A change needs the header ${TOKEN_HEADER}`);
    },
    admit(request) {
      const url = new URL(request.url);
      const given = url.searchParams.get('token');
      if (given === null) return undefined;
      if (!isEqual(given, openToken))
        return answerRefusal(401, 'The token in the address is wrong', { hint: OPEN_AGAIN });
      url.searchParams.delete('token');
      const headers = {
        // Two slashes would lead to another server.
        location: `/${url.pathname.replace(/^\/+/, '')}${url.search}`,
        'set-cookie': `${cookie()}=${session}; HttpOnly; SameSite=Strict; Path=/`,
      };
      return new Response(null, { status: 303, headers });
    },
    isKnown: (request) => isEqual(readCookie(request, cookie()), session),
  };
}

export const OPEN_AGAIN = 'Open the address that `skillplane console` printed.';

function readCookie({ headers }: Request, name: string): string {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1] ?? '';
}

/** Compares in constant time. */
function isEqual(given: string, expected: string): boolean {
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digestOf(given), digestOf(expected));
}
