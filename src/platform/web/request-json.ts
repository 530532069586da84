import { parseJson } from '../../model/json.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Environment } from '../environment.ts';
import { explainError } from './explain-request.ts';
import { findProxy } from './find-proxy.ts';
import { sendRequest, TooLarge } from './send-request.ts';
import { openWebConnections } from './web-connections.ts';

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
 * Asks a server that a person named, such as their team's hub, and reads its answer as JSON. Goes through the proxy of the
 * user's variables and trusts their certificates, as `openWebReader` does. Follows no redirect, since that could carry the
 * token elsewhere.
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
  const failed = `${target.origin} cannot be asked`;
  const proxy = findProxy(environment);
  const through = proxy?.serves(target) === true ? proxy : undefined;
  if (through?.fault !== undefined) return through.fault;
  const connections = openWebConnections(environment, { proxy });
  const time = AbortSignal.timeout(timeoutMs);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'skillplane',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(body === undefined ? {} : { 'content-length': body.length }),
  };
  const limits = { maxBytes: MAX_ANSWER_BYTES, maxOtherBytes: MAX_ANSWER_BYTES };
  try {
    const options = { ...connections.optionsFor(target), method, headers, body, signal: time, ...limits };
    const { status, bytes, location } = await sendRequest(target, options);
    return location === undefined
      ? { ok: true, status, answer: parseJson(bytes.toString()) }
      : fail('STORE_FAILED', `${failed}: it redirects to another address`, 'Use that address if you trust it.');
  } catch (error) {
    if (error instanceof TooLarge)
      return fail('PARSE_FAILED', `${target.origin} answered with more than ${MAX_ANSWER_BYTES} bytes`);
    const facts = { failed, timeoutMs, isCancelled: false, isLate: time.aborted, proxy: through?.display };
    const { message, hint } = explainError(error, facts);
    return fail('STORE_FAILED', message, hint);
  } finally {
    connections.close();
  }
}
