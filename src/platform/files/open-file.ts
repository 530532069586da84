import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';

import { attempt } from '../errors.ts';

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

/** The content of a file that was compressed by zstd; undefined if it cannot be read, or is larger than `maxBytes`. */
export function openZstdFile(path: string, maxBytes: number): OpenFile | undefined {
  using packed = openOwnFile(path);
  const bytes = packed === undefined || packed.size > maxBytes ? undefined : packed.read(0, packed.size);
  const unpacked =
    bytes === undefined ? undefined : attempt(() => zstdDecompressSync(bytes, { maxOutputLength: maxBytes }));
  if (unpacked?.ok !== true) return undefined;
  const { value } = unpacked;
  return {
    size: value.length,
    read: (from, length) => (from + length <= value.length ? value.subarray(from, from + length) : undefined),
    readInto: (target, from) => value.copy(target, 0, from, from + target.length),
    [Symbol.dispose]: () => undefined,
  };
}
