import { once } from './once.ts';

/** Words that no shell changes. */
const plain = once(() => /^[\p{L}\p{N}\p{M}_@%+=:,./-]+$/u);
/** Characters that must not appear as they are: a terminal or a reader would not show them, or the hint would end. */
const escaped = once(() => /[`\p{C}\p{Zl}\p{Zp}]/gu);

/**
 * One word of a command line, quoted so that a shell passes it on unchanged and runs nothing in it. Every operation in a
 * hint, and every command that is printed, quotes its words with this.
 */
export function quoteWord(word: string): string {
  if (plain().test(word)) return word;
  if (word.search(escaped()) === -1) return `'${word.replaceAll("'", `'\\''`)}'`;
  return `$'${word.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(escaped(), escapeBytes)}'`;
}

function escapeBytes(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}
