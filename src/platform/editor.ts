import { splitCommand } from '../model/split-command.ts';

/** The command of $VISUAL or $EDITOR as words; undefined if neither is set. */
export function findEditor(variables: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  const words = splitCommand(variables['VISUAL']?.trim() || variables['EDITOR']?.trim() || '');
  return words.length === 0 ? undefined : words;
}
