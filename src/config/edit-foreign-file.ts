import { basename, dirname, join } from 'node:path';

import { fail, type Outcome } from '../model/outcome.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { readOwnBytes, readOwnText } from '../platform/files/files.ts';
import { kindAt, makeFolder, makeFolderInside } from '../platform/files/folders.ts';
import { withLock } from '../platform/files/lock.ts';
import { removeFile } from '../platform/files/remove-tree.ts';
import { backUp, replaceFile } from '../platform/files/replace-file.ts';

export interface ForeignEdit {
  readonly path: string;
  readonly isChanged: boolean;
  /** The copy of the previous file; undefined if there was none, or nothing changed. */
  readonly backup: string | undefined;
}

export interface ForeignEditOptions {
  /** The file belongs to this project, which may be a clone: no link in it is followed. */
  readonly project?: string | undefined;
  /** Keeps no copy of the file: it was changed by us before, and there is one of the time before that. */
  readonly withoutBackup?: boolean | undefined;
}

/** The new text of a file; undefined if it is to be removed. */
export type ForeignText = Outcome<{ readonly text: string | undefined }>;

/**
 * Atomically changes another program's file after a backup. `edit` gets its text ('' if missing) and returns the new
 * text, or a reason to leave the file alone. Identical backups are not repeated.
 */
export async function editForeignFile(
  path: string,
  edit: (text: string) => Promise<ForeignText>,
  { project, withoutBackup = false }: ForeignEditOptions = {},
): Promise<Outcome<ForeignEdit>> {
  const located = project === undefined ? locate(path) : locateInside(path, project);
  if (!located.ok) return located;
  const { file } = located;
  return withLock(file, async ({ check }) => {
    const read = readOwnText(file);
    if (!read.ok) return fail('CONFIG_INVALID', read.message);
    const isThere = read.text !== undefined;
    if (isThere && decodeStrictly(readOwnBytes(file) ?? Buffer.of()) === undefined)
      return fail('CONFIG_INVALID', `${path} is not valid UTF-8; nothing was changed`);
    const edited = await edit(read.text ?? '');
    if (!edited.ok) return fail(edited.code, `${path}: ${edited.message}; nothing was changed`, edited.next);
    if (edited.text === read.text) return { ok: true, path, isChanged: false, backup: undefined };
    const saved = isThere && !withoutBackup ? backUp(file) : undefined;
    if (saved?.ok === false) return saved;
    if (edited.text === undefined) {
      const held = check();
      if (held.ok) removeFile(file);
      return held.ok ? { ok: true, path, isChanged: isThere, backup: saved?.backup } : held;
    }
    const written = replaceFile(file, edited.text, { check, noLinks: project !== undefined });
    return written.ok ? { ok: true, path: written.path, isChanged: true, backup: saved?.backup } : written;
  });
}

/** Creates the file's folder as other programs do. */
function locate(path: string): Outcome<{ readonly file: string }> {
  const made = makeFolder(dirname(path));
  return made.ok ? { ok: true, file: path } : made;
}

/** Returns the real path of the file's folder with the file's name. */
function locateInside(path: string, project: string): Outcome<{ readonly file: string }> {
  const made = makeFolderInside(dirname(path), { boundary: project });
  if (!made.ok) return made;
  const file = join(made.realDir, basename(path));
  const kind = kindAt(file);
  if (kind === 'missing' || kind === 'file') return { ok: true, file };
  const what = kind === 'link' ? 'is a link' : 'is not a regular file';
  return fail('PATH_REFUSED', `${path} ${what}, and the project may be a clone; nothing was changed`, {
    moveAway: path,
  });
}
