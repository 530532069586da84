import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

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
