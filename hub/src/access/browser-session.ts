import { createHash, timingSafeEqual } from 'node:crypto';

import { parse, serialize } from 'hono/utils/cookie';

import { refuse, type Refusal } from '../refusal.ts';

/** A change by a browser that signed in carries the change token in this header, which no other page can send. */
export const CHANGE_HEADER = 'x-skillplane-token';

const NAME = 'skillplane-hub';
const MAX_AGE_SECONDS: number = 30 * 24 * 60 * 60;

/** The token that a browser signed in with; undefined if it did not. */
export function readSession(request: Request): string | undefined {
  const cookies = parse(request.headers.get('cookie') ?? '');
  return cookies[SECURE_NAME] ?? cookies[plainName(request)];
}

/** The `Set-Cookie` that signs a browser in. Scripts and other sites never get it; over HTTPS it stays there. */
export function startSession(request: Request, secret: string, publicUrl: string | undefined): string {
  return cookieOf(request, publicUrl, { value: secret, maxAge: MAX_AGE_SECONDS });
}

export function endSession(request: Request, publicUrl: string | undefined): string {
  return cookieOf(request, publicUrl, { value: '', maxAge: 0 });
}

function cookieOf(
  request: Request,
  publicUrl: string | undefined,
  { value, maxAge }: { readonly value: string; readonly maxAge: number },
): string {
  const secure = publicUrl?.startsWith('https:') === true;
  const name = secure ? SECURE_NAME : plainName(request);
  return serialize(name, value, { maxAge, httpOnly: true, sameSite: 'Strict', path: '/', secure });
}

const SECURE_NAME = `__Host-${NAME}`;

/** Cookies do not tell ports apart, and a machine may have several hubs. */
function plainName({ url }: Request): string {
  const { port } = new URL(url);
  return port === '' ? NAME : `${NAME}-${port}`;
}

/** Follows from the session alone, so that every replica knows it. */
export function changeTokenOf(session: string): string {
  return createHash('sha256').update(`change ${session}`).digest('base64url');
}

/** Browsers send this only if a page says so; everything else they add by themselves, whatever page asks. */
export function readBearer({ headers }: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}

/** Refuses a request that another page makes a browser send; undefined if there is nothing against it. */
export function checkOrigin(request: Request, publicUrl: string | undefined): Refusal | undefined {
  if (readBearer(request) !== undefined) return undefined;
  const { headers, method } = request;
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site') ?? 'none';
  const isVisit = method === 'GET' && headers.get('sec-fetch-mode') === 'navigate';
  const isForeignSite = site !== 'same-origin' && site !== 'none' && !isVisit;
  if (isForeignSite || (origin !== null && !isOwnOrigin(request, origin, publicUrl)))
    return refuse('FORBIDDEN', 'the request comes from another page');
  return undefined;
}

/** Refuses a change that a browser's cookie stands for, but that does not come from our page. */
export function checkChange(request: Request): Refusal | undefined {
  const session = readBearer(request) === undefined ? readSession(request) : undefined;
  if (session === undefined || request.method === 'GET' || request.method === 'HEAD') return undefined;
  const given = request.headers.get(CHANGE_HEADER) ?? '';
  if (isEqual(given, changeTokenOf(session))) return undefined;
  return refuse('FORBIDDEN', `a change by a browser needs the header ${CHANGE_HEADER}`);
}

/** A proxy may speak HTTPS to the browser and HTTP to us, hence only hosts are compared. */
function isOwnOrigin(request: Request, origin: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === new URL(request.url).host || (publicUrl !== undefined && host === new URL(publicUrl).host);
}

/** Compares in constant time. */
function isEqual(given: string, expected: string): boolean {
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digestOf(given), digestOf(expected));
}
