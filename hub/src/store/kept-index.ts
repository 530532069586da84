import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

import type { Database, Queries } from '../database/database.ts';

/** The pieces of a library that any replica can start from. */
export const KEPT_KINDS = ['index', 'skills', 'versions'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

export interface KeptLibrary {
  /** The last act of the log that it knows. */
  readonly upto: number;
  readonly pieces: Readonly<Record<KeptKind, Uint8Array>>;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Large enough to pack well; small enough that several threads have work, and that no row is copied again and again on its way. */
const PART_BYTES: number = 1024 * 1024;
/** Higher levels take several times as long for a tenth less. The checksum tells of damage. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };
/** One piece of memory for each part. */
const UNPACKING = { chunkSize: PART_BYTES };

/** Saves a library, unless a newer one of this format is there. */
export async function saveLibrary(database: Database, format: string, { upto, pieces }: KeptLibrary): Promise<void> {
  const packed = await Promise.all(KEPT_KINDS.map(async (kind) => [kind, await pack(pieces[kind])] as const));
  await database.transaction(async (queries) => {
    const [row] = await queries.query<{ id: number }>(
      `INSERT INTO search_index (id, format, upto) VALUES (1, $1, $2)
       ON CONFLICT (id) DO UPDATE SET format = excluded.format, upto = excluded.upto, made_at = now()
       WHERE search_index.upto <= excluded.upto OR search_index.format <> excluded.format RETURNING id`,
      [format, upto],
    );
    if (row === undefined) return;
    await queries.query('DELETE FROM search_index_parts');
    for (const [kind, parts] of packed)
      for (const [part, content] of parts.entries())
        await queries.query('INSERT INTO search_index_parts (kind, part, content) VALUES ($1, $2, $3)', [
          kind,
          part,
          content,
        ]);
  });
}

async function pack(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
  const parts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, nth) =>
    bytes.subarray(nth * PART_BYTES, (nth + 1) * PART_BYTES),
  );
  return Promise.all(parts.map((part) => compress(part, PACKING)));
}

/** The act that the kept library of this format knows last; undefined if there is none. */
export async function findKeptPosition(queries: Queries, format: string): Promise<number | undefined> {
  const [row] = await queries.query<{ upto: number }>('SELECT upto FROM search_index WHERE format = $1', [format]);
  return row?.upto;
}

/** The kept library; undefined if there is none of this format, or it is damaged, which is reported. */
export async function readLibrary(
  queries: Queries,
  format: string,
  onError: (error: unknown) => void,
): Promise<KeptLibrary | undefined> {
  // On connections of their own. A library that is saved in between shows by its position.
  const [index, skills, versions] = await Promise.all(
    KEPT_KINDS.map(async (kind) =>
      readPiece(queries, format, kind).catch((error: unknown) => {
        if (!isDamage(error)) throw error;
        onError(new Error('the kept search index is damaged, and is made anew', { cause: error }));
        return undefined;
      }),
    ),
  );
  if (index === undefined || skills === undefined || versions === undefined) return undefined;
  if (index.upto !== skills.upto || index.upto !== versions.upto) return undefined;
  return {
    upto: index.upto,
    pieces: { index: index.bytes, skills: skills.bytes, versions: versions.bytes },
  };
}

async function readPiece(
  queries: Queries,
  format: string,
  kind: KeptKind,
): Promise<{ readonly upto: number; readonly bytes: Uint8Array } | undefined> {
  const rows = await queries.query<{ upto: number; content: Uint8Array }>(
    `SELECT upto, content FROM search_index, search_index_parts WHERE format = $1 AND kind = $2 ORDER BY part`,
    [format, kind],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const parts = await Promise.all(rows.map(({ content }) => decompress(content, UNPACKING)));
  return { upto: first.upto, bytes: Buffer.concat(parts) };
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z(?:STD)?_/.test(String(error.code));
}
