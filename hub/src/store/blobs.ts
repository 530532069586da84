import { createHash } from 'node:crypto';

import type { Queries, SqlValue } from '../database/database.ts';

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
  // In one order, so that two that keep the same contents never wait for each other.
  const blobs = new Map(contents.map((bytes) => [showDigest(digestOf(bytes)), bytes]));
  const sorted = [...blobs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes);
  await insertRows(
    queries,
    'INSERT INTO blobs (digest, size, content)',
    sorted.map((bytes) => [digestOf(bytes), bytes.length, bytes]),
  );
}

/** Rows of one statement; the protocol takes 65,535 values. */
const ROWS_TOGETHER = 200;

/** Inserts rows that are not there yet, many with each statement. */
export async function insertRows(
  queries: Queries,
  statement: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_TOGETHER) {
    const some = rows.slice(at, at + ROWS_TOGETHER);
    let next = 0;
    const places = some.map((row) => `(${row.map(() => `$${(next += 1)}`).join(', ')})`);
    await queries.query(`${statement} VALUES ${places.join(', ')} ON CONFLICT DO NOTHING`, some.flat());
  }
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
