import { fail, type Outcome } from '../../model/outcome.ts';

export interface JsonRequest {
  readonly url: string;
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
 * Asks a server that a person named, such as their team's hub, and reads its answer as JSON. Follows no redirect, since
 * that could carry the token elsewhere.
 */
export async function requestJson({
  url,
  method,
  token,
  body,
  contentType,
  timeoutMs = TIMEOUT_MS,
}: JsonRequest): Promise<Outcome<{ readonly status: number; readonly answer: unknown }>> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  };
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    const text = await readText(response);
    return text === undefined
      ? fail('PARSE_FAILED', `${new URL(url).origin} answered with more than ${MAX_ANSWER_BYTES} bytes`)
      : { ok: true, status: response.status, answer: parseJson(text) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return fail('STORE_FAILED', `${new URL(url).origin} cannot be asked: ${error.message}${cause}`);
  }
}

async function readText({ body }: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
