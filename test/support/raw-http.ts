import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends one request with exactly these headers; `fetch` would change `Host` and `Origin`. */
export function askRaw(url: string, { method = 'POST', headers = {}, body }: RawRequest = {}): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const asked = request(url, {
    method,
    agent: false,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
  asked.on('response', (response) => {
    text(response).then(
      (answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer }),
      reject,
    );
  });
  asked.on('error', reject);
  asked.end(body);
  return promise;
}
