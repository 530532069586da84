/** A key that needs no quotes. Prototype names are left to the YAML parser, which reports them. */
export const KEY: RegExp = /^(?!(?:__proto__|constructor|prototype)$)[A-Za-z_][\w.-]*$/;

const INDICATOR_FIRST = /^[\s\-?:,[\]{}#&*!|>'"%@`]/;

/** Is this a plain scalar beyond doubt? No indicator first, no `: `, no ` #`. */
export function isPlain(text: string): boolean {
  return (
    text !== '' && !INDICATOR_FIRST.test(text) && !text.includes(': ') && !text.includes(' #') && !text.endsWith(':')
  );
}

export function isNull(text: string): boolean {
  return text === '~' || text === 'null' || text === 'Null' || text === 'NULL';
}

/** Reads a quoted scalar, followed by a comment or nothing. The first line begins with its quote. */
export function readQuoted(lines: readonly string[]): string | undefined {
  const [first = ''] = lines;
  const end = endOfQuote(first, 0);
  if (end !== -1) {
    const isAlone = isComment(first.slice(end)) && lines.slice(1).every(isBlankOrComment);
    return isAlone ? unquote(first.slice(0, end)) : undefined;
  }
  return readLongQuoted(lines);
}

/** A quoted scalar over several lines. Backslashes at line ends have rules of their own. */
function readLongQuoted(lines: readonly string[]): string | undefined {
  const text = lines.join('\n');
  const end = endOfQuote(text, 0);
  if (end === -1 || text.slice(0, end).includes('\\')) return undefined;
  const [behind = '', ...more] = text.slice(end).split('\n');
  if (!isComment(behind) || !more.every(isBlankOrComment)) return undefined;
  const inner = text.slice(1, end - 1).split('\n');
  const folded = foldLines(inner.map((line, at) => trimWithin(line, at, inner.length)));
  return text[0] === "'" ? folded.replaceAll("''", "'") : folded;
}

function trimWithin(line: string, at: number, count: number): string {
  const start = at === 0 ? 0 : indentOf(line);
  return at === count - 1 ? line.slice(start) : trimEnd(line.slice(start));
}

/** The position after the quote that closes the one at `from`; -1 if none does. */
export function endOfQuote(text: string, from: number): number {
  const quote = text[from] ?? '';
  for (let at = text.indexOf(quote, from + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (quote === "'" && text[at + 1] === "'") at += 1;
    else if (quote === "'" || !isEscaped(text, at)) return at + 1;
  }
  return -1;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/** The value of a quoted scalar on one line; undefined if it has an unusual escape. */
export function unquote(quoted: string): string | undefined {
  const inner = quoted.slice(1, -1);
  if (quoted[0] === "'") return inner.replaceAll("''", "'");
  if (!inner.includes('\\')) return inner;
  if (inner.replaceAll(ESCAPE, '').includes('\\')) return undefined;
  return inner.replaceAll(ESCAPE, (escape) => {
    if (escape.length > 2) return String.fromCodePoint(Number.parseInt(escape.slice(2), 16));
    return ESCAPED[escape] ?? escape.slice(1);
  });
}

const ESCAPE = /\\(?:["\\/nt]|u[\dA-Fa-f]{4}|U000[\dA-Fa-f]{5})/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t' };

/** Folds line breaks: one becomes a blank, n become n - 1. */
export function foldLines(lines: readonly string[]): string {
  let text = lines[0] ?? '';
  let separator = ' ';
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue;
    if (line !== '' || at === lines.length - 1) {
      text += separator + line;
      separator = ' ';
    } else if (separator === '\n') text += '\n';
    else separator = '\n';
  }
  return text;
}

/** Is the text after a value empty, or a comment after a blank? */
export function isComment(rest: string): boolean {
  return isBlank(rest) || (rest[0] === ' ' && rest[indentOf(rest)] === '#');
}

export function isBlankOrComment(line: string): boolean {
  return isBlank(line) || line[indentOf(line)] === '#';
}

export function isBlank(line: string): boolean {
  return line === '' || indentOf(line) === line.length;
}

/** Trims YAML's blanks only. `trim` would also remove wide and non-breaking spaces, which belong to the text. */
export function trimBlanks(text: string): string {
  return trimEnd(text.slice(indentOf(text)));
}

function trimEnd(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === BLANK) end -= 1;
  return text.slice(0, end);
}

const BLANK = 0x20;

export function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === BLANK) indent += 1;
  return indent;
}
