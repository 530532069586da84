/**
 * Splits at blanks as a shell does: `code -w`, `"/opt/my editor/bin" --wait`. Quotes and backslashes protect blanks. No
 * shell is involved, so no other character is special.
 */
export function splitCommand(command: string): readonly string[] {
  const words = command.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs) ?? [];
  return words.map((word) => word.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\\./gs, unquote));
}

function unquote(piece: string): string {
  if (piece.startsWith('\\')) return piece.slice(1);
  const inner = piece.slice(1, -1);
  return piece.startsWith('"') ? inner.replaceAll(/\\(["\\])/g, '$1') : inner;
}
