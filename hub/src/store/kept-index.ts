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
  const upto = await findKeptPosition(queries, format);
  if (upto === undefined) return undefined;
  try {
    const [index, skills, versions] = await Promise.all(
      KEPT_KINDS.map((kind) => readPiece(queries, { format, upto, kind })),
    );
    if (index === undefined || skills === undefined || versions === undefined) return undefined;
    return { upto, pieces: { index, skills, versions } };
  } catch (error) {
    if (!isDamage(error)) throw error;
    onError(new Error('the kept search index is damaged, and is made anew', { cause: error }));
    return undefined;
  }
}

interface Piece {
  readonly format: string;
  readonly upto: number;
  readonly kind: KeptKind;
}

/** Parts that are read together: few enough that they take little memory beside the whole. */
const TOGETHER = 8;

/** Undefined if a part is missing, or another library was saved meanwhile. */
async function readPiece(queries: Queries, piece: Piece): Promise<Uint8Array | undefined> {
  const { format, upto, kind } = piece;
  const [row] = await queries.query<{ count: number }>(
    'SELECT count(*) AS count FROM search_index_parts WHERE kind = $1',
    [kind],
  );
  const count = row?.count ?? 0;
  const bytes = new Uint8Array(count * PART_BYTES);
  let end = 0;
  const readSome = async (from: number): Promise<boolean> => {
    const rows = await queries.query<{ part: number; content: Uint8Array }>(
      `SELECT part, content FROM search_index, search_index_parts
       WHERE format = $1 AND upto = $2 AND kind = $3 AND part >= $4 AND part < $5`,
      [format, upto, kind, from, from + TOGETHER],
    );
    for (const { part, content } of rows) {
      const unpacked = await decompress(content, UNPACKING);
      bytes.set(unpacked, part * PART_BYTES);
      end = Math.max(end, part * PART_BYTES + unpacked.length);
    }
    return rows.length === Math.min(TOGETHER, count - from);
  };
  const starts = Array.from({ length: Math.ceil(count / TOGETHER) }, (_, nth) => nth * TOGETHER);
  const isWhole = await Promise.all(
    Array.from({ length: READERS }, async () => {
      for (let from = starts.shift(); from !== undefined; from = starts.shift())
        if (!(await readSome(from))) return false;
      return true;
    }),
  );
  return count > 0 && isWhole.every(Boolean) ? bytes.subarray(0, end) : undefined;
}

/** Connections that read parts of a piece. */
const READERS = 2;

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z(?:STD)?_/.test(String(error.code));
}
