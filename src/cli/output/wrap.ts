import { displayWidth } from '../../model/display-width.ts';
import { loadWrapAnsi } from '../../parse/lazy-packages.cjs';

/**
 * The lines of a text that fit so many columns, broken between words. Words that are wider stay whole, and so does a command in
 * backticks. Styles of a terminal have no width, and each line has its own.
 */
export function wrap(text: string, columns: number): readonly string[] {
  if (displayWidth(text) <= columns) return [text];
  const whole = text.replaceAll(/`[^`]*`/g, (command) => command.replaceAll(' ', FIXED_SPACE));
  return loadWrapAnsi().wrapAnsi(whole, columns).replaceAll(FIXED_SPACE, ' ').split('\n');
}

const FIXED_SPACE = '\u00A0';

/** The start of a line, below which it goes on: blanks, a mark such as `-` or `✓`, and a first column such as a label. */
export function findHead(text: string, columns: number): string {
  const [head = '', blanks = ''] = /^( *)(?:[^\w\s] )?(?:\S+ {2,})?/.exec(text) ?? [];
  return displayWidth(head) > columns / 2 ? blanks : head;
}
