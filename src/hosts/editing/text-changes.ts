import type { Outcome } from '../../model/outcome.ts';
import { parseJsonText } from './json-text.ts';
import { parseTomlText } from './toml-text.ts';

/** The part in which two texts differ. */
export interface Swap {
  readonly before: string;
  readonly after: string;
}

/** A text of another program's file with our changes of it, the first one first. They can be taken back to the byte. */
export interface ChangedText {
  readonly text: string;
  readonly changes: readonly Swap[];
}

/** The same after a further change. */
export function withChange({ text, changes }: ChangedText, after: string): ChangedText {
  return { text: after, changes: after === text ? changes : [...changes, findChange(text, after)] };
}

/**
 * Reverts our changes to a file byte for byte, wherever they are now. If others edited our text, or without a record
 * (`changes` is undefined), `take` removes what it recognizes as ours.
 */
export function takeBack(
  { path, text }: { readonly path: string; readonly text: string },
  changes: readonly Swap[] | undefined,
  take: (text: string) => Outcome<{ readonly text: string }>,
): Outcome<{ readonly text: string }> {
  const undone = changes === undefined ? undefined : undoChanges(text, changes);
  const isSound = undone !== undefined && (isWellFormed(path, undone) || !isWellFormed(path, text));
  return isSound ? { ok: true, text: undone } : take(text);
}

/** Can the program read its file? */
function isWellFormed(path: string, text: string): boolean {
  const given = text.replace(/^\uFEFF/, '');
  if (given.trim() === '') return true;
  if (path.endsWith('.toml')) return parseTomlText(given).ok;
  return !/\.jsonc?$/.test(path) || parseJsonText(given).ok;
}

/** The change between two texts, with as much around it as it takes to find it again in the new one. */
function findChange(before: string, after: string): Swap {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  for (let more = 8; start + end > 0 && !isOnce(after.slice(start, after.length - end), after); more *= 2) {
    start = Math.max(0, start - more);
    end = Math.max(0, end - more);
  }
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

function isOnce(part: string, text: string): boolean {
  const at = text.indexOf(part);
  return part !== '' && at !== -1 && text.indexOf(part, at + 1) === -1;
}

/** The last one first. Undefined if one is not there any more. */
function undoChanges(text: string, changes: readonly Swap[]): string | undefined {
  return changes.reduceRight<string | undefined>((changed, { before, after }) => {
    if (changed === undefined || !isOnce(after, changed)) return undefined;
    const at = changed.indexOf(after);
    return `${changed.slice(0, at)}${before}${changed.slice(at + after.length)}`;
  }, text);
}
