import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

import type { Dispatcher } from 'undici';

import type { Outcome } from '../../model/outcome.ts';
import type { Environment } from '../environment.ts';
import { readOwnText } from '../files/files.ts';
import { openAddressGuard, type AddressGuard } from './address-guard.ts';
import { explainError, ProxyRefusal } from './explain-request.ts';
import { findProxy, type Proxy } from './find-proxy.ts';

export interface WebClientOptions {
  /** Its variables name a proxy and certificates. */
  readonly environment: Pick<Environment, 'variables'>;
  /** The address that the person typed. Only its host may be inside this machine's network. */
  readonly typed: string;
  /** False if no person typed it: then its host must not be there, either. */
  readonly isTyped?: boolean | undefined;
  /** For one answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface RawRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly maxBytes: number;
  /** The beginning of every message: "https://a.example/x could not be fetched". */
  readonly failed: string;
}

/** An answer as it came, redirects included. */
export interface RawAnswer {
  readonly status: number;
  /** Undefined if there are more than `maxBytes`. */
  readonly bytes: Buffer | undefined;
  readonly etag: string | undefined;
  /** Where a redirect leads. */
  readonly location: string | undefined;
}

/** Sends requests on behalf of one typed address, over connections that are kept for the next request. */
export interface WebClient {
  /** Follows no redirect. */
  send(request: RawRequest): Promise<Outcome<{ readonly answer: RawAnswer }>>;
  /** Ends all connections and requests. */
  close(): void;
}

/**
 * Certificates are checked; `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE` name more that count. `HTTPS_PROXY` and `NO_PROXY`
 * are honoured.
 */
export function openWebClient({ environment, typed, isTyped = true, timeoutMs, signal }: WebClientOptions): WebClient {
  const proxy = findProxy(environment);
  const guard = openAddressGuard(isTyped ? new URL(typed).hostname : undefined);
  let opened: Promise<Connections> | undefined;
  return {
    async send({ url, method, headers, body, maxBytes, failed }) {
      const through = proxy?.serves(url) === true ? proxy : undefined;
      if (through?.fault !== undefined) return through.fault;
      const time = AbortSignal.timeout(timeoutMs);
      try {
        await guard.check(url.hostname, { isProxied: through !== undefined });
        opened ??= openConnections(environment, guard, proxy);
        const { direct, proxied } = await opened;
        const ending = signal === undefined ? time : AbortSignal.any([time, signal]);
        const asking = (through === undefined ? direct : proxied).request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'skillplane' },
          body: body ?? null,
          signal: ending,
        });
        const answer = await Promise.race([asking, rejectOn(ending)]);
        const { statusCode: status, headers: given } = answer;
        const location = status >= 300 && status < 400 ? firstOf(given['location']) : undefined;
        const bytes = await readBody(answer, maxBytes);
        return { ok: true, answer: { status, bytes, etag: firstOf(given['etag']), location } };
      } catch (error) {
        const [isCancelled, isLate] = [signal?.aborted === true, time.aborted];
        return explainError(error, { failed, timeoutMs, isCancelled, isLate, proxy: through?.display });
      }
    },
    close() {
      void opened?.then(({ direct, proxied }) => Promise.all([direct.destroy(), proxied.destroy()]));
    },
  };
}

interface Connections {
  readonly direct: Dispatcher;
  /** Equal to `direct` without a usable proxy. */
  readonly proxied: Dispatcher;
}

/** More would not be faster, and some servers mind. */
const MAX_CONNECTIONS = 8;
const CONNECT_MS = 15_000;
/** A server may be silent for so long before its answer, and within it. */
const SILENT_MS = 60_000;

async function openConnections(
  environment: Pick<Environment, 'variables'>,
  { lookup }: AddressGuard,
  proxy: Proxy | undefined,
): Promise<Connections> {
  // Lazy: it takes longer to load than most commands take.
  const { Agent, Pool, ProxyAgent } = await import('undici');
  const trust = { ...trusting(environment), timeout: CONNECT_MS };
  const common = { connections: MAX_CONNECTIONS, headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS };
  const direct = new Agent({ ...common, connect: { ...trust, lookup } });
  if (proxy === undefined || proxy.fault !== undefined) return { direct, proxied: direct };
  /** Says with which status a proxy refuses a tunnel. */
  class TunnelPool extends Pool {
    override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      const answer = await super.connect(options);
      if (answer.statusCode === 200) return answer;
      answer.socket.on('error', () => undefined).destroy();
      throw new ProxyRefusal(answer.statusCode);
    }
  }
  const proxied = new ProxyAgent({
    ...common,
    uri: proxy.url,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    requestTls: trust,
    proxyTls: trust,
    clientFactory: (origin, options) => new TunnelPool(origin, { ...options, headersTimeout: CONNECT_MS }),
  });
  return { direct, proxied };
}

/** Adds the authorities of the user's own files to those of this Node. */
function trusting({ variables }: Pick<Environment, 'variables'>): { readonly secureContext?: SecureContext } {
  const files = [variables['NODE_EXTRA_CA_CERTS'], variables['SSL_CERT_FILE']];
  const own = files.flatMap((file) => {
    const read = file === undefined || file === '' ? undefined : readOwnText(file);
    return read?.ok === true && read.text !== undefined ? [read.text] : [];
  });
  // Made once: with a list, each connection would read all certificates again.
  return own.length === 0
    ? {}
    : { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ...own] }) };
}

/** A request that still waits for its connection does not hear of its signal. */
function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the request was cancelled')), { once: true });
  });
}

/** Undefined if there are more bytes; the connection is closed then. */
async function readBody({ headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = Number(headers['content-length'] ?? 0) > maxBytes ? Infinity : 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  // The connection takes the next request only then.
  await nextTurn();
  return Buffer.concat(parts);
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
