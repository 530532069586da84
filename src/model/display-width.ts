import { once } from './once.ts';

/** The columns a text takes on a terminal: two for wide letters and emoji, none for combining marks. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts a text to at most `columns`; a cut text ends in an ellipsis. */
export function fitToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let fitted = '';
  let width = 1;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns) break;
    fitted += character;
  }
  return `${fitted.trimEnd()}…`;
}

const zero = once(() => /^(?:\p{Mn}|\p{Me}|\u200D|\uFE0F)$/u);
const WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]$/u;

function characterWidth(character: string): number {
  if (character < '\u0300') return 1;
  if (zero().test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
