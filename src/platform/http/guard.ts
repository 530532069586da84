import { createHash, timingSafeEqual } from 'node:crypto';

import { refuse } from './refusal.ts';

/** Who may speak to the server, whatever they ask. */
export interface GuardOptions {
  /** Names that a client may have called the server by, without ports; an IPv6 address in brackets. */
  readonly hosts: readonly string[];
  /** Web pages that may ask: hosts, or whole origins such as `https://app.example.com`. */
  readonly origins: readonly string[];
  /** Without it everybody may ask who reaches the server. */
  readonly token: string | undefined;
}

/** What a request is refused with; undefined for one that may be answered. */
export type Guard = (request: Request) => Response | undefined;

/**
 * Refuses requests that a web page made behind its user's back (a foreign `Origin`, or a name of the page's own that
 * leads here), and those without the token.
 */
export function openGuard({ hosts, origins, token }: GuardOptions): Guard {
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  const pages = new Set(origins.map((origin) => origin.toLowerCase()));
  const isRight = token === undefined ? undefined : openComparison(token);
  return (request) => {
    if (!names.has(hostnameOf(`http://${request.headers.get('host') ?? ''}`)))
      return refuse(403, 'Invalid Host header');
    const origin = request.headers.get('origin');
    if (origin !== null && !isAllowedOrigin(origin.toLowerCase(), pages)) return refuse(403, 'Invalid Origin header');
    if (isRight === undefined || isPreflight(request)) return undefined;
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (given !== undefined && isRight(given)) return undefined;
    return refuse(401, 'A bearer token is required', { 'www-authenticate': 'Bearer realm="skillplane"' });
  };
}

/** Browsers ask without credentials whether they may ask. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method');
}

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Is an address one that only this machine reaches? */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function isAllowedOrigin(origin: string, allowed: ReadonlySet<string>): boolean {
  return allowed.has(origin) || (/^https?:/.test(origin) && allowed.has(hostnameOf(origin)));
}

/** Empty for what is no URL, such as the origin `null`. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** Takes as long for a token that is nearly right as for any other. */
function openComparison(token: string): (given: string) => boolean {
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digestOf(token);
  return (given) => timingSafeEqual(digestOf(given), expected);
}
