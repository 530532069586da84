import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { sep } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { findPathFault } from '../../model/path-fault.ts';
import { attempt } from '../errors.ts';
import { isOpenedInside, OPEN_FLAGS } from './inside.ts';

export interface PartOptions {
  readonly partBytes: number;
  /** The rest of a larger file is not read. */
  readonly maxBytes: number;
  /** The next part overwrites the bytes. */
  readonly visit: (bytes: Buffer) => void;
}

/**
 * Reads a file of any size inside a skill's folder part by part, as safely as `readInside`; follows no links. Returns the
 * number of bytes read. An empty file has no parts.
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
    if (!isOpenedInside(realDir, fd, { full, stats }))
      return fail('PATH_REFUSED', 'its real path is outside the skill');
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
