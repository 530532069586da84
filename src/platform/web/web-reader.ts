import { hasUnclearCredentials, hideCredentials } from '../../model/address.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { explainAnswer } from './explain-request.ts';
import { openWebClient, type WebClient, type WebClientOptions } from './web-client.ts';

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

export interface WebReaderOptions extends Omit<WebClientOptions, 'timeoutMs'> {
  /** The `Authorization` header, which only the origin of `typed` is sent. */
  readonly authorization?: { readonly reveal: () => string } | undefined;
  /** For one answer; 120 s by default. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 120_000;
const MAX_REDIRECTS = 5;

/**
 * Opens connections for reading. A redirect stays with the protocol, is followed five times at most, and leads to no private
 * address unless the typed host has one of the same class.
 */
export function openWebReader({ authorization, timeoutMs = TIMEOUT_MS, ...options }: WebReaderOptions): WebReader {
  const { typed } = options;
  const client = openWebClient({ ...options, timeoutMs });
  const send = ({ url: given, maxBytes, etag }: WebRequest): ReturnType<WebClient['send']> => {
    const url = new URL(given);
    const secret = url.origin === new URL(typed).origin ? authorization?.reveal() : undefined;
    const headers = {
      accept: '*/*',
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(secret === undefined ? {} : { authorization: secret }),
    };
    return client.send({
      url,
      method: 'GET',
      headers,
      maxBytes,
      failed: `${hideCredentials(given)} could not be fetched`,
    });
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
        if (status === 200)
          return bytes === undefined
            ? fail('INSTALL_FAILED', `${couldNot(url)}: it is larger than ${request.maxBytes} bytes`)
            : { ok: true, answer: { state: 'found', bytes, etag, url } };
        if (status === 304 && request.etag !== undefined) return { ok: true, answer: { state: 'unchanged', url } };
        if (status === 404 || status === 410) return { ok: true, answer: { state: 'missing' } };
        if (location === undefined || !URL.canParse(location, url)) return explainAnswer(couldNot(url), status);
        url = new URL(location, url).href;
      }
      return fail('INSTALL_FAILED', `${hideCredentials(request.url)} redirects more than ${MAX_REDIRECTS} times`);
    },
    close: () => client.close(),
  };
}

function couldNot(url: string): string {
  return `${hideCredentials(url)} could not be fetched`;
}

function findFault(url: string, typed: string): Failure | undefined {
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '' || hasUnclearCredentials(url))
    return fail('INSTALL_FAILED', `${hideCredentials(typed)} leads to an address with a name or password`);
  return protocol === new URL(typed).protocol
    ? undefined
    : fail('INSTALL_FAILED', `${typed} leads to ${hideCredentials(url)}, which has another protocol`, {
        ask: 'user',
        to: 'Use that address if you trust it.',
      });
}

/** Readers that several callers share, so that they share connections. */
export interface WebReaders extends Disposable {
  /** The reader for this typed address. Closing it does nothing; all of them are closed together. */
  open(options: WebReaderOptions): WebReader;
}

export function openWebReaders(): WebReaders {
  const readers = new Map<string, WebReader>();
  return {
    open(options) {
      const key = JSON.stringify([options.typed, options.isTyped, options.authorization?.reveal()]);
      const reader = readers.get(key) ?? openWebReader(options);
      readers.set(key, reader);
      return { ...reader, close: () => undefined };
    },
    [Symbol.dispose]() {
      for (const reader of readers.values()) reader.close();
    },
  };
}
