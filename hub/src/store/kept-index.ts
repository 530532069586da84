import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

import type { Queries } from '../database/database.ts';

/** A search index that any replica can start from. */
export interface KeptIndex {
  readonly format: string;
  /** The last act of the log that it knows. */
  readonly upto: number;
  readonly bytes: Uint8Array;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Small pieces would be thousands, to be joined in the end. */
const PIECES = { chunkSize: 8 * 1024 * 1024 };
/** Higher levels take several times as long for a tenth less. */
const QUICK = { ...PIECES, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** An older index never replaces a newer one. */
export async function saveIndex(queries: Queries, { format, upto, bytes }: KeptIndex): Promise<void> {
  await queries.query(
    `INSERT INTO search_index (id, format, upto, content) VALUES (1, $1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET format = excluded.format, upto = excluded.upto, content = excluded.content, made_at = now()
     WHERE search_index.upto <= excluded.upto OR search_index.format <> excluded.format`,
    [format, upto, await compress(bytes, QUICK)],
  );
}

/** A driver joins and copies a large value again and again; parts of this size arrive one by one. */
const PART_BYTES: number = 1024 * 1024;

/** The bytes of the kept index; undefined if there is none of this format, or it is damaged, which is reported. */
export async function readIndex(
  queries: Queries,
  format: string,
  onError: (error: unknown) => void,
): Promise<Uint8Array | undefined> {
  const rows = await queries.query<{ part: Uint8Array }>(
    `SELECT substring(content FROM at FOR $2::int) AS part
     FROM search_index, generate_series(1, length(content), $2::int) AS at WHERE format = $1 ORDER BY at`,
    [format, PART_BYTES],
  );
  if (rows.length === 0) return undefined;
  return decompress(Buffer.concat(rows.map(({ part }) => part)), PIECES).catch((error: unknown) => {
    onError(new Error('the kept search index is damaged, and is made anew', { cause: error }));
    return undefined;
  });
}
