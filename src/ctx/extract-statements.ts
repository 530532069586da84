import { parseStatement } from './parse-statement.ts';
import { OPERATORS, PLANES, type Statement } from './statement.ts';

/** A statement that stood in prose. */
export interface ExtractedStatement {
  readonly statement: Statement;
  /** The line as it was. */
  readonly raw: string;
  /** Counted from 1. */
  readonly line: number;
}

export interface Extraction {
  readonly statements: readonly ExtractedStatement[];
  /** The other lines, as they were. */
  readonly prose: string;
}

/**
 * Finds the statements in a model's answer: each is a whole line, from its first character on. What does not parse stays
 * prose, and so does a line that is indented.
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
