import { fail, type Outcome } from '../model/outcome.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { backUp, readOwnBytes, readOwnText, writeWhole } from '../platform/files/files.ts';
import { withLock } from '../platform/files/lock.ts';

export interface ForeignEdit {
  readonly path: string;
  readonly isChanged: boolean;
  /** The copy of the previous file; undefined if there was none, or nothing changed. */
  readonly backup: string | undefined;
}

/**
 * Changes a file of another program, completely or not at all, after a backup. `edit` receives its text ('' if there is no
 * file) and returns the new text, or why it leaves the file alone.
 */
export function editForeignFile(
  path: string,
  edit: (text: string) => Promise<Outcome<{ readonly text: string }>>,
): Promise<Outcome<ForeignEdit>> {
  return withLock(path, async () => {
    const read = readOwnText(path);
    if (!read.ok) return fail('CONFIG_INVALID', read.message);
    const isThere = read.text !== undefined;
    if (isThere && decodeStrictly(readOwnBytes(path) ?? Buffer.of()) === undefined)
      return fail('CONFIG_INVALID', `${path} is not valid UTF-8; nothing was changed`);
    const edited = await edit(read.text ?? '');
    if (!edited.ok) return fail(edited.code, `${path}: ${edited.message}; nothing was changed`, edited.hint);
    if (edited.text === read.text) return { ok: true, path, isChanged: false, backup: undefined };
    const saved = isThere ? backUp(path) : undefined;
    if (saved?.ok === false) return saved;
    const written = writeWhole(path, edited.text);
    return written.ok ? { ok: true, path: written.path, isChanged: true, backup: saved?.backup } : written;
  });
}
