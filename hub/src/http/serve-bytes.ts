import type { Hub } from '../hub.ts';
import { readBlob, readDigest } from '../store/blobs.ts';

/** The bytes with this digest, from memory or the database; undefined if there are none. */
export async function readThrough({ served, database }: Hub, digest: string): Promise<Uint8Array | undefined> {
  const known = served.get(digest);
  if (known !== undefined) return known;
  const key = readDigest(digest);
  const bytes = key && (await readBlob(database, key));
  if (bytes !== undefined) served.set(digest, bytes);
  return bytes;
}

export interface ServedFile {
  readonly type: string;
  readonly fileName: string;
  readonly digest: string;
}

/** Content that never changes. It is always a download: a skill is text by strangers, and no page of ours. */
export function fileAnswer(request: Request, bytes: Uint8Array, { type, fileName, digest }: ServedFile): Response {
  const etag = `"${digest}"`;
  const headers = {
    'content-type': type,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=31536000, immutable',
    etag,
  };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}

/** JSON that no cache keeps. */
export function jsonAnswer(text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { status, headers: { ...PRIVATE, ...headers } });
}

const PRIVATE = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
