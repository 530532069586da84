import { isSpaceAt, nextToken, skipSpaces } from './next-token.ts';
import { OPERATIONS, type Operation } from './operation-table.ts';
import { addPart, type Complaint, type Draft } from './statement-draft.ts';
import { failAt, type StatementError } from './statement-error.ts';
import {
  MAX_STATEMENT_BYTES,
  MIN_STATEMENT_BYTES,
  normalizeStatement,
  OPERATORS,
  PLANES,
  type Operator,
  type Plane,
  type Statement,
} from './statement.ts';

export type ParsedStatement = { readonly ok: true; readonly statement: Statement } | StatementError;

/** Parses one statement. Never throws; takes time linear in the length of the text. */
export function parseStatement(input: string): ParsedStatement {
  const trimmed = input.trim();
  // Normalising shortens no text to less than a quarter, so a longer one can be rejected unread.
  const text = trimmed.length > 4 * MAX_STATEMENT_BYTES ? trimmed : normalizeStatement(trimmed);
  const refusal = refuseText(text);
  if (refusal !== undefined) return refusal;
  const operator = OPERATORS.find((candidate) => candidate === text[0]);
  if (operator === undefined) return failAt(text, { position: 0, expected: `an operator: ${OPERATORS.join(' ')}` });
  const plane = PLANES.find((candidate) => candidate === text[1]);
  if (plane === undefined) return failAt(text, { position: 1, expected: `a plane: ${PLANES.join(' ')}` });
  if (text.length > 2 && !isSpaceAt(text, 2)) return failAt(text, { position: 2, expected: 'a space after the plane' });
  return readParts(text, { operator, plane });
}

function refuseText(text: string): StatementError | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_STATEMENT_BYTES)
    return failAt(text, {
      position: 0,
      found: `${bytes} bytes`,
      expected: `${MIN_STATEMENT_BYTES} to ${MAX_STATEMENT_BYTES} bytes`,
    });
  // NUL and lone surrogates: a text file cannot hold them.
  const position = text.search(/[\0\p{Cs}]/u);
  return position === -1 ? undefined : failAt(text, { position, found: 'an invalid character', expected: 'text' });
}

interface Head {
  readonly operator: Operator;
  readonly plane: Plane;
}

function readParts(text: string, { operator, plane }: Head): ParsedStatement {
  const operation = plane === 's' ? OPERATIONS[operator] : undefined;
  const draft: Draft = { tags: new Set(), pairs: new Map() };
  for (let at = skipSpaces(text, 2), isFirst = true; at < text.length; isFirst = false) {
    const read = nextToken(text, at);
    if (!read.ok) return read;
    const { token } = read;
    const complaint =
      isFirst && (token.kind === 'word' || token.kind === 'quoted')
        ? void (draft.target = token)
        : addPart(draft, token, operation);
    if (complaint !== undefined) return failAt(text, { position: token.start, ...complaint });
    at = skipSpaces(text, token.end);
  }
  const missing = findMissing(draft, operation);
  if (missing !== undefined) return failAt(text, { position: text.length, ...missing });
  return { ok: true, statement: toStatement({ operator, plane }, draft) };
}

function findMissing(draft: Draft, operation: Operation | undefined): Complaint | undefined {
  if (operation === undefined) return undefined;
  const { target } = draft;
  if (operation.needsTarget && (target === undefined || target.value.trim() === ''))
    return { expected: 'the name of a skill after the plane', ...(target && { position: target.start }) };
  const { needs } = operation;
  if (needs === undefined || needs.isGiven({ ...draft, tags: [...draft.tags] })) return undefined;
  return { expected: needs.what };
}

function toStatement({ operator, plane }: Head, { target, domain, limit, text, tags, pairs }: Draft): Statement {
  return {
    operator,
    plane,
    ...(target === undefined ? {} : { target: target.value }),
    tags: [...tags],
    ...(domain === undefined ? {} : { domain }),
    ...(limit === undefined ? {} : { limit }),
    ...(text === undefined || plane === 's' ? {} : { text }),
    pairs: Object.fromEntries(pairs),
  };
}
