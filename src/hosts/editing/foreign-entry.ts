import { isDeepStrictEqual } from 'node:util';

import type { Outcome } from '../../model/outcome.ts';
import { hasJsonEntry, putJsonEntry, takeJsonEntry, type JsonEntry } from './json-entries.ts';
import type { Swap } from './text-changes.ts';
import { hasTomlEntry, putTomlEntry, takeTomlEntry, type TomlEntry } from './toml-entries.ts';

/** Something of ours in a settings file of another program. */
export type ForeignEntry = JsonEntry | TomlEntry;

/** Puts an entry into a text; returns it as it is written there. */
export function putEntry(
  text: string,
  entry: ForeignEntry,
): Outcome<{ readonly text: string; readonly entry: ForeignEntry }> {
  if (entry.kind === 'lines') return putTomlEntry(text, entry);
  const put = putJsonEntry(text, entry);
  return put.ok ? { ok: true, text: put.text, entry } : put;
}

/** Takes an entry out again, with what `changes` made for it and that is empty now. One that is not there any more is no failure. */
export function takeEntry(
  text: string,
  entry: ForeignEntry,
  changes: readonly Swap[] = [],
): Outcome<{ readonly text: string }> {
  return entry.kind === 'lines' ? takeTomlEntry(text, entry) : takeJsonEntry(text, entry, changes);
}

export function hasEntry(text: string, entry: ForeignEntry): boolean {
  return entry.kind === 'lines' ? hasTomlEntry(text, entry) : hasJsonEntry(text, entry);
}

/** The same entry, however it is laid out? */
export function isSameEntry(a: ForeignEntry, b: ForeignEntry): boolean {
  const plain = (entry: ForeignEntry): ForeignEntry =>
    entry.kind === 'lines' ? { ...entry, text: entry.text.replaceAll('\r\n', '\n').trim() } : entry;
  return isDeepStrictEqual(plain(a), plain(b));
}
