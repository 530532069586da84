import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { sep } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { findPathFault, isInside, OPEN_FLAGS } from './inside.ts';

export interface PartOptions {
  readonly partBytes: number;
  /** What lies beyond is not read. */
  readonly maxBytes: number;
  /** Its bytes are overwritten when the next part is read. */
  readonly visit: (bytes: Buffer) => void;
}

/**
 * Reads a file inside a skill's folder piece by piece, however large it is, as safely as `readInside` does; links are
 * not followed at all. Says how many bytes were read. An empty file has no parts.
 */
export function readInsideInParts(
  realDir: string,
  path: string,
  options: PartOptions,
): Outcome<{ readonly length: number }> {
  const fault = findPathFault(path);
  if (fault !== undefined) return fail('PATH_REFUSED', `the path ${fault}`);
  const full = `${realDir}${sep}${path}`;
  const opened = attempt(() => openSync(full, OPEN_FLAGS));
  if (!opened.ok) return fail('STORE_FAILED', opened.message);
  const fd = opened.value;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return fail('PATH_REFUSED', 'it is not a regular file');
    if (!isInside(realDir, fd, { full, stats })) return fail('PATH_REFUSED', 'it really lies outside the skill');
    return visitParts(fd, Math.min(stats.size, options.maxBytes), options);
  } finally {
    closeSync(fd);
  }
}

function visitParts(fd: number, size: number, options: PartOptions): Outcome<{ readonly length: number }> {
  const buffer = Buffer.allocUnsafe(Math.min(options.partBytes, size));
  let position = 0;
  while (position < size) {
    const wanted = Math.min(buffer.length, size - position);
    const read = attempt(() => readSync(fd, buffer, 0, wanted, null));
    if (!read.ok) return fail('STORE_FAILED', read.message);
    if (read.value === 0) break;
    position += read.value;
    options.visit(buffer.subarray(0, read.value));
  }
  return { ok: true, length: position };
}
