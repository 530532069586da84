import { createHash, timingSafeEqual } from 'node:crypto';

/** Who may use an HTTP server, whatever they ask for. */
export interface GuardOptions {
  /** Names that clients may use for the server, without ports; an IPv6 address stands in brackets. */
  readonly hosts: readonly string[];
  /** Web pages of other servers that may ask: hosts, or whole origins such as `https://app.example.com`. */
  readonly origins: readonly string[];
  /** The token that clients must send. Undefined: everyone who can reach the server may ask. */
  readonly token: string | undefined;
}

/** Returns the refusal of a request, or undefined if the request may be answered. */
export type Guard = (request: Request) => Response | undefined;

/** Builds a refusal in the words of the server's own protocol. */
export type Refuse = (status: number, message: string, headers?: Readonly<Record<string, string>>) => Response;

/**
 * Refuses requests that a web page makes without its user's knowledge: those with a foreign `Origin`, and those that
 * reach us under a name that is not ours (DNS rebinding). Also refuses requests without the token.
 */
export function openGuard({ hosts, origins, token }: GuardOptions, refuse: Refuse): Guard {
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  const isAllowed = openOrigins(origins);
  return (request) => {
    const own = parseWebUrl(`http://${request.headers.get('host') ?? ''}`);
    if (own === undefined || !names.has(own.hostname)) return refuse(403, 'Invalid Host header');
    const origin = request.headers.get('origin');
    if (origin !== null && parseWebUrl(origin)?.host !== own.host && !isAllowed(origin))
      return refuse(403, 'Invalid Origin header');
    if (token === undefined || isPreflight(request)) return undefined;
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (given !== undefined && isSameSecret(given, token)) return undefined;
    return refuse(401, 'A bearer token is required', { 'www-authenticate': 'Bearer realm="skillplane"' });
  };
}

/** Tells whether an origin is one of these, or has one of these hosts. */
export function openOrigins(allowed: readonly string[]): (origin: string) => boolean {
  const pages = new Set(allowed.map((origin) => origin.toLowerCase()));
  return (origin) => {
    const page = parseWebUrl(origin);
    return pages.has(origin.toLowerCase()) || (page !== undefined && pages.has(page.hostname));
  };
}

/** Is this a browser's CORS preflight? Browsers send it without credentials. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method');
}

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Can only this machine reach the address? */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** Undefined unless the text is an http or https URL; `null` is not one. */
function parseWebUrl(text: string): URL | undefined {
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/** Compares in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digestOf(given), digestOf(expected));
}
