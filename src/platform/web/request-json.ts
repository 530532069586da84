import { parseJson } from '../../model/json.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Environment } from '../environment.ts';
import { openWebClient } from './web-client.ts';

export interface JsonRequest {
  readonly url: string;
  /** Its variables name a proxy and certificates. */
  readonly environment: Pick<Environment, 'variables'>;
  readonly method: 'GET' | 'POST';
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
  readonly body?: Uint8Array | undefined;
  /** The media type of the body. */
  readonly contentType?: string | undefined;
  /** One minute by default. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES: number = 4 * 1024 * 1024;

/**
 * Sends a request to a server that a person configured, such as a team's hub, and parses the JSON answer. Follows no
 * redirects, which could leak the token.
 */
export async function requestJson({
  url,
  environment,
  method,
  token,
  body,
  contentType,
  timeoutMs = TIMEOUT_MS,
}: JsonRequest): Promise<Outcome<{ readonly status: number; readonly answer: unknown }>> {
  const target = new URL(url);
  const client = openWebClient({ environment, typed: url, timeoutMs });
  const headers = {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  };
  const failed = `${target.origin} cannot be asked`;
  const sent = await client.send({ url: target, method, headers, body, maxBytes: MAX_ANSWER_BYTES, failed });
  client.close();
  if (!sent.ok) return fail(sent.code === 'CONFIG_INVALID' ? sent.code : 'STORE_FAILED', sent.message, sent.next);
  const { status, bytes, location } = sent.answer;
  if (location !== undefined)
    return fail('STORE_FAILED', `${failed}: it redirects to another address`, {
      ask: 'user',
      to: 'Use that address if you trust it.',
    });
  return bytes === undefined
    ? fail('PARSE_FAILED', `${target.origin} answered with more than ${MAX_ANSWER_BYTES} bytes`)
    : { ok: true, status, answer: parseJson(bytes.toString()) };
}
