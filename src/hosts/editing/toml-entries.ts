import { fail, type Outcome } from '../../model/outcome.ts';
import { parseTomlText } from './toml-text.ts';

/** Lines at the end of a TOML file. As they were written, they have the gap before them. */
export interface TomlEntry {
  readonly kind: 'lines';
  readonly text: string;
}

/**
 * Appends lines to a TOML file, after an empty line; all other bytes stay. Fails if the file could not be read then.
 * Returns the entry as it was written, so that it can be taken out again.
 */
export function putTomlEntry(
  text: string,
  entry: TomlEntry,
): Outcome<{ readonly text: string; readonly entry: TomlEntry }> {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const before = parseTomlText(text);
  if (!before.ok) return before;
  const gap = text.trim() === '' || /\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  const added = `${gap}${entry.text.trim().split(/\r?\n/).join(eol)}${eol}`;
  if (!parseTomlText(`${text}${added}`).ok)
    return fail('CONFIG_INVALID', 'its layout cannot be edited safely', { ask: 'user', to: 'Edit the file by hand.' });
  return { ok: true, text: `${text}${added}`, entry: { kind: 'lines', text: added } };
}

/** Removes lines byte for byte. Missing lines are not a failure. */
export function takeTomlEntry(text: string, entry: TomlEntry): Outcome<{ readonly text: string }> {
  const found = findLines(text, entry);
  if (found === undefined) return { ok: true, text };
  const edited = `${text.slice(0, found.start)}${text.slice(found.end)}`;
  return parseTomlText(edited).ok || !parseTomlText(text).ok
    ? { ok: true, text: edited }
    : fail('CONFIG_INVALID', 'its layout cannot be edited safely', { ask: 'user', to: 'Edit the file by hand.' });
}

export function hasTomlEntry(text: string, entry: TomlEntry): boolean {
  return findLines(text, entry) !== undefined;
}

/** Others may have changed the gap before the lines, or the ends of lines. */
function findLines(
  text: string,
  { text: lines }: TomlEntry,
): { readonly start: number; readonly end: number } | undefined {
  const trimmed = lines.trimStart();
  const forms = [lines, trimmed, trimmed.replaceAll('\r\n', '\n'), trimmed.replaceAll(/\r?\n/g, '\r\n')];
  const ends = [...forms, trimmed.trimEnd()];
  for (const form of ends) {
    const start = text.lastIndexOf(form);
    const end = start + form.length;
    const isWhole = start === 0 || /^\s/.test(form) || text[start - 1] === '\n';
    if (start !== -1 && isWhole && (form.endsWith('\n') || end === text.length)) return { start, end };
  }
  return undefined;
}
