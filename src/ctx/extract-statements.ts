import { parseStatement } from './parse-statement.ts';
import { OPERATORS, PLANES, type Statement } from './statement.ts';

/** A statement found in prose. */
export interface ExtractedStatement {
  readonly statement: Statement;
  /** The original line. */
  readonly raw: string;
  /** Counted from 1. */
  readonly line: number;
}

export interface Extraction {
  readonly statements: readonly ExtractedStatement[];
  /** The other lines, unchanged. */
  readonly prose: string;
}

/**
 * Finds the statements in a model's answer. Each is a whole line and starts at its first character. A line that does not
 * parse stays prose, and so does an indented one.
 */
export function extractStatements(text: string): Extraction {
  const statements: ExtractedStatement[] = [];
  const prose: string[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const parsed = HEAD.test(raw) ? parseStatement(raw) : undefined;
    if (parsed?.ok === true) statements.push({ statement: parsed.statement, raw, line: at + 1 });
    else prose.push(raw);
  }
  return { statements, prose: prose.join('\n') };
}

const HEAD = new RegExp(String.raw`^[${OPERATORS.map((sign) => `\\${sign}`).join('')}][${PLANES.join('')}](?:\s|$)`);
