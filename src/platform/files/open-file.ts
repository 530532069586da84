import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';

import { attempt, systemCode } from '../errors.ts';

/** A file that is read in pieces. Replacing the file does not affect it. */
export interface OpenFile extends Disposable {
  readonly size: number;
  /** Exactly these bytes; undefined if they cannot be read. */
  read(from: number, length: number): Uint8Array | undefined;
  /** Fills `target` from this byte on and returns how many bytes there were; undefined if they cannot be read. */
  readInto(target: Uint8Array, from: number): number | undefined;
}

/** Opens an optional file of our own; undefined if it cannot be read. */
export function openOwnFile(path: string): OpenFile | undefined {
  const opened = attempt(() => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  if (!opened.ok) return undefined;
  const fd = opened.value;
  const stats = attempt(() => fstatSync(fd));
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  if (!stats.ok || !stats.value.isFile()) {
    close();
    return undefined;
  }
  return {
    size: stats.value.size,
    read(from, length) {
      if (!isOpen) return undefined;
      const bytes = new Uint8Array(length);
      const read = attempt(() => readSync(fd, bytes, 0, length, from));
      return read.ok && read.value === length ? bytes : undefined;
    },
    readInto(target, from) {
      if (!isOpen) return undefined;
      const read = attempt(() => readSync(fd, target, 0, target.length, from));
      return read.ok ? read.value : undefined;
    },
    [Symbol.dispose]: close,
  };
}

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

/** The stream reads ahead, so each chunk needs its own buffer. An unreadable file ends early, which means damage. */
function* copyPieces(file: OpenFile): Generator<Buffer> {
  for (const piece of readPieces(file)) if (piece !== undefined) yield Buffer.from(piece);
}
