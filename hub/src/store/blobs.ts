import { createHash } from 'node:crypto';

import type { Queries } from '../database/database.ts';

export function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** `sha256:` and hex digits, as digests are shown everywhere. */
export function showDigest(digest: Uint8Array): string {
  return `sha256:${Buffer.from(digest).toString('hex')}`;
}

export function readDigest(text: string): Uint8Array | undefined {
  return /^sha256:[0-9a-f]{64}$/.test(text) ? Buffer.from(text.slice('sha256:'.length), 'hex') : undefined;
}

/** Keeps contents; those that are there already cost nothing. */
export async function saveBlobs(queries: Queries, contents: readonly Uint8Array[]): Promise<void> {
  for (const bytes of contents)
    await queries.query('INSERT INTO blobs (digest, size, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      digestOf(bytes),
      bytes.length,
      bytes,
    ]);
}

/** A blob whose bytes are not those that its digest promises. Somebody changed the table, or a disk failed. */
export class DamagedBlob extends Error {}

/** The bytes of a blob, checked against its digest; undefined if there is none. */
export async function readBlob(queries: Queries, digest: Uint8Array): Promise<Uint8Array | undefined> {
  const [row] = await queries.query<{ content: Uint8Array }>('SELECT content FROM blobs WHERE digest = $1', [digest]);
  if (row === undefined) return undefined;
  if (Buffer.compare(digestOf(row.content), digest) !== 0)
    throw new DamagedBlob(`the blob ${showDigest(digest)} is damaged`);
  return row.content;
}
