/** The languages whose values are followed. Others are read like the one that they resemble most. */
export type FlowLanguage = 'shell' | 'python' | 'javascript';

export interface CodeStatement {
  /** Where it begins in the text. */
  readonly start: number;
  readonly text: string;
  /** The text without comments and without the words of plain strings: names that are used stand in it. */
  readonly code: string;
  /** A block begins after it: it is the head of a function, a loop or a condition. */
  readonly isHead?: boolean;
}

/** A longer statement is divided: nobody writes such a line by hand, and each one is searched many times. */
const LONGEST = 4_000;

/** Splits folded code into statements, roughly: enough to see which names a statement uses and which it sets. */
export function splitStatements(text: string, language: FlowLanguage): readonly CodeStatement[] {
  return language === 'shell' ? splitShell(text) : splitCode(text, language);
}

/** Commands end at line breaks, `;`, `&&` and `||`; a pipe joins two of them. */
function splitShell(text: string): readonly CodeStatement[] {
  const statements: CodeStatement[] = [];
  let start = 0;
  let quote = '';
  const end = (at: number): void => {
    const part = text.slice(start, Math.min(at, start + LONGEST));
    if (part.trim() !== '') statements.push({ start, text: part, code: part });
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (at - start > LONGEST) {
      end(at);
      start = at;
      quote = '';
    }
    if (quote !== '') {
      if (sign === quote) quote = '';
      continue;
    }
    if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '#' && /[\s;(]/.test(text[at - 1] ?? '\n')) {
      end(at);
      const line = text.indexOf('\n', at);
      at = line === -1 ? text.length : line;
      start = at + 1;
    } else if (isCommandEnd(text, at)) {
      end(at);
      start = at + 1;
    }
  }
  end(text.length);
  return statements;
}

function isCommandEnd(text: string, at: number): boolean {
  const [sign, next, last] = [text[at], text[at + 1], text[at - 1]];
  if (sign === '\n') return last !== '|' && next !== '|';
  if (sign === ';') return true;
  return (sign === '&' || sign === '|') && last === sign;
}

/** Statements end at line breaks outside brackets, and where a block begins or ends. */
function splitCode(text: string, language: 'python' | 'javascript'): readonly CodeStatement[] {
  const statements: CodeStatement[] = [];
  /** The depth of brackets around each open block. */
  const blocks: number[] = [];
  let start = 0;
  let depth = 0;
  let code = '';
  const end = (at: number, isHead = false): void => {
    const part = text.slice(start, Math.min(at, start + LONGEST));
    if (part.trim() !== '') statements.push({ start, text: part, code: code.slice(0, LONGEST), isHead });
    start = at + 1;
    code = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (at - start > LONGEST) {
      end(at);
      start = at;
      depth = 0;
    }
    const comment = endOfComment(text, at, language);
    if (comment !== undefined) {
      code += ' ';
      at = comment - 1;
    } else if (sign === '"' || sign === "'" || (sign === '`' && language === 'javascript')) {
      const string = readString(text, at, language);
      code += ` ${string.names} `;
      at = string.end - 1;
    } else if (sign === '{' && language === 'javascript' && opensBlock(text, at)) {
      end(at, true);
      blocks.push(depth);
      depth = 0;
    } else if (sign === '}' && depth === 0 && blocks.length > 0) {
      end(at);
      depth = blocks.pop() ?? 0;
    } else if ((sign === '\n' || sign === ';') && depth === 0) end(at);
    else {
      if (sign === '(' || sign === '[' || sign === '{') depth += 1;
      if (sign === ')' || sign === ']' || sign === '}') depth = Math.max(0, depth - 1);
      code += sign;
    }
  }
  end(text.length);
  return statements;
}

function opensBlock(text: string, at: number): boolean {
  return /(?:\)|=>|\belse|\btry|\bfinally|\bdo|\bclass [\w$ ]{1,60})\s?$/.test(text.slice(Math.max(0, at - 80), at));
}

/** Where a comment ends that begins here; undefined if none does. */
function endOfComment(text: string, at: number, language: FlowLanguage): number | undefined {
  const isLine = language === 'python' ? text[at] === '#' : text.startsWith('//', at) && text[at - 1] !== ':';
  if (isLine) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  if (language !== 'javascript' || !text.startsWith('/*', at)) return undefined;
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? text.length : end + 2;
}

/** A string that begins here: its end, and the code in it that is put into the text. */
function readString(
  text: string,
  at: number,
  language: FlowLanguage,
): { readonly end: number; readonly names: string } {
  const sign = text[at] ?? '"';
  const triple = sign.repeat(3);
  const mark = language === 'python' && text.startsWith(triple, at) ? triple : sign;
  const isLong = mark.length === 3 || sign === '`';
  const isFilled = language === 'python' ? /f[rb]?$/i.test(text.slice(Math.max(0, at - 2), at)) : sign === '`';
  let end = at + mark.length;
  while (end < text.length && !text.startsWith(mark, end)) {
    // A string of one line ends with it: this was not a string.
    if (!isLong && text[end] === '\n') return { end, names: '' };
    if (end - at > LONGEST) break;
    end += text[end] === '\\' ? 2 : 1;
  }
  const content = text.slice(at + mark.length, end);
  const names = isFilled ? [...content.matchAll(/\$?\{([^{}]{1,200})\}/g)].map(([, name]) => name).join(' ') : '';
  return { end: Math.min(end + mark.length, text.length), names };
}
