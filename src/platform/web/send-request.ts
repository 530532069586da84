import { request as sendHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as sendHttps } from 'node:https';

/** An answer as it came, redirects included. */
export interface RawAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly etag: string | undefined;
  /** Where a redirect leads. */
  readonly location: string | undefined;
}

/** The answer is larger than the reader wants. */
export class TooLarge extends Error {
  readonly code = 'TOO_LARGE';
}

export interface SendOptions extends RequestOptions {
  readonly maxBytes: number;
  /** The most that is read of an answer with another status than 200; 64 KiB by default. */
  readonly maxOtherBytes?: number | undefined;
  readonly body?: Uint8Array | undefined;
}

/** Nothing came for so long. */
const IDLE_MS = 30_000;

/** Sends one request, GET by default; follows nothing. Rejects on any error of the connection. */
export async function sendRequest(
  url: URL,
  { maxBytes, maxOtherBytes = MAX_OTHER_BYTES, body, ...options }: SendOptions,
): Promise<RawAnswer> {
  const response = await start(url, options, body);
  const { statusCode: status = 0, headers } = response;
  const answer = { status, etag: headers.etag, location: status >= 300 && status < 400 ? headers.location : undefined };
  // The rest of another answer is of no use; reading a little of it lets the connection be used again.
  const bytes = await readBody(response, status === 200 ? maxBytes : maxOtherBytes);
  if (status === 200 && bytes === undefined) throw new TooLarge(`it is larger than ${maxBytes} bytes`);
  return { ...answer, bytes: bytes ?? Buffer.alloc(0) };
}

const MAX_OTHER_BYTES: number = 64 * 1024;

function start(url: URL, options: RequestOptions, body: Uint8Array | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? sendHttp : sendHttps)(url, options, resolve);
    request.setTimeout(IDLE_MS, () => request.destroy(Object.assign(new Error('idle'), { code: 'ETIMEDOUT' })));
    request.once('error', reject);
    // A request that still waits for its proxy does not hear of the signal.
    options.signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    request.end(body);
  });
}

/** Undefined if there are more bytes; the connection is closed then. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy();
    return undefined;
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
