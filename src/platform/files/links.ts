import { readlinkSync, symlinkSync } from 'node:fs';

import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';

/** The text of a link; undefined for anything else. */
export function readLink(path: string): string | undefined {
  const read = attempt(() => readlinkSync(path));
  return read.ok ? read.value : undefined;
}

/** Makes a link to a folder; nothing may exist at `path`. `isRefused` if this file system, or this user, has no links. */
export function makeLink(
  path: string,
  target: string,
): Outcome<object, ReturnType<typeof fail> & { readonly isRefused: boolean }> {
  const made = attempt(() => symlinkSync(target, path, process.platform === 'win32' ? 'junction' : 'dir'));
  if (made.ok) return { ok: true };
  return {
    ...fail('STORE_FAILED', `${path} could not be linked to ${target}: ${made.message}`),
    isRefused: REFUSALS.has(made.errno),
  };
}

/** Errors of file systems without links, and of users who may not make any. */
const REFUSALS: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'UNKNOWN']);
