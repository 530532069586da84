import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { Environment } from '../environment.ts';
import { openAddressGuard } from './address-guard.ts';
import { explainAnswer, explainError } from './explain-request.ts';
import { findProxy } from './find-proxy.ts';
import { sendRequest, type RawAnswer } from './send-request.ts';
import { openWebConnections } from './web-connections.ts';

/** The answer of a server, with the address that gave it after all redirects; `missing` means that the server has nothing there. */
export type WebAnswer =
  | { readonly state: 'found'; readonly bytes: Buffer; readonly etag: string | undefined; readonly url: string }
  | { readonly state: 'unchanged'; readonly url: string }
  | { readonly state: 'missing' };

export interface WebRequest {
  readonly url: string;
  readonly maxBytes: number;
  /** Ask only for what has changed since the answer with this ETag. */
  readonly etag?: string | undefined;
}

/** Reads addresses for one address that a person typed. */
export interface WebReader {
  get(request: WebRequest): Promise<Outcome<{ readonly answer: WebAnswer }>>;
  close(): void;
}

export interface WebReaderOptions {
  readonly environment: Environment;
  /** The address that the person typed. Only its host may be inside this machine's network. */
  readonly typed: string;
  /** The `Authorization` header, which only the origin of `typed` is sent. */
  readonly authorization?: { readonly reveal: () => string } | undefined;
  /** For one answer; 120 s by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 120_000;
const MAX_REDIRECTS = 5;

/**
 * Opens connections for reading, which are kept for the next request. A redirect stays with the protocol, is followed five
 * times at most, and leads to no private address unless the typed host has one of the same class. Certificates are
 * checked; `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE` name more that count. `HTTPS_PROXY` and `NO_PROXY` are honoured.
 */
export function openWebReader(options: WebReaderOptions): WebReader {
  const { typed, environment, timeoutMs = TIMEOUT_MS, signal } = options;
  const proxy = findProxy(environment);
  const guard = openAddressGuard(new URL(typed).hostname);
  const connections = openWebConnections(environment, { lookup: guard.lookup, proxy });
  const send = async ({ url, maxBytes, etag }: WebRequest): Promise<Outcome<{ readonly answer: RawAnswer }>> => {
    const target = new URL(url);
    const through = proxy?.serves(target) === true ? proxy : undefined;
    if (through?.fault !== undefined) return through.fault;
    const authorization = target.origin === new URL(typed).origin ? options.authorization?.reveal() : undefined;
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'skillplane',
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(authorization === undefined ? {} : { authorization }),
    };
    const time = AbortSignal.timeout(timeoutMs);
    const ending = signal === undefined ? time : AbortSignal.any([time, signal]);
    try {
      await guard.check(target.hostname, { isProxied: through !== undefined });
      const answer = await sendRequest(target, {
        ...connections.optionsFor(target),
        headers,
        signal: ending,
        maxBytes,
      });
      return { ok: true, answer };
    } catch (error) {
      const [isCancelled, isLate] = [signal?.aborted === true, time.aborted];
      return explainError(error, {
        failed: `${url} could not be fetched`,
        timeoutMs,
        isCancelled,
        isLate,
        proxy: through?.display,
      });
    }
  };
  return {
    async get(request) {
      let { url } = request;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const fault = findFault(url, typed);
        if (fault !== undefined) return fault;
        const sent = await send({ ...request, url });
        if (!sent.ok) return sent;
        const { status, bytes, etag, location } = sent.answer;
        if (status === 200) return { ok: true, answer: { state: 'found', bytes, etag, url } };
        if (status === 304 && request.etag !== undefined) return { ok: true, answer: { state: 'unchanged', url } };
        if (status === 404 || status === 410) return { ok: true, answer: { state: 'missing' } };
        if (location === undefined || !URL.canParse(location, url)) return explainAnswer(url, status);
        url = new URL(location, url).href;
      }
      return fail('INSTALL_FAILED', `${request.url} redirects more than ${MAX_REDIRECTS} times`);
    },
    close: () => connections.close(),
  };
}

function findFault(url: string, typed: string): Failure | undefined {
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '')
    return fail('INSTALL_FAILED', `${typed} leads to an address with a name or password`);
  const wanted = new URL(typed).protocol;
  return protocol === wanted
    ? undefined
    : fail(
        'INSTALL_FAILED',
        `${typed} leads to ${url}, which has another protocol`,
        'Use that address if you trust it.',
      );
}
