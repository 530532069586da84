import { pipeline, Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';

import { systemCode } from '../errors.ts';
import type { OpenFile } from './open-file.ts';

const PIECE_BYTES = 65_536;

/**
 * The bytes of a file from `from` on. Each piece is valid until the next one is asked for. The last one is undefined if the
 * rest cannot be read.
 */
export function* readPieces(file: OpenFile, from = 0): Generator<Buffer | undefined> {
  const memory = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = from; ;) {
    const count = file.readInto(memory, at);
    if (count === 0) return;
    yield count === undefined ? undefined : memory.subarray(0, count);
    if (count === undefined) return;
    at += count;
  }
}

/** The bytes that a file contains in compressed form, by zstd. The last piece is undefined if the file is damaged. */
export async function* unpackPieces(file: OpenFile): AsyncGenerator<Buffer | undefined> {
  const unpacked: AsyncIterable<Buffer> = pipeline(
    Readable.from(copyPieces(file)),
    createZstdDecompress({ chunkSize: PIECE_BYTES }),
    () => undefined,
  );
  try {
    yield* unpacked;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    yield undefined;
  }
}

/** The stream reads ahead, so each piece needs memory of its own. A file that cannot be read ends early, which is damage. */
function* copyPieces(file: OpenFile): Generator<Buffer> {
  for (const piece of readPieces(file)) if (piece !== undefined) yield Buffer.from(piece);
}
