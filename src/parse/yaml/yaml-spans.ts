import type { Pair } from 'yaml';

import { loadYaml } from '../lazy-packages.cjs';

/** The place of a top-level field in its YAML, from its key to the end of its value. */
export interface FieldSpan {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Locates every top-level field, in order; undefined unless each starts on its own line. */
export function locateFields(yaml: string): readonly FieldSpan[] | undefined {
  const { isMap, isScalar, parseDocument } = loadYaml();
  const { contents } = parseDocument(yaml, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
  if (contents === null || (isScalar(contents) && contents.source === '')) return [];
  if (!isMap(contents) || contents.flow === true) return undefined;
  const spans = contents.items.map((pair) => spanOf(pair, yaml));
  return spans.every((span) => span !== undefined) ? spans : undefined;
}

function spanOf({ key, value }: Pair, yaml: string): FieldSpan | undefined {
  const { isNode, isScalar } = loadYaml();
  const start = isScalar(key) ? key.range?.[0] : undefined;
  const end = isNode(value) ? value.range?.[1] : undefined;
  if (!isScalar(key) || start === undefined || end === undefined) return undefined;
  const isAtMargin = start === 0 || yaml[start - 1] === '\n';
  return isAtMargin ? { key: String(key.value), start, end } : undefined;
}

/** The lexer's mark before the text of a scalar. */
const SCALAR_FOLLOWS = '\u001F';

/** The comments in a piece of YAML; a `#` inside a scalar is not one. */
export function findComments(yaml: string): readonly string[] {
  const { Lexer } = loadYaml();
  const comments: string[] = [];
  let isScalar = false;
  for (const token of new Lexer().lex(yaml)) {
    if (token.startsWith('#') && !isScalar) comments.push(token.trimEnd());
    isScalar = token === SCALAR_FOLLOWS;
  }
  return comments;
}
