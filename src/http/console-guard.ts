import { parse as parseCookie, serialize } from 'hono/utils/cookie';

import type { NextStep } from '../model/next-step.ts';
import { isSameSecret, LOOPBACK_HOSTS, openGuard, type Guard } from '../platform/http/guard.ts';
import { makeToken } from '../platform/http/token.ts';
import { answerRefusal } from './endpoint.ts';
import { TOKEN_HEADER } from './wire.ts';

/** Decides who may use a console. */
export interface ConsoleGuard {
  /** Makes the secret of an address to open. It works once. */
  issueToken(): string;
  /** Every change must send it, so that no other page can make one. */
  readonly changeToken: string;
  /** Refuses requests under foreign names, from foreign pages, and changes without the token. */
  readonly check: Guard;
  /** Trades the secret in an address that is opened for a cookie; undefined if the address carries none. */
  admit(request: Request): Response | undefined;
  /** Does the request carry the cookie? */
  isKnown(request: Request): boolean;
}

/** `port` is that of the server; undefined before it listens. */
export function openConsoleGuard(port: () => number): ConsoleGuard {
  const [changeToken, session] = [makeToken(), makeToken()];
  const [issued, spent]: [string[], string[]] = [[], []];
  // Cookies do not tell ports apart, and several consoles may be open at once.
  const cookie = (): string => `skillplane-${port()}`;
  const checkNames = openGuard({ hosts: LOOPBACK_HOSTS, origins: [], token: undefined }, answerRefusal);
  const isKnown = ({ headers }: Request): boolean =>
    isSameSecret(parseCookie(headers.get('cookie') ?? '')[cookie()] ?? '', session);
  return {
    issueToken() {
      const token = makeToken();
      issued.push(token);
      return token;
    },
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
      return isSameSecret(given, changeToken)
        ? undefined
        : answerRefusal(403, `A change needs the header ${TOKEN_HEADER}`);
    },
    admit(request) {
      const url = new URL(request.url);
      const given = url.searchParams.get('token');
      if (given === null || request.method !== 'GET') return undefined;
      const fresh = issued.findIndex((token) => isSameSecret(given, token));
      if (fresh === -1 && !isKnown(request)) {
        const isSpent = spent.some((token) => isSameSecret(given, token));
        return answerRefusal(401, isSpent ? SPENT : 'The token in the address is wrong', { next: OPEN_AGAIN });
      }
      url.searchParams.delete('token');
      // Two slashes would lead to another server.
      const headers = new Headers({ location: `/${url.pathname.replace(/^\/+/, '')}${url.search}` });
      if (fresh !== -1) {
        spent.push(...issued.splice(fresh, 1));
        headers.set('set-cookie', serialize(cookie(), session, { httpOnly: true, sameSite: 'Strict', path: '/' }));
      }
      return new Response(null, { status: 303, headers });
    },
    isKnown,
  };
}

const SPENT = 'This link was already used, and works only once';
export const OPEN_AGAIN: NextStep = {
  ask: 'user',
  to: 'Restart `skillplane console`, and open the link that it prints.',
};
