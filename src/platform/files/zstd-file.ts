import { zstdDecompressSync } from 'node:zlib';

import { attempt } from '../errors.ts';
import { openOwnFile, type OpenFile } from './open-file.ts';

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
