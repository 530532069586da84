import { parseJson } from '../../model/json.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { readOwnText } from './files.ts';
import { withLock } from './lock.ts';
import { replaceFile } from './replace-file.ts';

/** A private JSON file of Skillplane with a list of decisions. An invalid file is never overwritten. */
export interface EntryFile<Entry> {
  /** Empty if the file does not exist. */
  read(): Outcome<{ readonly entries: readonly Entry[] }>;
  /** Replaces the entries under a lock. */
  change<T>(
    edit: (entries: readonly Entry[]) => Outcome<{ readonly entries: readonly Entry[] } & T>,
  ): Promise<Outcome<T>>;
}

export interface EntryFileOptions<Entry> {
  /** For messages: `trust`. */
  readonly kind: string;
  readonly isEntry: (entry: unknown) => entry is Entry;
  readonly compare: (a: Entry, b: Entry) => number;
}

const FORMAT = 1;

export function openEntryFile<Entry>(
  file: string,
  { kind, isEntry, compare }: EntryFileOptions<Entry>,
): EntryFile<Entry> {
  const isFile = (content: unknown): content is { readonly skills: readonly Entry[] } => {
    if (typeof content !== 'object' || content === null || !('version' in content && 'skills' in content)) return false;
    return content.version === FORMAT && Array.isArray(content.skills) && content.skills.every(isEntry);
  };
  const read = (): Outcome<{ readonly entries: readonly Entry[] }> => {
    const text = readOwnText(file);
    if (!text.ok) return text;
    if (text.text === undefined) return { ok: true, entries: [] };
    const content = parseJson(text.text);
    return isFile(content)
      ? { ok: true, entries: content.skills }
      : fail('STORE_FAILED', `${file} is not a valid ${kind} file`, { either: [{ edit: file }, { moveAway: file }] });
  };
  return {
    read,
    change: (edit) =>
      withLock(file, async ({ check }) => {
        const before = read();
        if (!before.ok) return before;
        const edited = edit(before.entries);
        if (!edited.ok) return edited;
        const text = JSON.stringify({ version: FORMAT, skills: edited.entries.toSorted(compare) }, undefined, 2);
        const written = replaceFile(file, `${text}\n`, { isPrivate: true, check });
        return written.ok ? edited : written;
      }),
  };
}

/** Does an object have text under all of these keys? */
export function hasTexts(entry: unknown, keys: readonly string[]): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return keys.every((key) => typeof Object(entry)[key] === 'string');
}
