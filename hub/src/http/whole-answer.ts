import { MAX_WHOLE_BYTES, type WholeAnswer } from 'skillplane/http';

/** Bytes as an answer: at once if they are few, else as a stream. */
export function bytesAnswer(
  body: string | Uint8Array | null,
  { status = 200, headers }: { readonly status?: number; readonly headers: Readonly<Record<string, string>> },
): WholeAnswer | Response {
  // A character takes at most three bytes.
  if (body === null || body.length * (typeof body === 'string' ? 3 : 1) <= MAX_WHOLE_BYTES)
    return { status, headers, body };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length <= MAX_WHOLE_BYTES) return { status, headers, body: bytes };
  const length = { 'content-length': String(bytes.length) };
  return new Response(new Uint8Array(bytes), { status, headers: { ...headers, ...length } });
}

/** JSON that no cache keeps. */
export function jsonAnswer(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): WholeAnswer | Response {
  return bytesAnswer(text, { status, headers: { ...PRIVATE, ...headers } });
}

const PRIVATE = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
